// The engine: from segments to rows of whole numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "character_ngrams.hpp"
#include "direct_table.hpp"
#include "reference_length.hpp"
#include "segments.hpp"
#include "stats.hpp"
#include "threads.hpp"
#include "token_ngrams.hpp"

namespace bleuprint {

/// What decides the counts, beside the tokenizer.
struct Counting {
    LengthRule rule = LengthRule::closest;
    bool at_least_one = false;
    int order = 4;
};

/// What a thread needs to count; emptied, not freed, between segments.
struct Workspace {
    TokenCounter<TextKey> texts;
    TokenCounter<std::uint64_t> numbers;
    TokenCounter<std::uint64_t, DirectTable> small_numbers;
    std::optional<CharacterCounter> characters;  // made for the first corpus of characters
    std::vector<std::int64_t> lengths;
    std::string candidate_buffer, reference_buffer;

    std::uint64_t steps() const { return texts.steps() + numbers.steps() + (characters ? characters->steps() : 0); }

    std::size_t bytes() const {
        return texts.bytes() + numbers.bytes() + small_numbers.bytes() + (characters ? characters->bytes() : 0) +
               bytes_of(lengths) + bytes_of(candidate_buffer) + bytes_of(reference_buffer);
    }
};

inline std::int64_t segment_total(std::int64_t length, int order, bool at_least_one) {
    return std::max<std::int64_t>(at_least_one ? 1 : 0, length - order + 1);
}

/// Fill a row, once the texts of the segment are there.
template <class Counter>
void finish_row(Row row, const Counting& counting, Counter& counter, std::span<const std::int64_t> lengths) {
    const std::int64_t candidate = row.candidate_length() = counter.candidate_length();
    row.reference_length() = choose_length(counting.rule, candidate, lengths);
    for (int n = 1; n <= counting.order; ++n) row.totals()[n - 1] = segment_total(candidate, n, counting.at_least_one);
    counter.count(row.matches(), row.plain);
}

/// Count a segment whose tokens are its characters. These have numbers without being hashed.
inline void count_characters(const TextCorpus& corpus, std::size_t which, const Counting& counting, Row row,
                             Workspace& space) {
    static const CharacterReader reader(WhiteSpace::removed);
    const std::size_t first = corpus.grouping.begin(which), last = corpus.grouping.end(which);
    if (!space.characters) space.characters.emplace();
    space.characters->begin(corpus.cased(corpus.candidates[which], space.candidate_buffer), reader, counting.order,
                            row.plain || last - first > 1);
    for (std::size_t place = first; place < last; ++place) {
        const std::string_view reference = corpus.cased(corpus.references[place], space.reference_buffer);
        space.lengths.push_back(space.characters->add_reference(reference, reader));
    }
    finish_row(row, counting, *space.characters, space.lengths);
}

/// Count a segment of tokens.
template <class Corpus, class Counter>
void count_token_segment(const Corpus& corpus, std::size_t which, std::size_t room, const Counting& counting, Row row,
                  Workspace& space, Counter& counter) {
    counter.begin(counting.order, row.plain, corpus.surely_longer_than(which, Counter::LONGEST_SHORT), room,
                  [&](auto&& sink) { corpus.read_candidate(which, space.candidate_buffer, sink); });
    for (std::size_t place = corpus.grouping.begin(which); place < corpus.grouping.end(which); ++place) {
        space.lengths.push_back(counter.add_reference(
            [&](auto&& sink) { corpus.read_reference(place, space.reference_buffer, sink); }));
    }
    finish_row(row, counting, counter, space.lengths);
}

template <class Corpus>
void count_segment(const Corpus& corpus, std::size_t which, const Counting& counting, Row row, Workspace& space) {
    space.lengths.clear();
    if constexpr (std::is_same_v<Corpus, TextCorpus>) {
        if (corpus.is_of_characters()) return count_characters(corpus, which, counting, row, space);
    }
    if constexpr (std::is_same_v<typename Corpus::Key, TextKey>) {
        count_token_segment(corpus, which, corpus.slots(which), counting, row, space, space.texts);
    } else {
        if constexpr (requires { corpus.bound(); }) {
            if (const std::size_t bound = corpus.bound()) {
                return count_token_segment(corpus, which, bound, counting, row, space, space.small_numbers);
            }
        }
        count_token_segment(corpus, which, corpus.slots(which), counting, row, space, space.numbers);
    }
}

/// Count every segment into its row of `numbers` and, where `plain` is given, its matches without clipping into a row of
/// that. Gives the steps that searches took, which only tests look at.
template <class Corpus>
std::uint64_t count_segments(const Corpus& corpus, const Counting& counting, std::int64_t* numbers, std::size_t threads,
                             std::int64_t* plain = nullptr) {
    const std::size_t width = row_width(counting.order), orders = static_cast<std::size_t>(counting.order);
    std::atomic<std::uint64_t> steps{0};
    struct Counter {
        Workspace space;
        std::atomic<std::uint64_t>& steps;
        ~Counter() { steps += space.steps(); }
    };
    share_out(
        corpus.size(), choose_threads(threads, corpus.size(), corpus.weight()), 32,
        [&] { return Counter{{}, steps}; },
        [&](Counter& counter, std::size_t which) {
            corpus.fetch(which + 2);
            const Row row{numbers + which * width, counting.order, plain ? plain + which * orders : nullptr};
            count_segment(corpus, which, counting, row, counter.space);
        });
    return steps;
}

}  // namespace bleuprint

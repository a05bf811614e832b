// The engine: from segments to rows of whole numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "character_ngrams.hpp"
#include "direct_table.hpp"
#include "interning.hpp"
#include "ngrams.hpp"
#include "reference_length.hpp"
#include "segment_table.hpp"
#include "segments.hpp"
#include "short_ngrams.hpp"
#include "stats.hpp"
#include "threads.hpp"

namespace bleuprint {

/// What decides the counts, beside the tokenizer.
struct Counting {
    LengthRule rule = LengthRule::closest;
    bool at_least_one = false;
    int order = 4;
};

/// What a thread needs to count; emptied, not freed, between segments.
struct Workspace {
    SegmentTable segment;
    TokenTable tokens;
    NumberTable numbers;
    DirectTable direct;
    MatchCounter matches;
    ShortMatchCounter<TextKey> short_texts;
    ShortMatchCounter<std::uint64_t> short_numbers;
    std::optional<CharacterCounter> characters;  // both made for the first corpus of characters that needs them
    std::optional<CharacterNumbers> character_numbers;
    std::vector<std::uint32_t> codes;
    std::vector<std::int64_t> lengths;
    std::string candidate_buffer, reference_buffer;

    /// Call `use` with an empty table for the tokens of a segment.
    template <class Corpus, class Use>
    void with_table(const Corpus& corpus, std::size_t which, Use&& use) {
        if constexpr (requires { corpus.bound(); }) {
            if (corpus.bound()) {
                direct.clear(corpus.bound());
                return use(direct);
            }
        }
        if constexpr (std::is_same_v<typename Corpus::Key, TextKey>) {
            tokens.clear(corpus.expected_tokens(which));
            use(tokens);
        } else {
            numbers.clear(corpus.expected_tokens(which));
            use(numbers);
        }
    }

    std::uint64_t steps() const { return segment.steps() + tokens.steps() + numbers.steps() + matches.steps(); }

    std::size_t bytes() const {
        return segment.bytes() + tokens.bytes() + numbers.bytes() + direct.bytes() + matches.bytes() + short_texts.bytes() +
               short_numbers.bytes() + (characters ? characters->bytes() : 0) +
               (character_numbers ? character_numbers->bytes() : 0) + bytes_of(codes) + bytes_of(lengths) +
               bytes_of(candidate_buffer) + bytes_of(reference_buffer);
    }
};

inline std::int64_t segment_total(std::int64_t length, int order, bool at_least_one) {
    return std::max<std::int64_t>(at_least_one ? 1 : 0, length - order + 1);
}

/// Fill a row with lengths and totals.
inline void finish_lengths(Row row, const Counting& counting, std::int64_t candidate,
                           std::span<const std::int64_t> lengths) {
    row.candidate_length() = candidate;
    row.reference_length() = choose_length(counting.rule, candidate, lengths);
    for (int n = 1; n <= counting.order; ++n) {
        row.totals()[n - 1] = segment_total(candidate, n, counting.at_least_one);
    }
}

/// Fill a row, once the tokens of the segment are there.
template <class Matches>
void finish_row(Row row, const Counting& counting, Matches& matches, std::span<const std::int64_t> lengths) {
    finish_lengths(row, counting, matches.candidate_length(), lengths);
    matches.count(row.matches(), counting.order, row.plain);
}

/// Read all references of a segment, token by token.
template <class Corpus, class Matches, class Add>
void read_references(const Corpus& corpus, std::size_t which, Workspace& space, Matches& matches, Add&& add) {
    space.lengths.clear();
    for (std::size_t place = corpus.grouping.begin(which); place < corpus.grouping.end(which); ++place) {
        corpus.read_reference(place, space.reference_buffer, add);
        space.lengths.push_back(matches.end_reference());
    }
}

/// Count a segment of texts. A short candidate has a way of its own, a longer one a table that is wiped for it; false
/// where neither will do.
template <class Corpus>
bool count_text_segment(const Corpus& corpus, std::size_t which, const Counting& counting, Row row, Workspace& space) {
    auto& shorts = space.short_texts;
    SegmentTable& table = space.segment;
    const std::size_t slots = corpus.slots(which);
    if (slots > SegmentTable::MOST_SLOTS) return false;
    bool is_short = !corpus.surely_longer_than(which, shorts.LONGEST);
    const auto add = [&](const TextKey& token) { space.matches.add_token(table.add(token)); };
    const auto begin_long = [&] {
        table.clear(slots);
        space.matches.begin();
    };
    is_short ? shorts.begin(counting.order, row.plain) : begin_long();
    corpus.read_candidate(which, space.candidate_buffer, [&](const TextKey& token) {
        if (is_short) {
            if (shorts.add_token(token)) return;
            is_short = false;
            begin_long();
            shorts.each_token(add);
        }
        add(token);
    });
    if (is_short) {
        read_references(corpus, which, space, shorts, [&](const TextKey& token) { shorts.add_reference_token(token); });
        finish_row(row, counting, shorts, space.lengths);
        return true;
    }
    if (table.is_crowded()) return false;
    read_references(corpus, which, space, space.matches,
                    [&](const TextKey& token) { space.matches.add_reference_token(table.find(token)); });
    if (table.is_crowded()) return false;
    finish_row(row, counting, space.matches, space.lengths);
    return true;
}

/// Count a segment whose tokens are its characters. These have numbers without being hashed. With one reference their
/// n-grams are those of chrF.
inline void count_characters(const TextCorpus& corpus, std::size_t which, const Counting& counting, Row row,
                             Workspace& space) {
    static const CharacterReader reader(WhiteSpace::removed);
    const std::string_view candidate = corpus.cased(corpus.candidates[which], space.candidate_buffer);
    const std::size_t first = corpus.grouping.begin(which), last = corpus.grouping.end(which);
    space.lengths.clear();
    if (last - first == 1 && !row.plain && PlaceSets::can_count(candidate.size(), counting.order)) {
        if (!space.characters) space.characters.emplace();
        space.characters->begin(candidate, reader, counting.order);
        const std::string_view reference = corpus.cased(corpus.references[first], space.reference_buffer);
        space.lengths.push_back(space.characters->match(reference, reader, row.matches()));
        return finish_lengths(row, counting, space.characters->candidate_length(), space.lengths);
    }
    if (!space.character_numbers) space.character_numbers.emplace();
    CharacterNumbers& numbers = *space.character_numbers;
    numbers.clear();
    space.matches.begin();
    reader.read(candidate, space.codes);
    for (const std::uint32_t code : space.codes) space.matches.add_token(numbers.add(code) - 1);
    for (std::size_t place = first; place < last; ++place) {
        reader.read(corpus.cased(corpus.references[place], space.reference_buffer), space.codes,
                    [&](std::uint32_t code) { return numbers.find(code) - 1; });  // NONE where it has none
        for (const std::uint32_t number : space.codes) space.matches.add_reference_token(number);
        space.lengths.push_back(space.matches.end_reference());
    }
    finish_row(row, counting, space.matches, space.lengths);
}

/// Count a segment of numbers with a short candidate, or say that it is too long for that.
template <class Corpus>
bool count_short(const Corpus& corpus, std::size_t which, const Counting& counting, Row row, Workspace& space) {
    using Key = typename Corpus::Key;
    auto& matches = space.short_numbers;
    if (corpus.surely_longer_than(which, matches.LONGEST)) return false;
    matches.begin(counting.order, row.plain);
    bool fits = true;
    corpus.read_candidate(which, space.candidate_buffer, [&](const Key& token) { fits = matches.add_token(token); });
    if (!fits) return false;
    read_references(corpus, which, space, matches, [&](const Key& token) { matches.add_reference_token(token); });
    finish_row(row, counting, matches, space.lengths);
    return true;
}

template <class Corpus>
void count_segment(const Corpus& corpus, std::size_t which, const Counting& counting, Row row, Workspace& space) {
    using Key = typename Corpus::Key;
    if constexpr (std::is_same_v<Corpus, TextCorpus>) {
        if (corpus.is_of_characters()) return count_characters(corpus, which, counting, row, space);
    }
    if constexpr (std::is_same_v<Key, TextKey>) {
        if (count_text_segment(corpus, which, counting, row, space)) return;
    } else {
        if (count_short(corpus, which, counting, row, space)) return;
    }
    space.with_table(corpus, which, [&](auto& table) {
        space.matches.begin();
        corpus.read_candidate(which, space.candidate_buffer,
                              [&](const Key& token) { space.matches.add_token(table.add(token)); });
        read_references(corpus, which, space, space.matches,
                        [&](const Key& token) { space.matches.add_reference_token(table.find(token)); });
    });
    finish_row(row, counting, space.matches, space.lengths);
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

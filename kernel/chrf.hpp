// chrF: n-grams of characters, and of words, of a candidate against each of its references; the best one makes the row.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "character_ngrams.hpp"
#include "chrf_formula.hpp"
#include "segments.hpp"
#include "threads.hpp"
#include "token_ngrams.hpp"

namespace bleuprint {

/// What decides a row.
struct ChrfCounting {
    int char_order = 6;
    int word_order = 0;
    WhiteSpace white_space = WhiteSpace::removed;
    bool count_candidate_always = false;      // else not in orders of which the reference has no n-gram
    bool drop_unmatched_reference = false;    // whether a segment without a match counts no n-grams of its reference
    ChrfFormula formula;

    std::size_t orders() const { return static_cast<std::size_t>(char_order + word_order); }
};

inline bool is_punctuation(char byte) {
    static constexpr auto SIGNS = [] {
        std::array<bool, 256> signs{};
        for (const char sign : std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")) {
            signs[static_cast<unsigned char>(sign)] = true;
        }
        return signs;
    }();
    return SIGNS[static_cast<unsigned char>(byte)];
}

/// Split at white space, and part one sign of punctuation from a word: the last one, or else the first.
template <class Sink>
void split_chrf_words(std::string_view text, Sink&& sink) {
    split_whitespace(text, [&](std::string_view word) {
        const std::size_t size = word.size();
        if (size > 1 && is_punctuation(word[size - 1])) {
            sink(word.substr(0, size - 1));
            sink(word.substr(size - 1));
        } else if (size > 1 && is_punctuation(word[0])) {
            sink(word.substr(0, 1));
            sink(word.substr(1));
        } else {
            sink(word);
        }
    });
}

/// What reads the words of a text, which point into it.
inline auto words_of(std::string_view text) {
    return [text](auto&& sink) {
        split_chrf_words(text, [&](std::string_view word) { sink(TextKey(word, text.data() + text.size())); });
    };
}

/// Counts one segment after the other, in memory that is kept between them.
class ChrfCounter {
public:
    ChrfCounter() = default;
    explicit ChrfCounter(const ChrfCounting& counting) { settle(counting); }

    /// Count in this way from now on.
    void settle(const ChrfCounting& counting) {
        counting_ = counting;
        reader_ = CharacterReader(counting.white_space);
        numbers_.resize(chrf_width(counting.orders()));
    }

    /// Take the candidate of a segment. `plain`: matches without clipping will be asked for.
    void begin(std::string_view candidate, bool plain = false) {
        characters_.begin(candidate, reader_, counting_.char_order, plain);
        if (counting_.word_order) words_.begin(counting_.word_order, plain, false, candidate.size() / 2, words_of(candidate));
        begin_segment();
    }

    /// Begin another segment with the same candidate.
    void begin_segment() { best_ = -1.0; }

    /// Hold the candidate against a reference; write the row if it is the best so far and, if there is room for them, its
    /// matches without clipping.
    void add_reference(std::string_view reference, std::int64_t* row, std::int64_t* plain = nullptr) {
        const ChrfRow own{numbers_.data(), counting_.orders()};
        own.candidate_length() = characters_.candidate_length();
        characters_.forget_references();
        own.reference_length() = characters_.add_reference(reference, reader_);
        plain_.resize(counting_.orders());
        std::int64_t* const unclipped = plain ? plain_.data() : nullptr;
        characters_.count(own.matches(), unclipped);
        count_totals(own, 0, counting_.char_order, own.candidate_length(), own.reference_length());
        if (counting_.word_order) {
            words_.forget_references();
            const std::int64_t length = words_.add_reference(words_of(reference));
            words_.count(own.matches() + counting_.char_order, plain ? unclipped + counting_.char_order : nullptr);
            count_totals(own, counting_.char_order, counting_.word_order, words_.candidate_length(), length);
        }
        const double score = counting_.formula.score(own);
        if (score <= best_ + (counting_.drop_unmatched_reference ? TIE : 0.0)) return;
        best_ = score;
        std::copy(numbers_.begin(), numbers_.end(), row);
        if (plain) std::copy(plain_.begin(), plain_.end(), plain);
    }

    /// End the segment, whose row is written; give its score on 0 to 100.
    double end(std::int64_t* row) const {
        const ChrfRow own{row, counting_.orders()};
        if (counting_.drop_unmatched_reference &&
            std::all_of(own.matches(), own.matches() + own.orders, [](std::int64_t n) { return n == 0; })) {
            std::fill(own.reference(), own.reference() + own.orders, 0);
            return counting_.formula.score(own);
        }
        return best_;
    }

    /// Count against the references of one entry of a grouping.
    double count_entry(const TextCorpus& corpus, std::size_t entry, std::int64_t* row, std::int64_t* plain = nullptr) {
        for (std::size_t place = corpus.grouping.first[entry]; place < corpus.grouping.first[entry + 1]; ++place) {
            add_reference(corpus.cased(corpus.references[place], reference_buffer_), row, plain);
        }
        return end(row);
    }

    /// Take the candidate of a segment of a corpus.
    void begin(const TextCorpus& corpus, std::size_t which, bool plain = false) {
        begin(corpus.cased(corpus.candidates[which], candidate_buffer_), plain);
    }

    double count(const TextCorpus& corpus, std::size_t which, std::int64_t* row, std::int64_t* plain = nullptr) {
        begin(corpus, which, plain);
        return count_entry(corpus, which, row, plain);
    }
    std::uint64_t steps() const { return characters_.steps() + words_.steps(); }
    std::size_t bytes() const {
        return characters_.bytes() + words_.bytes() + bytes_of(numbers_) + bytes_of(plain_) +
               bytes_of(candidate_buffer_) + bytes_of(reference_buffer_);
    }

private:
    static constexpr double TIE = 1e-12;  // as in metrics/chrf/counting.py

    void count_totals(ChrfRow row, int first, int orders, std::int64_t candidate, std::int64_t reference) const {
        for (int n = 0; n < orders; ++n) {
            const std::int64_t own = std::max<std::int64_t>(0, candidate - n);
            const std::int64_t other = std::max<std::int64_t>(0, reference - n);
            row.candidate()[first + n] = other || counting_.count_candidate_always ? own : 0;
            row.reference()[first + n] = other;
        }
    }

    ChrfCounting counting_;
    CharacterReader reader_{WhiteSpace::removed};
    CharacterCounter characters_;
    TokenCounter<TextKey> words_;
    std::vector<std::int64_t> numbers_, plain_;
    std::string candidate_buffer_, reference_buffer_;  // for texts that are lowered
    double best_ = -1.0;
};

/// Count every segment into its row of `numbers` and, if `plain` is given, the n-grams of the candidate that its best
/// reference has at all into a row of that. Gives the steps that searches took, which only tests look at.
inline std::uint64_t count_chrf(const TextCorpus& corpus, const ChrfCounting& counting, std::int64_t* numbers,
                                std::size_t threads, std::int64_t* plain = nullptr) {
    const std::size_t width = chrf_width(counting.orders());
    std::atomic<std::uint64_t> steps{0};
    struct Counter {
        ChrfCounter counter;
        std::atomic<std::uint64_t>& steps;
        ~Counter() { steps += counter.steps(); }
    };
    share_out(
        corpus.size(), choose_threads(threads, corpus.size(), corpus.weight()), 32,
        [&] { return Counter{ChrfCounter(counting), steps}; },
        [&](Counter& own, std::size_t which) {
            corpus.fetch(which + 2);
            own.counter.count(corpus, which, numbers + which * width, plain ? plain + which * counting.orders() : nullptr);
        });
    return steps;
}

/// Score every candidate against every entry of references: a matrix, row after row, on 0 to 100.
inline void score_chrf_pairs(const TextCorpus& corpus, const ChrfCounting& counting, double* scores,
                             std::size_t threads) {
    const std::size_t entries = corpus.grouping.size();
    struct State {
        ChrfCounter counter;
        std::vector<std::int64_t> row;
    };
    share_out(
        corpus.size(), choose_threads(threads, corpus.size(), corpus.weight() * std::min(corpus.size(), entries)), 1,
        [&] { return State{ChrfCounter(counting), std::vector<std::int64_t>(chrf_width(counting.orders()))}; },
        [&](State& state, std::size_t which) {
            state.counter.begin(corpus, which);
            for (std::size_t entry = 0; entry < entries; ++entry) {
                if (entry % A_WHILE == 0) Watch::look();
                state.counter.begin_segment();
                scores[which * entries + entry] = state.counter.count_entry(corpus, entry, state.row.data());
            }
        });
}

/// What is needed to count and score one segment.
struct ChrfScratch {
    ChrfCounter counter;
    TextCorpus corpus;
    std::vector<std::int64_t> numbers;

    std::size_t bytes() const { return counter.bytes() + corpus.bytes() + bytes_of(numbers); }
};

}  // namespace bleuprint

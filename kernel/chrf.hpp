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
#include "interning.hpp"
#include "ngram_index.hpp"
#include "segments.hpp"
#include "short_ngrams.hpp"
#include "threads.hpp"

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

/// Counts n-grams of words.
class WordCounter {
public:
    void begin(std::string_view candidate, int order) {
        order_ = order;
        matches_.begin(order);
        std::size_t length = 0;
        short_ = true;
        split_chrf_words(candidate, [&](std::string_view word) {
            ++length;
            short_ = short_ && matches_.add_token(TextKey(word, candidate.data() + candidate.size()));
        });
        length_ = static_cast<std::int64_t>(length);
        if (short_) return;
        table_.clear();
        numbers_.clear();
        split_chrf_words(candidate, [&](std::string_view word) { numbers_.push_back(1 + table_.add(TextKey(word))); });
        index_.begin(numbers_, table_.size(), order);
    }

    std::int64_t candidate_length() const { return length_; }

    std::int64_t match(std::string_view reference, std::int64_t* matches) {
        if (short_) {
            matches_.forget_references();
            split_chrf_words(reference, [&](std::string_view word) {
                matches_.add_reference_token(TextKey(word, reference.data() + reference.size()));
            });
            const std::int64_t length = matches_.end_reference();
            matches_.count(matches, order_);
            return length;
        }
        numbers_.clear();
        split_chrf_words(reference, [&](std::string_view word) {
            const std::uint32_t found = table_.find(TextKey(word));
            numbers_.push_back(found == NONE ? 0 : 1 + found);
        });
        index_.match(numbers_.data(), numbers_.size(), matches);
        return static_cast<std::int64_t>(numbers_.size());
    }

    std::uint64_t steps() const { return table_.steps() + index_.steps(); }
    std::size_t bytes() const { return matches_.bytes() + table_.bytes() + index_.bytes() + bytes_of(numbers_); }

private:
    ShortMatchCounter<TextKey> matches_;
    TokenTable table_;
    NgramIndex index_;
    std::vector<std::uint32_t> numbers_;
    std::int64_t length_ = 0;
    int order_ = 0;
    bool short_ = true;
};

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

    /// Take the candidate of a segment.
    void begin(std::string_view candidate) {
        characters_.begin(candidate, reader_, counting_.char_order);
        if (counting_.word_order) words_.begin(candidate, counting_.word_order);
        forget_references();
    }

    /// Begin another segment with the same candidate.
    void forget_references() { best_ = -1.0; }

    /// Hold the candidate against a reference; write the row, and say so, if it is the best so far.
    bool add_reference(std::string_view reference, std::int64_t* row) {
        const ChrfRow own{numbers_.data(), counting_.orders()};
        own.candidate_length() = characters_.candidate_length();
        own.reference_length() = characters_.match(reference, reader_, own.matches());
        count_totals(own, 0, counting_.char_order, own.candidate_length(), own.reference_length());
        if (counting_.word_order) {
            const std::int64_t length = words_.match(reference, own.matches() + counting_.char_order);
            count_totals(own, counting_.char_order, counting_.word_order, words_.candidate_length(), length);
        }
        const double score = counting_.formula.score(own);
        if (score <= best_ + (counting_.drop_unmatched_reference ? TIE : 0.0)) return false;
        best_ = score;
        std::copy(numbers_.begin(), numbers_.end(), row);
        return true;
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
    double count_entry(const TextCorpus& corpus, std::size_t entry, std::int64_t* row) {
        for (std::size_t place = corpus.grouping.first[entry]; place < corpus.grouping.first[entry + 1]; ++place) {
            add_reference(corpus.cased(corpus.references[place], reference_buffer_), row);
        }
        return end(row);
    }

    double count(const TextCorpus& corpus, std::size_t which, std::int64_t* row) {
        begin(corpus.cased(corpus.candidates[which], candidate_buffer_));
        return count_entry(corpus, which, row);
    }
    std::uint64_t steps() const { return characters_.steps() + words_.steps(); }
    std::size_t bytes() const {
        return characters_.bytes() + words_.bytes() + bytes_of(numbers_) + bytes_of(candidate_buffer_) + bytes_of(reference_buffer_);
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
    WordCounter words_;
    std::vector<std::int64_t> numbers_;
    std::string candidate_buffer_, reference_buffer_;  // for texts that are lowered
    double best_ = -1.0;
};

/// Count every segment into its row of `numbers`. Gives the steps that searches took, which only tests look at.
inline std::uint64_t count_chrf(const TextCorpus& corpus, const ChrfCounting& counting, std::int64_t* numbers,
                                std::size_t threads) {
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
            own.counter.count(corpus, which, numbers + which * width);
        });
    return steps;
}

/// Counts a row, and the n-grams of the candidate that its best reference has at all, however often.
class PlainChrfCounter {
public:
    explicit PlainChrfCounter(const ChrfCounting& counting)
        : counting_(counting), reader_(counting.white_space), counter_(counting) {}

    void count(const TextCorpus& corpus, std::size_t which, std::int64_t* row, std::int64_t* known) {
        const std::string_view candidate = corpus.candidates[which];
        counter_.begin(candidate);
        std::string_view best;
        for (std::size_t place = corpus.grouping.first[which]; place < corpus.grouping.first[which + 1]; ++place) {
            if (counter_.add_reference(corpus.references[place], row)) best = corpus.references[place];
        }
        counter_.end(row);
        count_characters(candidate, best, known);
        if (counting_.word_order) count_words(candidate, best, known + counting_.char_order);
    }

private:
    void count_characters(std::string_view candidate, std::string_view reference, std::int64_t* known) {
        numbers_.clear();
        reader_.read(reference, units_, [&](std::uint32_t code) { return numbers_.add(code); });
        index_.begin(units_, numbers_.size(), counting_.char_order);
        reader_.read(candidate, units_, [&](std::uint32_t code) { return numbers_.find(code); });
        index_.count_known(units_.data(), units_.size(), known);
    }

    void count_words(std::string_view candidate, std::string_view reference, std::int64_t* known) {
        table_.clear();
        units_.clear();
        split_chrf_words(reference, [&](std::string_view word) { units_.push_back(1 + table_.add(TextKey(word))); });
        index_.begin(units_, table_.size(), counting_.word_order);
        units_.clear();
        split_chrf_words(candidate, [&](std::string_view word) {
            const std::uint32_t found = table_.find(TextKey(word));
            units_.push_back(found == NONE ? 0 : 1 + found);
        });
        index_.count_known(units_.data(), units_.size(), known);
    }

    ChrfCounting counting_;
    CharacterReader reader_;
    ChrfCounter counter_;
    std::vector<std::uint32_t> units_;
    CharacterNumbers numbers_;
    TokenTable table_;
    NgramIndex index_;
};

/// Count both for every segment: a row, and a number for each order, segment after segment.
inline void count_plain_chrf(const TextCorpus& corpus, const ChrfCounting& counting, std::int64_t* numbers,
                             std::int64_t* known, std::size_t threads) {
    const std::size_t width = chrf_width(counting.orders());
    share_out(
        corpus.size(), choose_threads(threads, corpus.size(), corpus.weight()), 32,
        [&] { return PlainChrfCounter(counting); },
        [&](PlainChrfCounter& own, std::size_t which) {
            own.count(corpus, which, numbers + which * width, known + which * counting.orders());
        });
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
            state.counter.begin(corpus.candidates[which]);
            for (std::size_t entry = 0; entry < entries; ++entry) {
                if (entry % A_WHILE == 0) Watch::look();
                state.counter.forget_references();
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

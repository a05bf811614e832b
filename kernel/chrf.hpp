// chrF: n-grams of characters, and of words, of a candidate against each of its references; the best one makes the row.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "characters.hpp"
#include "chrf_formula.hpp"
#include "interning.hpp"
#include "ngram_index.hpp"
#include "place_sets.hpp"
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
    const auto code = static_cast<unsigned char>(byte);
    return (code > 0x20 && code < 0x30) || (code > 0x39 && code < 0x41) || (code > 0x5A && code < 0x61) ||
           (code > 0x7A && code < 0x7F);
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

/// Counts n-grams of characters.
class CharacterCounter {
public:
    void begin(std::string_view candidate, const CharacterReader& reader, int order) {
        reader.read(candidate, codes_);
        numbers_.clear();
        for (std::uint32_t& code : codes_) code = numbers_.add(code);
        length_ = codes_.size();
        order_ = order;
        short_ = PlaceSets::can_count(length_, order);
        if (short_) {
            places_.begin(codes_, numbers_.size(), order);
        } else {
            index_.begin(codes_, numbers_.size(), order);
        }
    }

    std::int64_t candidate_length() const { return static_cast<std::int64_t>(length_); }

    /// Write the matches with a reference; give its length.
    std::int64_t match(std::string_view reference, const CharacterReader& reader, std::int64_t* matches) {
        reader.read(reference, codes_);
        const std::size_t length = codes_.size();
        for (std::uint32_t& code : codes_) code = numbers_.find(code);
        codes_.resize(length + static_cast<std::size_t>(order_));  // with zeros
        if (short_) {
            places_.match(codes_.data(), length, matches);
        } else {
            index_.match(codes_.data(), length, matches);
        }
        return static_cast<std::int64_t>(length);
    }

    std::uint64_t steps() const { return index_.steps(); }
    std::size_t bytes() const { return bytes_of(codes_) + numbers_.bytes() + places_.bytes() + index_.bytes(); }

private:
    std::vector<std::uint32_t> codes_;
    CharacterNumbers numbers_;
    PlaceSets places_;
    NgramIndex index_;
    std::size_t length_ = 0;
    int order_ = 0;
    bool short_ = true;
};

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
    explicit ChrfCounter(const ChrfCounting& counting) { settle(counting); }

    void settle(const ChrfCounting& counting) {
        counting_ = counting;
        reader_ = CharacterReader(counting.white_space);
        numbers_.resize(chrf_width(counting.orders()));
    }

    /// Take the candidate of a segment.
    void begin(std::string_view candidate) {
        characters_.begin(candidate, reader_, counting_.char_order);
        if (counting_.word_order) words_.begin(candidate, counting_.word_order);
        best_ = -1.0;
    }

    /// Hold the candidate against a reference; write the row if it is the best so far.
    void add_reference(std::string_view reference, std::int64_t* row) {
        const ChrfRow own{numbers_.data(), counting_.orders()};
        own.candidate_length() = characters_.candidate_length();
        own.reference_length() = characters_.match(reference, reader_, own.matches());
        count_totals(own, 0, counting_.char_order, own.candidate_length(), own.reference_length());
        if (counting_.word_order) {
            const std::int64_t length = words_.match(reference, own.matches() + counting_.char_order);
            count_totals(own, counting_.char_order, counting_.word_order, words_.candidate_length(), length);
        }
        const double score = counting_.formula.score(own);
        if (score <= best_) return;
        best_ = score;
        std::copy(numbers_.begin(), numbers_.end(), row);
    }

    /// End the segment, whose row is written.
    void end(std::int64_t* row) const {
        const ChrfRow own{row, counting_.orders()};
        if (!counting_.drop_unmatched_reference) return;
        if (std::all_of(own.matches(), own.matches() + own.orders, [](std::int64_t n) { return n == 0; })) {
            std::fill(own.reference(), own.reference() + own.orders, 0);
        }
    }

    void count(const TextCorpus& corpus, std::size_t which, std::int64_t* row) {
        begin(corpus.candidates[which]);
        for (std::size_t place = corpus.grouping.first[which]; place < corpus.grouping.first[which + 1]; ++place) {
            add_reference(corpus.references[place], row);
        }
        end(row);
    }

    const ChrfCounting& counting() const { return counting_; }
    std::uint64_t steps() const { return characters_.steps() + words_.steps(); }
    std::size_t bytes() const { return characters_.bytes() + words_.bytes() + bytes_of(numbers_); }

private:
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

}  // namespace bleuprint

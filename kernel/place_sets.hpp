// N-grams of a candidate of up to 1,024 characters against one reference after the other, with sets of places.
//
// As in short_ngrams.hpp each character has the set of places where the candidate has it. These sets are kept shifted by
// 0, 1, 2 … places, so that the places where the n-gram that begins here begins in the candidate, too, are the AND of n
// sets, one for each of its characters, in several machine words without a shift between them. Different n-grams have
// disjoint sets, so an occurrence in the reference takes any place of its set that is still free, and the places taken
// are the clipped matches. Characters by themselves (order 1) are counted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

class PlaceSets {
public:
    static constexpr std::size_t LONGEST = 1024;
    static constexpr int HIGHEST = 8;

    static bool can_count(std::size_t length, int order) { return length <= LONGEST && order <= HIGHEST; }

    /// Take a candidate: its characters by numbers from 1 to `distinct`.
    void begin(std::span<const std::uint32_t> candidate, std::size_t distinct, int order) {
        order_ = static_cast<std::size_t>(order);
        words_ = std::max<std::size_t>(1, (candidate.size() + 63) / 64);
        counts_.assign(distinct + 1, 0);
        for (const std::uint32_t character : candidate) ++counts_[character];
        const std::size_t stride = order_ * words_;
        sets_.assign((distinct + 1) * stride, 0);
        for (std::size_t place = 0; place < candidate.size(); ++place) {
            sets_[candidate[place] * stride + place / 64] |= std::uint64_t{1} << place % 64;
        }
        if (order_ == 1) return;
        switch (words_) {
            case 1: return shift_all<1>();
            case 2: return shift_all<2>();
            case 3: return shift_all<3>();
            case 4: return shift_all<4>();
            case 5: return shift_all<5>();
            case 6: return shift_all<6>();
            default: return shift_all<0>();
        }
    }

    /// Write the clipped matches of orders 1 to `order`. Behind the reference lie `order` zeros.
    void match(const std::uint32_t* reference, std::size_t length, std::int64_t* matches) {
        matches[0] = match_characters(reference, length);
        if (order_ == 1) return;
        switch (words_) {
            case 1: return walk_words<1>(reference, length, matches);
            case 2: return walk_words<2>(reference, length, matches);
            case 3: return walk_words<3>(reference, length, matches);
            case 4: return walk_words<4>(reference, length, matches);
            case 5: return walk_words<5>(reference, length, matches);
            case 6: return walk_words<6>(reference, length, matches);
            default: return walk_any(reference, length, matches);
        }
    }

    std::size_t bytes() const { return bytes_of(counts_) + bytes_of(left_) + bytes_of(sets_) + bytes_of(free_); }

private:
    /// Make the shifted sets of each character; `known` is the number of words, or 0 where it is only known now.
    template <std::size_t known>
    void shift_all() {
        const std::size_t words = known ? known : words_, stride = order_ * words;
        for (std::uint64_t* own = sets_.data() + stride; own < sets_.data() + sets_.size(); own += stride) {
            for (std::size_t n = 1; n < order_; ++n) {
                const std::uint64_t* const from = own + (n - 1) * words;
                std::uint64_t* const to = own + n * words;
                for (std::size_t word = 0; word + 1 < words; ++word) to[word] = from[word] >> 1 | from[word + 1] << 63;
                to[words - 1] = from[words - 1] >> 1;
            }
        }
    }

    std::int64_t match_characters(const std::uint32_t* reference, std::size_t length) {
        left_ = counts_;
        std::int64_t matched = 0;
        for (std::size_t place = 0; place < length; ++place) {
            std::uint32_t& left = left_[reference[place]];
            const bool counts = left != 0;
            left -= counts;
            matched += counts;
        }
        return matched;
    }

    template <std::size_t words>
    void walk_words(const std::uint32_t* reference, std::size_t length, std::int64_t* matches) const {
        if (order_ == 6) return walk<words, 6>(reference, length, matches);
        switch (order_) {
            case 2: return walk<words, 2>(reference, length, matches);
            case 3: return walk<words, 3>(reference, length, matches);
            case 4: return walk<words, 4>(reference, length, matches);
            case 5: return walk<words, 5>(reference, length, matches);
            case 7: return walk<words, 7>(reference, length, matches);
            default: return walk<words, 8>(reference, length, matches);
        }
    }

    template <std::size_t words, std::size_t order>
    void walk(const std::uint32_t* reference, std::size_t length, std::int64_t* matches) const {
        std::array<std::array<std::uint64_t, words>, order - 1> free;
        for (auto& one : free) one.fill(~std::uint64_t{0});
        const std::uint64_t* const sets = sets_.data();
        for (std::size_t place = 0; place < length; ++place) {
            const std::uint64_t* const first = sets + reference[place] * (order * words);
            std::array<std::uint64_t, words> found;
            for (std::size_t word = 0; word < words; ++word) found[word] = first[word];
            for (std::size_t n = 1; n < order; ++n) {
                const std::uint64_t* const next = sets + reference[place + n] * (order * words) + n * words;
                // Take the lowest open place of all words: the bit that goes when 1 is subtracted.
                std::uint64_t borrowed = 1;
                for (std::size_t word = 0; word < words; ++word) {
                    found[word] &= next[word];
                    const std::uint64_t open = found[word] & free[n - 1][word];
                    free[n - 1][word] ^= open & ~(open - borrowed);
                    borrowed = open < borrowed;
                }
            }
        }
        for (std::size_t n = 1; n < order; ++n) matches[n] = taken(free[n - 1]);
    }

    void walk_any(const std::uint32_t* reference, std::size_t length, std::int64_t* matches) {
        const std::size_t stride = order_ * words_;
        free_.assign(stride, ~std::uint64_t{0});
        found_.resize(words_);
        for (std::size_t place = 0; place < length; ++place) {
            const std::uint64_t* const first = sets_.data() + reference[place] * stride;
            std::copy(first, first + words_, found_.begin());
            for (std::size_t n = 1; n < order_; ++n) {
                const std::uint64_t* const next = sets_.data() + reference[place + n] * stride + n * words_;
                std::uint64_t any = 0, borrowed = 1;
                for (std::size_t word = 0; word < words_; ++word) {
                    found_[word] &= next[word];
                    any |= found_[word];
                    const std::uint64_t open = found_[word] & free_[n * words_ + word];
                    free_[n * words_ + word] ^= open & ~(open - borrowed);
                    borrowed = open < borrowed;
                }
                if (!any) break;
            }
        }
        for (std::size_t n = 1; n < order_; ++n) {
            matches[n] = taken(std::span(free_).subspan(n * words_, words_));
        }
    }

    template <class Words>
    static std::int64_t taken(const Words& free) {
        std::int64_t places = 0;
        for (const std::uint64_t word : free) places += std::popcount(~word);
        return places;
    }

    std::size_t order_ = 1, words_ = 1;
    std::vector<std::uint32_t> counts_, left_;  // of each character
    std::vector<std::uint64_t> sets_;           // of each character, for each shift
    std::vector<std::uint64_t> free_, found_;
};

}  // namespace bleuprint

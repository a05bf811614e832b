// N-grams of a candidate of up to 1,024 characters against one reference after the other, with sets of places.
//
// As in short_ngrams.hpp each character has the set of places where the candidate has it. These sets are kept shifted by
// 0, 1, 2 … places, so that the places where the n-gram that begins here begins in the candidate, too, are the AND of n
// sets, one for each of its characters, in several machine words without a shift between them. Different n-grams have
// disjoint sets, so an occurrence in the reference takes any place of its set that is still free, and the places taken
// are the clipped matches. Most n-grams of three and more characters have one place, which is taken whether or not it is
// free. Characters by themselves are counted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "interning.hpp"
#include "place_pairs.hpp"

namespace bleuprint {

class PlaceSets {
public:
    static constexpr std::size_t LONGEST = 1024;
    static constexpr int HIGHEST = 8;

    static bool can_count(std::size_t length, int order) { return length <= LONGEST && order <= HIGHEST; }

    /// Take a candidate: its characters by numbers from 1 to `distinct`.
    void begin(std::span<const std::uint32_t> candidate, std::size_t distinct, int order) {
        order_ = static_cast<std::size_t>(order);
        words_ = 2 * std::max<std::size_t>(1, (candidate.size() + 127) / 128);
        width_ = distinct + 1;
        counts_.assign(width_, 0);
        for (const std::uint32_t character : candidate) ++counts_[character];
        if (order_ == 1) return;
        if (sets_.size() < width_ * order_ * words_) sets_.resize(width_ * order_ * words_);
        switch (words_) {
            case 2: return make_sets<2>(candidate);
            case 4: return make_sets<4>(candidate);
            case 6: return make_sets<6>(candidate);
            default: return make_sets<0>(candidate);
        }
    }

    /// Write the clipped matches of orders 1 to `order`. Behind the reference lie `order` zeros.
    void match(const std::uint32_t* reference, std::size_t length, std::int64_t* matches) {
        matches[0] = match_characters(reference, length);
        if (order_ == 1) return;
        find_sets(reference, length + order_);
        switch (words_) {
            case 2: return walk_pairs<1>(length, matches);
            case 4: return walk_pairs<2>(length, matches);
            case 6: return walk_pairs<3>(length, matches);
            default: return walk_any(length, matches);
        }
    }

    std::size_t bytes() const {
        return bytes_of(counts_) + bytes_of(left_) + bytes_of(sets_) + bytes_of(starts_) + bytes_of(free_) + bytes_of(found_);
    }

private:
    /// Make the shifted sets of each character; `known` is the number of words, or 0 where it is only known now.
    template <std::size_t known>
    void make_sets(std::span<const std::uint32_t> candidate) {
        const std::size_t words = known ? known : words_, stride = order_ * words;
        std::uint64_t* const sets = sets_.data();
        std::fill_n(sets, stride, 0);  // of what the candidate does not have
        for (std::size_t character = 1; character < width_; ++character) {
            for (std::size_t word = 0; word < words; ++word) sets[character * stride + word] = 0;
        }
        for (std::size_t place = 0; place < candidate.size(); ++place) {
            sets[candidate[place] * stride + place / 64] |= std::uint64_t{1} << place % 64;
        }
        for (std::uint64_t* own = sets + stride; own < sets + width_ * stride; own += stride) {
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

    /// Find where the sets of each character begin.
    void find_sets(const std::uint32_t* reference, std::size_t length) {
        if (starts_.size() < length) starts_.resize(length);
        const auto stride = static_cast<std::uint32_t>(order_ * words_);
        for (std::size_t place = 0; place < length; ++place) starts_[place] = reference[place] * stride;
    }

    template <std::size_t pairs>
    void walk_pairs(std::size_t length, std::int64_t* matches) const {
        switch (order_) {
            case 2: return walk<pairs, 2>(length, matches);
            case 3: return walk<pairs, 3>(length, matches);
            case 4: return walk<pairs, 4>(length, matches);
            case 5: return walk<pairs, 5>(length, matches);
            case 6: return walk<pairs, 6>(length, matches);
            case 7: return walk<pairs, 7>(length, matches);
            default: return walk<pairs, 8>(length, matches);
        }
    }

    template <std::size_t pairs, std::size_t order>
    void walk(std::size_t length, std::int64_t* matches) const {
        constexpr std::size_t words = 2 * pairs;
        std::array<std::uint64_t, words> free_pairs;  // for pairs of characters, which often have several places
        free_pairs.fill(~std::uint64_t{0});
        std::array<PlaceSet<pairs>, order> free;      // for longer n-grams
        free.fill(PlaceSet<pairs>::all());
        const std::uint64_t* const sets = sets_.data();
        for (const std::uint32_t* start = starts_.data(); start < starts_.data() + length; ++start) {
            const std::uint64_t *const first = sets + start[0], *const second = sets + start[1] + words;
            std::uint64_t borrowed = 1;
            for (std::size_t word = 0; word < words; ++word) {
                borrowed = remove_lowest(free_pairs[word], first[word] & second[word], borrowed);
            }
            if constexpr (order > 2) {
                const auto places = [&](std::size_t n) { return PlaceSet<pairs>::load(sets + start[n] + n * words); };
                PlaceSet<pairs> found = places(0);
                found.keep(places(1));
                take_places<2>(found, free, places);
            }
        }
        matches[1] = 0;
        for (const std::uint64_t word : free_pairs) matches[1] += std::popcount(~word);
        for (std::size_t n = 2; n < order; ++n) matches[n] = 64 * static_cast<std::int64_t>(words) - free[n].count();
    }

    /// Take places of the n-grams from order `n + 1` on; of the shorter one there may be several.
    template <std::size_t n, class Places, std::size_t order, class Find>
    static void take_places(Places& found, std::array<Places, order>& free, const Find& places) {
        if constexpr (n < order) {
            found.keep(places(n));
            if (found.has_several()) {
                free[n].remove_lowest_of(found);
                take_places<n + 1>(found, free, places);
            } else {
                free[n].remove(found);
                for (std::size_t longer = n + 1; longer < order; ++longer) {
                    found.keep(places(longer));
                    free[longer].remove(found);
                }
            }
        }
    }

    void walk_any(std::size_t length, std::int64_t* matches) {
        const std::size_t stride = order_ * words_;
        free_.assign(stride, ~std::uint64_t{0});
        found_.resize(words_);
        for (std::size_t place = 0; place < length; ++place) {
            const std::uint64_t* const first = sets_.data() + starts_[place];
            std::copy(first, first + words_, found_.begin());
            for (std::size_t n = 1; n < order_; ++n) {
                const std::uint64_t* const next = sets_.data() + starts_[place + n] + n * words_;
                std::uint64_t any = 0, borrowed = 1;
                for (std::size_t word = 0; word < words_; ++word) {
                    found_[word] &= next[word];
                    any |= found_[word];
                    borrowed = remove_lowest(free_[n * words_ + word], found_[word], borrowed);
                }
                if (!any) break;
            }
        }
        for (std::size_t n = 1; n < order_; ++n) {
            std::int64_t taken = 0;
            for (std::size_t word = 0; word < words_; ++word) taken += std::popcount(~free_[n * words_ + word]);
            matches[n] = taken;
        }
    }

    std::size_t order_ = 1, words_ = 2, width_ = 1;
    std::vector<std::uint32_t> counts_, left_;  // of each character
    std::vector<std::uint64_t> sets_;           // of each character, for each shift
    std::vector<std::uint32_t> starts_;         // of the sets of the reference's characters
    std::vector<std::uint64_t> free_, found_;
};

}  // namespace bleuprint

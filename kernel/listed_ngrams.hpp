// N-grams of candidates of up to 16,384 tokens, of up to four tokens each, with lists of places: the same counts as
// ngrams.hpp.
//
// Tokens by themselves are counted. For longer n-grams the places of the candidate lie in lists, chosen by a hash of the
// two tokens that begin there. A place of a reference goes along the list of its own two tokens. At each place of the
// list four tokens of either text, 16 bits each, are compared at once; how many are equal says which n-grams begin at
// both. Of each order the reference's n-gram takes the first place that has it and is still free. As in short_ngrams.hpp
// different n-grams have different places, so the places taken are, for each n-gram, the first min(count in the
// candidate, count in the reference) ones; over several references their union is the best of them. The orders in which a
// place is taken are bits, so all orders are taken at once, and nothing decides a branch but the ends of lists. What
// shares a list by accident is told apart by the comparison.
//
// The work is the steps along lists, and for each of several references to wipe what is known of every place. If it is too
// much, as in a text that repeats itself or beside many short references, this gives up. Texts of words of up to some
// thousand tokens take half the time that the tables of ngrams.hpp take.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

class ListedMatches {
public:
    static constexpr std::size_t LONGEST = std::size_t{1} << 14;
    static constexpr int HIGHEST = 4;
    static constexpr std::size_t STEPS_PER_TOKEN = 8, WIPED_PER_STEP = 8;
    static constexpr std::size_t MOST_REPEATED = 16;  // as a mean; with more copies of each token lists are too long

    /// Write the clipped matches of orders 1 to `order`, or say that it is too much work. The candidate's tokens are
    /// numbers from 1 to `distinct`. References lie one after the other; `ends` says where each ends. 0 stands there, and
    /// for what the candidate does not have.
    bool count(std::span<const std::uint32_t> candidate, std::size_t distinct, std::span<const std::uint32_t> references,
               std::span<const std::size_t> ends, std::int64_t* matches, int order) {
        if (order > HIGHEST || candidate.size() > std::min(LONGEST, MOST_REPEATED * distinct)) return false;
        read_candidate(candidate, distinct);
        references_.resize(references.size() + WORD);
        std::copy(references.begin(), references.end(), references_.begin());
        std::fill_n(references_.end() - WORD, WORD, 0);
        steps_left_ = static_cast<std::int64_t>(STEPS_PER_TOKEN * (candidate.size() + references.size()));
        const auto orders = static_cast<std::uint8_t>((1 << order) - 1);
        const Counts sums = ends.size() > 1 ? match_several(ends, orders) : match_one(ends, orders);
        for (int n = 0; n < order; ++n) matches[n] = static_cast<std::int64_t>(sums >> 16 * n & 0xFFFF);
        return steps_left_ >= 0;
    }

    std::size_t bytes() const {
        return bytes_of(candidate_) + bytes_of(references_) + bytes_of(first_) + bytes_of(next_) + bytes_of(tallies_) +
               bytes_of(taken_) + bytes_of(best_);
    }

private:
    using Token = std::uint16_t;
    using Counts = std::uint64_t;  // of four orders, 16 bits each
    static constexpr Token NOT_IN_REFERENCE = 0xFFFF;
    static constexpr std::size_t WORD = sizeof(std::uint64_t) / sizeof(Token);
    static constexpr std::uint8_t TOKENS = 1;  // order 1

    /// How often a token occurs.
    struct Tally {
        std::uint16_t own = 0;   // in the candidate
        std::uint16_t seen = 0;  // in this reference, at most once more than in the candidate
        std::uint16_t best = 0;  // in any reference before
    };

    /// Four bits as four counts.
    static constexpr std::array<Counts, 16> ONE_EACH = [] {
        std::array<Counts, 16> counts{};
        for (std::size_t bits = 0; bits < counts.size(); ++bits) {
            for (std::size_t n = 0; n < WORD; ++n) counts[bits] |= Counts{bits >> n & 1} << 16 * n;
        }
        return counts;
    }();

    /// Places are counted from 1 on; place 0 ends every list, and nothing is equal there.
    void read_candidate(std::span<const std::uint32_t> candidate, std::size_t distinct) {
        const std::size_t length = candidate.size();
        candidate_.resize(length + 1 + WORD);
        next_.resize(length + 1);
        taken_.assign(length + 1, 0);
        tallies_.assign(distinct + 1, Tally{});
        const std::size_t lists = std::bit_ceil(std::max<std::size_t>(64, 4 * length));
        shift_ = 64 - std::countr_zero(lists);
        first_.assign(lists, 0);
        candidate_[0] = NOT_IN_REFERENCE;
        next_[0] = 0;
        std::fill_n(candidate_.end() - WORD, WORD, NOT_IN_REFERENCE);
        for (std::size_t place = 1; place <= length; ++place) {
            candidate_[place] = static_cast<Token>(candidate[place - 1]);
            ++tallies_[candidate[place - 1]].own;
        }
        for (std::size_t place = length; place > 0; --place) {
            std::uint16_t& first = first_[list_of(candidate_.data() + place)];
            next_[place] = first;
            first = static_cast<std::uint16_t>(place);
        }
    }

    Counts match_one(std::span<const std::size_t> ends, std::uint8_t orders) {
        Counts sums = 0;
        for (std::size_t place = 0; !ends.empty() && place < ends[0] && steps_left_ >= 0; ++place) {
            Tally& tally = tallies_[references_[place]];
            sums += tally.seen < tally.own;
            tally.seen = static_cast<std::uint16_t>(tally.seen + (tally.seen < tally.own));
            take_places(place, orders, [&](std::size_t, std::uint8_t now) { sums += ONE_EACH[now]; });
        }
        return sums;
    }

    Counts match_several(std::span<const std::size_t> ends, std::uint8_t orders) {
        Counts sums = 0;
        best_.assign(taken_.size(), 0);
        std::size_t place = 0;
        for (const std::size_t end : ends) {
            steps_left_ -= static_cast<std::int64_t>(taken_.size() / WIPED_PER_STEP);
            if (steps_left_ < 0) break;
            std::fill(taken_.begin(), taken_.end(), 0);
            for (Tally& tally : tallies_) tally.seen = 0;
            for (; place < end && steps_left_ >= 0; ++place) {
                Tally& tally = tallies_[references_[place]];
                tally.seen = static_cast<std::uint16_t>(tally.seen + (tally.seen < tally.own));
                const bool is_more = tally.seen > tally.best;
                sums += is_more;
                tally.best = static_cast<std::uint16_t>(tally.best + is_more);
                take_places(place, orders, [&](std::size_t own, std::uint8_t now) {
                    sums += ONE_EACH[now & ~best_[own]];
                    best_[own] |= now;
                });
            }
            place = end + 1;
        }
        return sums;
    }

    /// Take places of the candidate for the n-grams of two tokens and more that begin at a place of a reference; tell
    /// `took` which, and in which orders.
    template <class Took>
    void take_places(std::size_t place, std::uint8_t orders, Took took) {
        const std::uint64_t theirs = four_tokens(references_.data() + place);
        auto wanted = static_cast<std::uint8_t>(orders & ~TOKENS);
        std::size_t own = first_[list_of(references_.data() + place)];
        do {
            const std::uint64_t differing = four_tokens(candidate_.data() + own) ^ theirs;
            const auto now = static_cast<std::uint8_t>(equal_orders(differing) & wanted & ~taken_[own]);
            taken_[own] |= now;
            wanted ^= now;
            took(own, now);
            own = next_[own];
            --steps_left_;
        } while (own);
    }

    /// The list of the places where two tokens begin, and perhaps two others.
    std::size_t list_of(const Token* tokens) const {
        return (std::uint64_t{tokens[0]} << 16 | tokens[1]) * SPREAD >> shift_;
    }

    static std::uint64_t four_tokens(const Token* tokens) {
        std::uint64_t word;
        std::memcpy(&word, tokens, sizeof word);
        return word;
    }

    /// The orders of which all tokens are equal, as bits.
    static unsigned equal_orders(std::uint64_t differing) {
        constexpr bool LITTLE = std::endian::native == std::endian::little;
        const int equal = (LITTLE ? std::countr_zero(differing) : std::countl_zero(differing)) / 16;
        return (1u << equal) - 1;
    }

    std::vector<Token> candidate_, references_;
    std::vector<std::uint16_t> first_, next_;  // the first place of each list; from each place the next of its list
    int shift_ = 58;
    std::vector<Tally> tallies_;              // of tokens
    std::vector<std::uint8_t> taken_, best_;  // by place, the orders in which this reference, or any, has taken it
    std::int64_t steps_left_ = 0;
};

}  // namespace bleuprint

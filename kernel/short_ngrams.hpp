// N-grams of short candidates, up to 64 tokens: the same counts as ngrams.hpp, with sets of places in one machine word.
//
// Each token of the candidate has a set of places (bits). Walking along a reference, the set of places where the
// candidate has the n-gram that ends here follows from the set of the shorter n-gram that ended one token before:
// shift by one, and keep the places of the current token. Different n-grams have disjoint sets. A reference's
// occurrence takes the lowest place of its set that is still free, so after a reference the places taken are, for each
// n-gram, the first min(count in the candidate, count in the reference) ones; over several references their union is
// the best of them, and its size the clipped matches. The union of all those sets are the places whose n-gram a reference
// has at all: the matches without clipping. No n-gram is ever hashed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

template <class Key>
class ShortMatchCounter {
public:
    static constexpr std::size_t LONGEST = 64;

    /// Begin a candidate. `plain`: matches without clipping will be asked for.
    void begin(int order, bool plain) {
        words_.clear();
        length_ = 0;
        used_.assign(static_cast<std::size_t>(order), 0);
        known_.assign(plain ? used_.size() : 0, 0);
        masks_.clear();
    }

    /// Add a token of the candidate, or say that it is too long for this.
    bool add_token(const Key& key) {
        if (length_ == LONGEST) return false;
        const std::uint32_t before = words_.size(), number = words_.add(key);
        places_[number] = places_[number <= before ? number : 0] | std::uint64_t{1} << length_;
        numbers_[length_++] = static_cast<std::uint8_t>(number);
        return true;
    }

    /// Hand out the tokens of the candidate so far.
    template <class Sink>
    void each_token(Sink&& sink) const {
        for (std::size_t place = 0; place < length_; ++place) sink(words_.key(numbers_[place]));
    }

    void add_reference_token(const Key& key) { masks_.push_back(places_[words_.find(key)]); }

    /// End a reference; give its length.
    std::int64_t end_reference() {
        known_.empty() ? walk_along<false>() : walk_along<true>();
        const auto length = static_cast<std::int64_t>(masks_.size());
        masks_.clear();
        return length;
    }

    std::int64_t candidate_length() const { return static_cast<std::int64_t>(length_); }

    /// Begin with the references again, for the same candidate.
    void forget_references() {
        used_.assign(used_.size(), 0);
        known_.assign(known_.size(), 0);
    }

    /// Write the clipped matches of each order and, if there is room for them, those without clipping.
    void count(std::int64_t* matches, std::int64_t* plain) const {
        for (std::size_t n = 0; n < used_.size(); ++n) matches[n] = std::popcount(used_[n]);
        for (std::size_t n = 0; plain && n < known_.size(); ++n) plain[n] = std::popcount(known_[n]);
    }

    std::size_t bytes() const {
        return bytes_of(masks_) + bytes_of(used_) + bytes_of(known_) + bytes_of(ending_) + bytes_of(fresh_);
    }

private:
    static std::uint64_t lowest(std::uint64_t places) { return places & (~places + 1); }

    template <bool plain>
    void walk_along() {
        switch (used_.size()) {
            case 1: return walk<1, plain>();
            case 2: return walk<2, plain>();
            case 3: return walk<3, plain>();
            case 4: return walk<4, plain>();
            default: return walk_any();
        }
    }

    template <std::size_t order, bool plain>
    void walk() {
        std::array<std::uint64_t, order> ending{}, used{}, known{};
        for (const std::uint64_t mask : masks_) {
            for (std::size_t n = order - 1; n > 0; --n) ending[n] = ending[n - 1] << 1 & mask;
            ending[0] = mask;
            for (std::size_t n = 0; n < order; ++n) used[n] |= lowest(ending[n] & ~used[n]);
            for (std::size_t n = 0; plain && n < order; ++n) known[n] |= ending[n];
        }
        for (std::size_t n = 0; n < order; ++n) used_[n] |= used[n];
        for (std::size_t n = 0; plain && n < order; ++n) known_[n] |= known[n];
    }

    void walk_any() {
        const std::size_t order = used_.size();
        ending_.assign(order, 0);
        fresh_.assign(order, 0);
        for (const std::uint64_t mask : masks_) {
            for (std::size_t n = order - 1; n > 0; --n) ending_[n] = ending_[n - 1] << 1 & mask;
            ending_[0] = mask;
            for (std::size_t n = 0; n < order; ++n) fresh_[n] |= lowest(ending_[n] & ~fresh_[n]);
            for (std::size_t n = 0; n < known_.size(); ++n) known_[n] |= ending_[n];
        }
        for (std::size_t n = 0; n < order; ++n) used_[n] |= fresh_[n];
    }

    Interner<Key, std::uint8_t, 8 * LONGEST> words_;
    std::array<std::uint64_t, LONGEST + 1> places_{};  // of each word; number 0: none
    std::array<std::uint8_t, LONGEST> numbers_{};      // of the tokens of the candidate
    std::size_t length_ = 0;
    std::vector<std::uint64_t> masks_;  // of the tokens of the current reference
    std::vector<std::uint64_t> used_;   // places taken, for each order
    std::vector<std::uint64_t> known_;  // places whose n-gram a reference has; empty if nobody asks
    std::vector<std::uint64_t> ending_, fresh_;
};

}  // namespace bleuprint

// N-grams of a candidate of any length against one reference after the other: all n-grams of the candidate get numbers
// once, and a reference looks its own up, each order only where the order before was found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

class NgramIndex {
public:
    /// Take a candidate: its tokens by numbers from 1 to `distinct`.
    void begin(std::span<const std::uint32_t> candidate, std::size_t distinct, int order) {
        order_ = static_cast<std::size_t>(order);
        base_ = static_cast<std::uint32_t>(distinct) + 1;
        reference_ = 0;
        pairs_.clear();
        grams_.assign(base_, Gram{});
        own_.assign(candidate.begin(), candidate.end());
        for (const std::uint32_t token : own_) ++grams_[token].count;
        for (std::size_t n = 1; n < order_ && n < candidate.size(); ++n) {
            own_.resize(candidate.size() - n);
            for (std::size_t place = 0; place < own_.size(); ++place) {
                const std::uint32_t gram = base_ + pairs_.add(pair(own_[place], candidate[place + n]));
                if (gram == grams_.size()) grams_.emplace_back();
                ++grams_[gram].count;
                own_[place] = gram;
            }
        }
    }

    /// Write the clipped matches of orders 1 to `order`. A token that the candidate does not have is 0.
    void match(const std::uint32_t* reference, std::size_t length, std::int64_t* matches) {
        if (++reference_ == 0) {  // all numbers of references were used
            for (Gram& gram : grams_) gram.reference = 0;
            reference_ = 1;
        }
        list_known(reference, length);
        for (std::size_t n = 0; n < order_; ++n) {
            matches[n] = 0;
            if (n) extend(reference, length, n);
            for (const Occurrence& occurrence : alive_) matches[n] += take(grams_[occurrence.gram]);
        }
    }

    /// Write how many n-grams of a text the candidate has at all, of orders 1 to `order`.
    void count_known(const std::uint32_t* text, std::size_t length, std::int64_t* known) {
        list_known(text, length);
        for (std::size_t n = 0; n < order_; ++n) {
            if (n) extend(text, length, n);
            known[n] = std::ssize(alive_);
        }
    }

    std::uint64_t steps() const { return pairs_.steps(); }
    std::size_t bytes() const { return bytes_of(grams_) + bytes_of(own_) + bytes_of(alive_) + pairs_.bytes(); }

private:
    struct Gram {
        std::uint32_t count = 0;      // in the candidate
        std::uint32_t seen = 0;       // in the reference that is being read
        std::uint32_t reference = 0;  // which one that is
    };
    struct Occurrence {
        std::size_t place;
        std::uint32_t gram;
    };

    static std::uint64_t pair(std::uint32_t gram, std::uint32_t token) { return std::uint64_t{gram} << 32 | token; }

    /// List the tokens that the candidate has, too.
    void list_known(const std::uint32_t* reference, std::size_t length) {
        alive_.clear();
        for (std::size_t place = 0; place < length; ++place) {
            if (reference[place]) alive_.push_back({place, reference[place]});
        }
    }

    /// Keep the n-grams that the candidate has, too.
    void extend(const std::uint32_t* reference, std::size_t length, std::size_t n) {
        std::size_t kept = 0;
        for (const Occurrence& occurrence : alive_) {
            const std::size_t last = occurrence.place + n;
            if (last >= length || !reference[last]) continue;
            const std::uint32_t found = pairs_.find(pair(occurrence.gram, reference[last]));
            if (found != NONE) alive_[kept++] = {occurrence.place, base_ + found};
        }
        alive_.resize(kept);
    }

    /// Whether one more occurrence in the reference still matches one in the candidate.
    bool take(Gram& gram) const {
        if (gram.reference != reference_) {
            gram.reference = reference_;
            gram.seen = 0;
        }
        return ++gram.seen <= gram.count;
    }

    std::size_t order_ = 1;
    std::uint32_t base_ = 1, reference_ = 0;
    NumberTable pairs_;  // an n-gram as the number of its first n-1 tokens and the number of the last
    std::vector<Gram> grams_;
    std::vector<std::uint32_t> own_;
    std::vector<Occurrence> alive_;
};

}  // namespace bleuprint

// Interning of ids from a small range: each has a place of its own, so nothing is hashed and nothing compared.
#pragma once

#include <cstdint>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

/// Numbers ids below a bound from 1 on, in the order in which they come. Emptied by counting on: what was marked before lies below
/// the first mark of now.
class DirectTable {
public:
    /// Forget all ids; those to come are below `bound`, a power of 2 and at most 2^31. Should one not be, as its memory
    /// was changed by another thread, it is taken for one that is.
    void clear(std::size_t bound) {
        mask_ = bound - 1;
        first_ += size_;
        size_ = 0;
        if (marks_.size() < bound) marks_.resize(bound, 0);
        if (first_ > LAST_FIRST) {
            marks_.assign(marks_.size(), 0);
            first_ = 1;
        }
    }

    /// The number of an id, which is added if it is new. No branch: a processor could not guess it.
    std::uint32_t add(std::uint64_t id) {
        std::uint32_t& mark = marks_[id & mask_];
        const std::uint64_t known = mark - first_;
        const std::uint64_t is_new = known >= size_;
        mark = static_cast<std::uint32_t>(first_ + (known ^ ((known ^ size_) & (0 - is_new))));
        size_ += is_new;
        return static_cast<std::uint32_t>(mark - first_ + 1);
    }

    /// The number of an id, or 0.
    std::uint32_t find(std::uint64_t id) const {
        const std::uint64_t known = marks_[id & mask_] - first_;
        return static_cast<std::uint32_t>((known + 1) & (0 - std::uint64_t{known < size_}));
    }

    std::size_t bytes() const { return bytes_of(marks_); }

    /// Count on from here, so that a test need not count so far.
    void count_from(std::uint64_t first) { first_ = first; }

    static constexpr std::uint64_t LAST_FIRST = std::uint64_t{1} << 31;

private:
    std::vector<std::uint32_t> marks_;  // of each id: its number, counted from `first_`
    std::uint64_t mask_ = 0, first_ = 1, size_ = 0;  // of 64 bits, so that no mark that is written can be one of them
};

}  // namespace bleuprint

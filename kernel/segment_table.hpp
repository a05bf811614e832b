// Interning of the texts of one segment: a table that is small enough to be wiped for every segment, and in which
// neither whether a text is known nor whether it is new decides a branch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

class SegmentTable {
public:
    /// More slots than this are none of a segment's.
    static constexpr std::size_t MOST_SLOTS = std::size_t{1} << 16;

    SegmentTable() : SegmentTable(process_secret()) {}
    explicit SegmentTable(Secret secret) : secret_(secret) {}

    /// Forget all keys. Half as many as there are slots can be added.
    void clear(std::size_t slots) {
        slots = std::bit_ceil(std::clamp(slots, FEWEST_SLOTS, MOST_SLOTS));
        index_.assign(slots, 0);
        if (keys_.size() <= slots / 2) keys_.resize(slots / 2 + 1);
        mask_ = slots - 1;
        count_ = 0;
        crowded_ = false;
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(count_); }

    /// Whether a key could not be added, for want of room or because others crowd its place: then no number is one.
    bool is_crowded() const { return crowded_; }

    std::uint32_t add(const TextKey& key) {
        const std::size_t place = find_place(key);
        const std::size_t known = index_[place];
        const std::size_t is_new = known == 0, entry = known + ((count_ + 1) & (0 - is_new));
        if (entry > slots() / 2) [[unlikely]] {
            crowded_ = true;
            return 0;
        }
        count_ += is_new;
        keys_[entry] = key;
        index_[place] = static_cast<std::uint16_t>(entry);
        return static_cast<std::uint32_t>(entry - 1);
    }

    /// The number of a key, or NONE.
    std::uint32_t find(const TextKey& key) { return static_cast<std::uint32_t>(index_[find_place(key)]) - 1; }

    /// Steps beyond the first look, over the life of the table; tests watch this number, nothing else needs it.
    std::uint64_t steps() const { return steps_; }
    std::size_t bytes() const { return bytes_of(index_) + bytes_of(keys_); }

private:
    static constexpr std::size_t FEWEST_SLOTS = 512;

    std::size_t slots() const { return mask_ + 1; }

    /// Where a key lies, or would.
    std::size_t find_place(const TextKey& key) {
        std::size_t place = hash_of(key, secret_) & mask_;
        std::uint32_t searched = 0;
        while (is_of_another(index_[place] != 0, keys_[index_[place]], key) && !crowded_) {
            place = (place + 1) & mask_;
            ++steps_;
            crowded_ = is_no_accident(++searched, mask_);
        }
        return place;
    }

    Secret secret_;
    std::vector<std::uint16_t> index_;  // at most half full: the entry, from 1 on, or 0
    std::vector<TextKey> keys_;
    std::size_t mask_ = 0, count_ = 0;
    bool crowded_ = false;
    std::uint64_t steps_ = 0;
};

}  // namespace bleuprint

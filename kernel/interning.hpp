// Interning: equal keys get equal small numbers, and different keys different ones, by comparison.
//
// A keyed hash says where to look. If a search grows long all the same, the table draws a new secret and sorts itself anew,
// so no input can make counting quadratic. Neither whether a key is known nor whether it is new decides a branch: a
// processor could not guess it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fetching.hpp"
#include "hashing.hpp"

namespace bleuprint {

/// The memory that a vector or string holds, used or not.
template <class Container>
std::size_t bytes_of(const Container& container) {
    return container.capacity() * sizeof(typename Container::value_type);
}

/// A piece of text as a key. Up to 16 bytes lie in two words, so that comparing the words compares the text.
struct TextKey {
    static constexpr std::array<std::uint64_t, 9> LOW_BYTES = [] {
        std::array<std::uint64_t, 9> masks{};
        for (std::size_t size = 0; size < 9; ++size) {
            std::array<unsigned char, 8> bytes{};
            for (std::size_t place = 0; place < size; ++place) bytes[place] = 0xFF;
            masks[size] = std::bit_cast<std::uint64_t>(bytes);
        }
        return masks;
    }();

    const char* data = nullptr;
    std::size_t size = 0;
    std::uint64_t first = 0, last = 0;

    TextKey() = default;

    /// `readable` is the end of the memory that may be read; where eight bytes may, no branch depends on the size.
    ALWAYS_INLINE TextKey(std::string_view text, const char* readable = nullptr) : data(text.data()), size(text.size()) {
        if (reinterpret_cast<std::uintptr_t>(data) + 8 <= reinterpret_cast<std::uintptr_t>(readable)) {
            load_words();
        } else if (size >= 8) {
            first = load<std::uint64_t>(data);
            last = load<std::uint64_t>(data + size - 8);
        } else {
            first = last = load_short();
        }
    }

    /// The key of a text that lies in memory of which eight bytes may be read.
    ALWAYS_INLINE static TextKey with_margin(std::string_view text) {
        TextKey key;
        key.data = text.data();
        key.size = text.size();
        key.load_words();
        return key;
    }

    bool operator==(const TextKey& other) const { return !differing_words(*this, other) && equal_insides(*this, other); }

    /// Not 0 where two texts differ, as far as the words tell.
    friend std::uint64_t differing_words(const TextKey& one, const TextKey& other) {
        return (one.size ^ other.size) | (one.first ^ other.first) | (one.last ^ other.last);
    }

    /// Whether two texts with equal words are equal in what the words do not hold.
    friend bool equal_insides(const TextKey& one, const TextKey& other) {
        return lies_in_words(one) || std::memcmp(one.data, other.data, one.size) == 0;
    }
    friend bool lies_in_words(const TextKey& key) { return key.size <= 16; }

    /// Up to seven bytes, with zeros behind them.
    std::uint64_t load_short() const {
        std::uint64_t word = 0;
        if constexpr (std::endian::native == std::endian::little) {
            if (size >= 4) {
                word = load<std::uint32_t>(data) | load<std::uint32_t>(data + size - 4) << 8 * (size - 4);
            } else if (size) {
                auto byte = [&](std::size_t place) {
                    return std::uint64_t{static_cast<unsigned char>(data[place])} << 8 * place;
                };
                word = byte(0) | byte(size / 2) | byte(size - 1);
            }
        } else if (size) {
            std::memcpy(&word, data, size);
        }
        return word;
    }

    ALWAYS_INLINE void load_words() {
        const std::size_t capped = size < 8 ? size : 8;
        const std::uint64_t kept = LOW_BYTES[capped];
        first = load<std::uint64_t>(data) & kept;
        last = load<std::uint64_t>(data + size - capped) & kept;
    }

    std::uint64_t hash(const Secret& secret) const {
        std::uint64_t inner = 0;
        for (std::size_t place = 8; place + 8 < size; place += 8) {
            inner = fold(inner ^ load<std::uint64_t>(data + place) ^ secret.second, secret.first | 1);
        }
        return fold(first ^ secret.first, last ^ inner ^ (size * SPREAD) ^ secret.second);
    }
};

inline std::uint64_t differing_words(std::uint64_t one, std::uint64_t other) { return one ^ other; }
inline bool equal_insides(std::uint64_t, std::uint64_t) { return true; }
inline bool lies_in_words(std::uint64_t) { return true; }

/// Whether another key lies in the place of one; where nothing lies, `is_there` is false and `known` any key. Whether the
/// two are equal decides no branch, as a processor could not guess it.
template <class Key>
bool is_of_another(bool is_there, const Key& known, const Key& key) {
    if (differing_words(known, key) & (std::uint64_t{0} - is_there)) return true;
    return !lies_in_words(key) && is_there && !equal_insides(known, key);
}

inline std::uint64_t hash_of(const TextKey& key, const Secret& secret) { return key.hash(secret); }
inline std::uint64_t hash_of(std::uint64_t key, const Secret& secret) { return hash_key(key, secret); }

/// Numbers keys from 1 on in the order in which they come; 0 is no number. A text must stay where it is until it is
/// forgotten. `Number` holds the number of any key. With `fixed` slots the table never grows, and is at most an eighth full.
template <class Key, class Number = std::uint32_t, std::size_t fixed = 0>
class Interner {
public:
    Interner() : Interner(process_secret()) {}
    explicit Interner(Secret secret) : secret_(secret) {}

    /// Forget all keys, and make so many slots. Half as many keys can be added before the table grows.
    void clear(std::size_t slots = 0) {
        count_ = 0;
        if constexpr (fixed) {
            index_.fill(0);
        } else {
            index_.assign(std::bit_ceil(std::max(slots, FEWEST_SLOTS)), 0);
            make_room();
        }
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(count_); }
    const Key& key(std::uint32_t number) const { return keys_[number]; }

    /// Steps beyond the first look, over the life of the table. Only tests read this number.
    std::uint64_t steps() const { return steps_; }

    /// The number of a key, which is added if it is new.
    std::uint32_t add(const Key& key) {
        std::size_t slot = start(key);
        for ([[maybe_unused]] std::uint32_t searched = 0; has_another(slot, key); slot = next(slot)) {
            if constexpr (!fixed) {
                ++steps_;
                if (is_no_accident(++searched)) {
                    secret_ = Secret::random();
                    rebuild(index_.size());
                    return add(key);
                }
            }
        }
        const std::size_t known = index_[slot], is_new = known == 0, number = known + ((count_ + 1) & (0 - is_new));
        keys_[number] = key;
        index_[slot] = static_cast<Number>(number);
        count_ += is_new;
        if constexpr (!fixed) {
            if (count_ == room_) [[unlikely]] grow();
        }
        return static_cast<std::uint32_t>(number);
    }

    /// The number of a key, or 0. Threads can share a finished table.
    std::uint32_t find(const Key& key) const {
        std::size_t slot = start(key);
        while (has_another(slot, key)) slot = next(slot);
        return index_[slot];
    }

    /// Ask for the memory where the search for a key begins.
    void fetch(const Key& key) const { fetch_ahead(&index_[start(key)]); }

    std::size_t bytes() const { return bytes_of(index_) + bytes_of(keys_); }

private:
    static constexpr std::size_t FEWEST_SLOTS = 512;

    std::size_t start(const Key& key) const { return hash_of(key, secret_) & mask(); }
    std::size_t next(std::size_t slot) const { return (slot + 1) & mask(); }
    std::size_t mask() const { return fixed ? fixed - 1 : mask_; }
    bool has_another(std::size_t slot, const Key& key) const {
        return is_of_another(index_[slot] != 0, keys_[index_[slot]], key);
    }

    /// Whether a search is longer than luck makes it in a table of 2^n slots that is at most half full.
    bool is_no_accident(std::uint32_t searched) const {
        return searched > 32 && searched > 32 + 8 * static_cast<std::uint32_t>(std::popcount(mask_));
    }

    /// Make room for some keys more; key 0 is none.
    void make_room() {
        mask_ = index_.size() - 1;
        if (keys_.size() < count_ + 2) keys_.resize(std::max(FEWEST_SLOTS / 2 + 1, 2 * keys_.size()));
        room_ = std::min(index_.size() / 2, keys_.size() - 1);
    }

    void grow() {
        if (2 * count_ >= index_.size()) rebuild(2 * index_.size());
        make_room();
    }

    /// Sort all keys into so many slots. If that takes a long search, draw another secret.
    void rebuild(std::size_t slots) {
        do {
            index_.assign(slots, 0);
            mask_ = slots - 1;
        } while (!sort_in());
    }

    bool sort_in() {
        for (std::size_t number = 1; number <= count_; ++number) {
            std::size_t slot = start(keys_[number]);
            for (std::uint32_t searched = 0; index_[slot]; slot = next(slot)) {
                ++steps_;
                if (is_no_accident(++searched)) {
                    secret_ = Secret::random();
                    return false;
                }
            }
            index_[slot] = static_cast<Number>(number);
        }
        return true;
    }

    Secret secret_;
    std::conditional_t<fixed != 0, std::array<Number, fixed>, std::vector<Number>> index_{};  // the number of the key that lies here, or 0
    std::conditional_t<fixed != 0, std::array<Key, fixed / 8 + 1>, std::vector<Key>> keys_{};
    std::size_t mask_ = 0, count_ = 0, room_ = 0;
    std::uint64_t steps_ = 0;
};

}  // namespace bleuprint

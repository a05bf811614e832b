// Interning: equal things get equal small numbers, and different things different ones, by comparison.
//
// Both tables live as long as a thread and are emptied for every segment by raising a stamp. Places are found by a
// keyed hash; should a search grow long all the same, the table draws a new secret and sorts itself anew, so that no
// input can make counting quadratic.
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

inline constexpr std::uint32_t NONE = 0xFFFFFFFF;

/// The memory that a vector or string holds, used or not.
template <class Container>
std::size_t bytes_of(const Container& container) {
    return container.capacity() * sizeof(typename Container::value_type);
}

/// Whatever the size of a table, a shorter search may be an accident.
inline constexpr std::uint32_t LONG_SEARCH = 32;

/// Whether a search is longer than luck makes it in a table of 2^n places that is at most half full.
inline bool is_no_accident(std::uint32_t searched, std::uint64_t mask) {
    return searched > LONG_SEARCH && searched > LONG_SEARCH + 8 * static_cast<std::uint32_t>(std::popcount(mask));
}

/// Open addressing over stamped slots. `Keys` hashes and compares entries by number.
template <class Keys>
class Table : public Keys {
public:
    using Key = typename Keys::Key;

    Table() : Table(process_secret()) {}
    explicit Table(Secret secret) : secret_(secret) { slots_.resize(SMALLEST); }

    /// Forget all keys, and make room for so many, so that the table need not grow step by step.
    void clear(std::size_t expected = 0) {
        Keys::forget();
        mask_ = std::bit_ceil(std::max<std::uint64_t>(SMALLEST, 4 * std::uint64_t{expected} + 2)) - 1;
        if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
        empty_slots();
    }

    std::uint32_t size() const { return Keys::count(); }

    /// Steps beyond the first look, over the life of the table; tests watch this number, nothing else needs it.
    std::uint64_t steps() const { return steps_; }

    /// The number of a key, or NONE. Steps are counted by the caller, so that threads can share a finished table.
    std::uint32_t find(const Key& key, std::uint64_t& steps) const {
        const std::uint64_t hash = Keys::hash(key, secret_);
        for (std::uint64_t place = hash & mask_;; place = (place + 1) & mask_) {
            const Slot& slot = slots_[place];
            if (slot.stamp != stamp_) return NONE;
            if (slot.mark == Keys::mark(key, hash) && Keys::equals(slot.entry, key)) return slot.entry;
            ++steps;
        }
    }

    std::uint32_t find(const Key& key) { return find(key, steps_); }

    /// Ask for the memory where the search for a key begins.
    void fetch(const Key& key) const { fetch_ahead(&slots_[Keys::hash(key, secret_) & mask_]); }

    /// The number of a key, which is added if it is new.
    std::uint32_t add(const Key& key) {
        const std::uint64_t hash = Keys::hash(key, secret_);
        std::uint32_t searched = 0;
        for (std::uint64_t place = hash & mask_;; place = (place + 1) & mask_) {
            Slot& slot = slots_[place];
            if (slot.stamp != stamp_) {
                const std::uint32_t entry = Keys::append(key);
                slot = {Keys::mark(key, hash), stamp_, entry};
                if (2 * std::uint64_t{entry} + 2 > mask_) rebuild(2 * (mask_ + 1));
                return entry;
            }
            if (slot.mark == Keys::mark(key, hash) && Keys::equals(slot.entry, key)) return slot.entry;
            ++steps_;
            if (is_no_accident(++searched, mask_)) {
                secret_ = Secret::random();
                rebuild(mask_ + 1);
                return add(key);
            }
        }
    }

    std::size_t bytes() const { return bytes_of(slots_) + Keys::bytes(); }

private:
    struct Slot {
        typename Keys::Mark mark{};
        std::uint32_t stamp = 0;
        std::uint32_t entry = 0;
    };
    static constexpr std::uint64_t SMALLEST = 128;

    /// Sort all entries into so many slots; where that takes a long search, with another secret.
    void rebuild(std::uint64_t capacity) {
        mask_ = capacity - 1;
        if (slots_.size() < capacity) slots_.resize(capacity);
        while (!sort_in()) secret_ = Secret::random();
    }

    bool sort_in() {
        empty_slots();
        for (std::uint32_t entry = 0; entry < size(); ++entry) {
            const std::uint64_t hash = Keys::hash(Keys::key(entry), secret_);
            std::uint64_t place = hash & mask_;
            for (std::uint32_t searched = 0; slots_[place].stamp == stamp_; place = (place + 1) & mask_) {
                ++steps_;
                if (is_no_accident(++searched, mask_)) return false;
            }
            slots_[place] = {Keys::mark(Keys::key(entry), hash), stamp_, entry};
        }
        return true;
    }

    void empty_slots() {
        if (++stamp_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            stamp_ = 1;
        }
    }

    Secret secret_;
    std::vector<Slot> slots_;
    std::uint64_t mask_ = SMALLEST - 1;
    std::uint32_t stamp_ = 1;
    std::uint64_t steps_ = 0;
};

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

/// The keys of a table, numbered in the order in which they came. A text must stay where it is until they are forgotten.
template <class Stored>
class Keys {
public:
    using Key = Stored;

    const Key& key(std::uint32_t entry) const { return keys_[entry]; }

protected:
    static constexpr bool IS_NUMBER = std::is_same_v<Stored, std::uint64_t>;
    /// What is kept beside each entry: a number itself, or the upper half of a hash, whose lower half chose the place.
    using Mark = std::conditional_t<IS_NUMBER, std::uint64_t, std::uint32_t>;

    static std::uint64_t hash(const Key& key, const Secret& secret) { return hash_of(key, secret); }
    static Mark mark(const Key& key, std::uint64_t hash) {
        if constexpr (IS_NUMBER) {
            return key;
        } else {
            return static_cast<std::uint32_t>(hash >> 32);
        }
    }
    /// Whether an entry with the mark of a key has that key.
    bool equals(std::uint32_t entry, const Key& key) const { return IS_NUMBER || keys_[entry] == key; }
    std::uint32_t append(const Key& key) {
        keys_.push_back(key);
        return count() - 1;
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(keys_.size()); }
    void forget() { keys_.clear(); }
    std::size_t bytes() const { return bytes_of(keys_); }

private:
    std::vector<Key> keys_;
};

using TokenTable = Table<Keys<TextKey>>;
/// Of token ids, or of n-grams as the number of a prefix and the number of a last token.
using NumberTable = Table<Keys<std::uint64_t>>;

}  // namespace bleuprint

// Token ids: texts that are rows of arrays, read straight from their memory. Ids of every integer type become 64-bit
// keys, equal where the ids are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "segments.hpp"

namespace bleuprint {

/// Where a row ends, where nobody has given its length: leading pads are left out, then it ends before the first `eos`,
/// then trailing pads are left out. A pad in between counts.
struct RowEnds {
    std::optional<std::int64_t> pad, eos;
};

/// An array of ids, of any number of axes, the last of which is a row. Strides are in ids.
struct IdArray {
    const char* data;
    std::vector<std::size_t> shape;
    std::vector<std::int64_t> strides;

    std::size_t row_length() const { return shape.back(); }
    std::size_t rows() const {
        std::size_t product = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) product *= shape[axis];
        return product;
    }
    /// Where a row begins, counted in ids.
    std::int64_t start(std::size_t row) const {
        std::int64_t place = 0;
        for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
            place += strides[axis] * static_cast<std::int64_t>(row % shape[axis]);
            row /= shape[axis];
        }
        return place;
    }
};

/// Texts of ids. Those that are copied nobody can change any more; others are read where they lie, whenever somebody
/// asks, and whoever adds them keeps that memory. Should it change, keys may have other bits than `bits()`.
class IdTexts {
public:
    std::size_t size() const { return rows_.size(); }
    std::size_t length(std::size_t which) const { return rows_[which].length; }
    /// How many tokens all texts have.
    std::size_t tokens() const { return tokens_; }

    /// Whether there was an id below 0, and one that only 64 bits without a sign can hold. The keys of two such ids may
    /// be equal where the ids are not.
    bool has_negative() const { return negative_; }
    bool has_huge() const { return huge_; }

    /// The bits that are set in any key.
    std::uint64_t bits() const { return bits_; }

    /// Add a text of keys that are copied, one by one.
    void add_key(std::uint64_t key) { copied_.push_back(key); }
    void end() {
        const std::size_t start = copied_start_;
        std::uint64_t bits = 0;
        for (std::size_t place = start; place < copied_.size(); ++place) bits |= copied_[place];
        negative_ |= static_cast<bool>(bits >> 63);
        add_row({nullptr, 0, start, copied_.size() - start, IdType::copied}, bits);
        copied_start_ = copied_.size();
    }

    /// Add every row of an array: as many ids of it as `lengths` says, or as `ends` finds.
    template <class Id>
    void add_rows(const IdArray& array, std::span<const std::int64_t> lengths, const RowEnds& ends, bool copies) {
        const std::size_t rows = array.rows();
        if (!lengths.empty() && lengths.size() != rows) throw std::invalid_argument("every row needs a length");
        rows_.reserve(rows_.size() + rows);
        if (copies) copied_.reserve(copied_.size() + rows * array.row_length());
        for (std::size_t row = 0; row < rows; ++row) {
            Ids<Id> ids{array.data + array.start(row) * std::int64_t{sizeof(Id)},
                        array.strides.back() * std::int64_t{sizeof(Id)}};
            std::size_t first = 0, last = array.row_length();
            if (lengths.empty()) {
                find_ends(ids, ends, first, last);
            } else if (lengths[row] < 0 || static_cast<std::size_t>(lengths[row]) > last) {
                throw std::invalid_argument("a length beyond its row");
            } else {
                last = static_cast<std::size_t>(lengths[row]);
            }
            ids.data += ids.stride * static_cast<std::int64_t>(first);
            add_ids(ids, last - first, copies);
        }
    }

    /// Hand out the keys of a text. They are loaded some at a time, so that a sink is compiled once for all types.
    template <class Sink>
    void read(std::size_t which, Sink&& sink) const {
        const Row& row = rows_[which];
        std::array<std::uint64_t, 256> keys;
        for (std::size_t first = 0; first < row.length; first += keys.size()) {
            const std::size_t size = std::min(keys.size(), row.length - first);
            load_keys(row, first, size, keys.data());
            for (std::size_t place = 0; place < size; ++place) sink(keys[place]);
        }
    }

private:
    enum class IdType : std::uint8_t { copied, i8, i16, i32, i64, u8, u16, u32, u64 };

    struct Row {
        const char* data;     // where it lies
        std::int64_t stride;  // in bytes
        std::size_t start;    // where it was copied to
        std::size_t length;
        IdType type;
    };

    /// Ids in memory, a stride of bytes apart.
    template <class Id>
    struct Ids {
        const char* data;
        std::int64_t stride;

        Id operator[](std::size_t place) const {
            Id id;
            std::memcpy(&id, data + stride * static_cast<std::int64_t>(place), sizeof id);
            return id;
        }
    };

    template <class Id>
    static std::uint64_t key_of(Id id) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(id));
    }

    template <class Id>
    static constexpr IdType type_of() {
        const int power = std::countr_zero(sizeof(Id));
        return static_cast<IdType>((std::is_signed_v<Id> ? 1 : 5) + power);
    }

    void load_keys(const Row& row, std::size_t first, std::size_t size, std::uint64_t* keys) const {
        switch (row.type) {
            case IdType::copied: std::copy_n(copied_.data() + row.start + first, size, keys); return;
            case IdType::i8: return load_as<std::int8_t>(row, first, size, keys);
            case IdType::i16: return load_as<std::int16_t>(row, first, size, keys);
            case IdType::i32: return load_as<std::int32_t>(row, first, size, keys);
            case IdType::i64: return load_as<std::int64_t>(row, first, size, keys);
            case IdType::u8: return load_as<std::uint8_t>(row, first, size, keys);
            case IdType::u16: return load_as<std::uint16_t>(row, first, size, keys);
            case IdType::u32: return load_as<std::uint32_t>(row, first, size, keys);
            case IdType::u64: return load_as<std::uint64_t>(row, first, size, keys);
        }
    }

    template <class Id>
    static void load_as(const Row& row, std::size_t first, std::size_t size, std::uint64_t* keys) {
        const char* const data = row.data + row.stride * static_cast<std::int64_t>(first);
        const auto load_from = [&](const Ids<Id>& ids) {
            for (std::size_t place = 0; place < size; ++place) keys[place] = key_of(ids[place]);
        };
        constexpr std::int64_t NEIGHBOURS = sizeof(Id);  // known to the compiler, which then loads several at once
        if (row.stride == NEIGHBOURS) {
            load_from({data, NEIGHBOURS});
        } else {
            load_from({data, row.stride});
        }
    }

    template <class Id>
    static void find_ends(const Ids<Id>& row, const RowEnds& ends, std::size_t& first, std::size_t& last) {
        const std::optional<Id> pad = as<Id>(ends.pad), eos = as<Id>(ends.eos);
        if (pad) {
            while (first < last && row[first] == *pad) ++first;
        }
        if (eos) {
            std::size_t end = first;
            while (end < last && row[end] != *eos) ++end;
            last = end;
        }
        if (pad) {
            while (last > first && row[last - 1] == *pad) --last;
        }
    }

    /// An id as the array's own type has it; nothing where the array cannot hold it.
    template <class Id>
    static std::optional<Id> as(std::optional<std::int64_t> id) {
        if (!id || !std::in_range<Id>(*id)) return std::nullopt;
        return static_cast<Id>(*id);
    }

    template <class Id>
    void add_ids(const Ids<Id>& ids, std::size_t length, bool copies) {
        const bool are_neighbours = ids.stride == std::int64_t{sizeof(Id)};
        const std::uint64_t bits = are_neighbours ? bits_of(Ids<Id>{ids.data, sizeof(Id)}, length) : bits_of(ids, length);
        (std::is_signed_v<Id> ? negative_ : huge_) |= static_cast<bool>(bits >> 63);
        const std::size_t start = copied_.size();
        for (std::size_t place = 0; copies && place < length; ++place) copied_.push_back(key_of(ids[place]));
        copied_start_ = copied_.size();
        add_row({ids.data, ids.stride, start, length, copies ? IdType::copied : type_of<Id>()}, bits);
    }

    template <class Id>
    static std::uint64_t bits_of(const Ids<Id>& ids, std::size_t length) {
        std::uint64_t bits = 0;
        for (std::size_t place = 0; place < length; ++place) bits |= key_of(ids[place]);
        return bits;
    }

    void add_row(const Row& row, std::uint64_t bits) {
        rows_.push_back(row);
        tokens_ += row.length;
        bits_ |= bits;
    }

    std::vector<Row> rows_;
    std::vector<std::uint64_t> copied_;
    std::size_t copied_start_ = 0;  // of a text that is being added
    std::size_t tokens_ = 0;
    std::uint64_t bits_ = 0;
    bool negative_ = false, huge_ = false;
};

/// A bound of ids with these bits, where a table with a place for each of them costs little beside so many tokens; else 0.
inline std::size_t direct_bound(std::uint64_t bits, std::size_t tokens) {
    constexpr std::size_t WORTH = 8, MOST = std::size_t{1} << 20;
    return bits < std::min(WORTH * tokens, MOST) ? std::bit_ceil(static_cast<std::size_t>(bits) + 1) : 0;
}

/// Texts of ids and what they are held against, as a corpus.
class IdCorpus {
public:
    using Key = std::uint64_t;

    IdTexts candidates, references;
    Grouping grouping;

    std::size_t size() const { return candidates.size(); }
    std::size_t weight() const { return 8 * tokens(); }
    std::size_t bound() const { return direct_bound(candidates.bits() | references.bits(), tokens()); }
    bool surely_longer_than(std::size_t which, std::size_t tokens) const { return candidates.length(which) > tokens; }
    std::size_t slots(std::size_t which) const { return 4 * candidates.length(which); }
    void fetch(std::size_t) const {}

    template <class Sink>
    void read_candidate(std::size_t which, std::string&, Sink&& sink) const {
        candidates.read(which, sink);
    }

    template <class Sink>
    void read_reference(std::size_t which, std::string&, Sink&& sink) const {
        references.read(which, sink);
    }

    /// Whether equal keys mean equal ids throughout.
    bool is_exact() const {
        return !((candidates.has_negative() || references.has_negative()) &&
                 (candidates.has_huge() || references.has_huge()));
    }

private:
    std::size_t tokens() const { return candidates.tokens() + references.tokens(); }
};

/// Every text of a group as candidate, with every text of its group as its one reference: group by group a matrix.
class IdPairs {
public:
    using Key = std::uint64_t;

    IdPairs(const IdTexts& texts, std::size_t group)
        : grouping{group}, texts_(texts), bound_(direct_bound(texts.bits(), texts.tokens())) {
        if (group == 0 || texts.size() % group) throw std::invalid_argument("half a group");
    }

    /// The reference of a pair is one text.
    struct Places {
        std::size_t group;

        std::size_t begin(std::size_t pair) const { return pair / group / group * group + pair % group; }
        std::size_t end(std::size_t pair) const { return begin(pair) + 1; }
    };
    Places grouping;

    std::size_t size() const { return texts_.size() * grouping.group; }
    std::size_t weight() const { return 16 * texts_.tokens() * grouping.group; }
    std::size_t bound() const { return bound_; }
    bool surely_longer_than(std::size_t which, std::size_t tokens) const { return length(which) > tokens; }
    std::size_t slots(std::size_t which) const { return 4 * length(which); }
    void fetch(std::size_t) const {}

    template <class Sink>
    void read_candidate(std::size_t which, std::string&, Sink&& sink) const {
        texts_.read(which / grouping.group, sink);
    }

    template <class Sink>
    void read_reference(std::size_t which, std::string&, Sink&& sink) const {
        texts_.read(which, sink);
    }

private:
    std::size_t length(std::size_t which) const { return texts_.length(which / grouping.group); }

    const IdTexts& texts_;
    std::size_t bound_;
};

}  // namespace bleuprint

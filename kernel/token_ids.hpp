// Token ids: texts that are rows of arrays, read straight from their memory. Ids of every integer type become 64-bit
// keys, equal where the ids are.
#pragma once

#include <algorithm>
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

/// Texts of ids, copied: nobody can change them any more, and they lie side by side where counting finds them.
class IdTexts {
public:
    const Sequences<std::uint64_t>& sequences() const { return texts_; }
    std::size_t size() const { return texts_.starts.size() - 1; }

    /// Whether there was an id below 0, and one that only 64 bits without a sign can hold. The keys of two such ids may
    /// be equal where the ids are not.
    bool has_negative() const { return negative_; }
    bool has_huge() const { return huge_; }

    void add_key(std::uint64_t key) {
        negative_ = negative_ || key >> 63;
        texts_.tokens.push_back(key);
    }
    void end() { texts_.end(); }

    /// Add every row of an array: as many ids of it as `lengths` says, or as `ends` finds.
    template <class Id>
    void add_rows(const IdArray& array, std::span<const std::int64_t> lengths, const RowEnds& ends) {
        const std::size_t rows = array.rows();
        if (!lengths.empty() && lengths.size() != rows) throw std::invalid_argument("every row needs a length");
        texts_.tokens.reserve(texts_.tokens.size() + rows * array.row_length());
        texts_.starts.reserve(texts_.starts.size() + rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const Row<Id> given{array.data + array.start(row) * std::int64_t{sizeof(Id)},
                                array.strides.back() * std::int64_t{sizeof(Id)}};
            std::size_t first = 0, last = array.row_length();
            if (lengths.empty()) {
                find_ends(given, ends, first, last);
            } else if (lengths[row] < 0 || static_cast<std::size_t>(lengths[row]) > last) {
                throw std::invalid_argument("a length beyond its row");
            } else {
                last = static_cast<std::size_t>(lengths[row]);
            }
            add_row(given, first, last);
        }
    }

private:
    template <class Id>
    struct Row {
        const char* data;
        std::int64_t stride;

        Id operator[](std::size_t place) const {
            Id id;
            std::memcpy(&id, data + stride * static_cast<std::int64_t>(place), sizeof id);
            return id;
        }
    };

    template <class Id>
    static void find_ends(const Row<Id>& row, const RowEnds& ends, std::size_t& first, std::size_t& last) {
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
    void add_row(const Row<Id>& row, std::size_t first, std::size_t last) {
        std::uint64_t all = 0;
        const std::size_t before = texts_.tokens.size();
        texts_.tokens.resize(before + (last - first));
        for (std::size_t place = first; place < last; ++place) {
            const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(row[place]));
            all |= key;
            texts_.tokens[before + (place - first)] = key;
        }
        (std::is_signed_v<Id> ? negative_ : huge_) |= static_cast<bool>(all >> 63);
        texts_.end();
    }

    Sequences<std::uint64_t> texts_;
    bool negative_ = false, huge_ = false;
};

/// Texts of ids and what they are held against, as a corpus.
class IdCorpus {
public:
    using Key = std::uint64_t;

    IdTexts candidates, references;
    Grouping grouping;

    std::size_t size() const { return candidates.size(); }
    std::size_t weight() const { return 8 * (tokens_of(candidates) + tokens_of(references)); }
    bool surely_longer_than(std::size_t which, std::size_t tokens) const { return expected_tokens(which) > tokens; }
    std::size_t expected_tokens(std::size_t which) const { return candidates.sequences().length(which); }
    void fetch(std::size_t) const {}

    template <class Sink>
    void read_candidate(std::size_t which, std::string&, Sink&& sink) const {
        candidates.sequences().read(which, sink);
    }

    template <class Sink>
    void read_reference(std::size_t which, std::string&, Sink&& sink) const {
        references.sequences().read(which, sink);
    }

    /// Whether equal keys mean equal ids throughout.
    bool is_exact() const {
        return !((candidates.has_negative() || references.has_negative()) &&
                 (candidates.has_huge() || references.has_huge()));
    }

private:
    static std::size_t tokens_of(const IdTexts& texts) { return texts.sequences().tokens.size(); }
};

/// Every text of a group as candidate, with every text of its group as its one reference: group by group a matrix.
class IdPairs {
public:
    using Key = std::uint64_t;

    IdPairs(const IdTexts& texts, std::size_t group) : grouping{group}, texts_(texts.sequences()) {
        if (group == 0 || texts.size() % group) throw std::invalid_argument("half a group");
    }

    /// The reference of a pair is one text.
    struct Places {
        std::size_t group;

        std::size_t begin(std::size_t pair) const { return pair / group / group * group + pair % group; }
        std::size_t end(std::size_t pair) const { return begin(pair) + 1; }
    };
    Places grouping;

    std::size_t size() const { return (texts_.starts.size() - 1) * grouping.group; }
    std::size_t weight() const { return 16 * texts_.tokens.size() * grouping.group; }
    bool surely_longer_than(std::size_t which, std::size_t tokens) const { return expected_tokens(which) > tokens; }
    std::size_t expected_tokens(std::size_t which) const { return texts_.length(which / grouping.group); }
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
    const Sequences<std::uint64_t>& texts_;
};

}  // namespace bleuprint

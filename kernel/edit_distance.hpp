// Edit distances between words that are moved about and words that stay, with the rows of the current text kept: a text
// that differs from some word on is measured from there.
//
// The definition is TER's: row i of the table is known within a beam of 25 columns on both sides of its diagonal, and
// infinite beyond (`BeamDistance`). A way of d edits leaves the diagonals between 0 and n - m by at most d / 2, so where
// d + |n - m| is small no shortest way comes near the beam's edge. Then the plain distance has the same value and the same
// trace, and 64 columns of it fit into a machine word (Myers 1999, Hyyrö 2003): a bit for each step up or down
// (`BitDistance`). Elsewhere the plain distance is still never longer, and says at once what is no use (`GuidedDistance`).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "interning.hpp"
#include "interrupts.hpp"

namespace bleuprint {

using Words = std::span<const std::uint32_t>;

/// What became of a word: of a moved one but for insertions, which put a staying one in.
enum class EditStep : std::uint8_t { match, substitution, deletion, insertion };

/// The words from `first` to `middle` change places with those from `middle` to `last`.
struct Rotation {
    std::size_t first, middle, last;

    std::size_t shorter() const { return std::min(middle - first, last - middle); }
};

/// Rows of a table between two looks at the clock.
inline constexpr std::size_t MANY_ROWS = 4096;

inline void look_after_many(std::size_t row) {
    if (row % MANY_ROWS == MANY_ROWS - 1) Watch::look();
}

/// Plain edit distance, by bits.
class BitDistance {
public:
    /// So many words that stay; with more of them the beam has fewer cells than this has words.
    static constexpr std::size_t LONGEST = 512;
    /// Whether the beam has the same distance and the same trace.
    static bool equals_beam(std::int64_t distance, std::size_t moved, std::size_t staying) {
        const auto apart = static_cast<std::int64_t>(moved > staying ? moved - staying : staying - moved);
        return distance + apart <= 46;
    }

    /// Begin with other words that stay; `distinct` is the number of different words.
    void begin(Words staying, std::uint32_t distinct) {
        size_ = staying.size();
        blocks_ = std::max<std::size_t>(1, (size_ + 63) / 64);
        masks_.assign(distinct * blocks_, 0);
        for (std::size_t place = 0; place < size_; ++place) {
            masks_[staying[place] * blocks_ + place / 64] |= std::uint64_t{1} << place % 64;
        }
    }

    /// Compute the rows from `from` on, those before being there; give the distance.
    std::int64_t measure(Words moved, std::size_t from) {
        length_ = moved.size();
        if (rows_.size() < (length_ + 1) * blocks_) rows_.resize((length_ + 1) * blocks_);
        if (from == 0) std::fill_n(rows_.begin(), blocks_, Row{~std::uint64_t{0}, 0, 0, 0});
        return distance_ = blocks_ == 1 ? measure_rows<true>(moved, from) : measure_rows<false>(moved, from);
    }

    /// The distance if two parts changed places, or anything from `limit` on where it is not less.
    std::int64_t measure_rotated(Words moved, const Rotation& rotation, std::int64_t limit) {
        // Taking the shorter part out and putting it in again makes one text the other.
        const std::int64_t least = distance_ - 2 * static_cast<std::int64_t>(rotation.shorter());
        if (least >= limit) return least;
        return blocks_ == 1 ? measure_short(moved, rotation) : measure_long(moved, rotation);
    }

    /// Hand out the steps of the best trace, the last one first.
    template <class Visit>
    void trace(Words moved, Visit&& visit) const {
        std::size_t i = moved.size(), j = size_;
        while (i && j) {
            const std::size_t block = (j - 1) / 64;
            const std::uint64_t bit = std::uint64_t{1} << (j - 1) % 64;
            const Row& row = rows_[i * blocks_ + block];
            if (masks_[moved[i - 1] * blocks_ + block] & bit) {
                visit(EditStep::match), --i, --j;
            } else if (!(row.level & bit)) {
                visit(EditStep::substitution), --i, --j;
            } else if (row.lower & bit) {
                visit(EditStep::deletion), --i;
            } else {
                visit(EditStep::insertion), --j;
            }
        }
        for (; i; --i) visit(EditStep::deletion);
        for (; j; --j) visit(EditStep::insertion);
    }

    std::size_t bytes() const { return bytes_of(masks_) + bytes_of(rows_) + bytes_of(state_); }

private:
    /// 64 columns of a row: where it rises and falls by one from the column before, and, for the trace, where it is level
    /// with the cell diagonally above and where it is one more than the cell above.
    struct Row {
        std::uint64_t rises, falls, level, lower;
    };

    /// What enters a block from the one before, in the lowest bit.
    struct Carry {
        std::uint64_t lower = 1, higher = 0;  // the first column grows by one with every row
    };

    static void step(std::uint64_t mask, Row& row, Carry& carry) {
        const std::uint64_t equal = mask | carry.higher;
        row.level = (((equal & row.rises) + row.rises) ^ row.rises) | equal | row.falls;
        row.lower = row.falls | ~(row.level | row.rises);
        const std::uint64_t higher = row.level & row.rises;
        const std::uint64_t lower_before = row.lower << 1 | carry.lower, higher_before = higher << 1 | carry.higher;
        carry = {row.lower >> 63, higher >> 63};
        row.rises = higher_before | ~(row.level | lower_before);
        row.falls = row.level & lower_before;
    }

    /// How much a block of a row rises in all; only the last may be partly used.
    std::int64_t height(const Row& row, std::size_t block) const {
        const std::size_t used = std::min<std::size_t>(64, size_ - 64 * block);
        const std::uint64_t kept = used == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1;
        return std::popcount(row.rises & kept) - std::popcount(row.falls & kept);
    }

    std::int64_t distance_at(const Row* row) const {
        auto distance = static_cast<std::int64_t>(length_);
        for (std::size_t block = 0; block < blocks_; ++block) distance += height(row[block], block);
        return distance;
    }

    template <bool short_text>
    std::int64_t measure_rows(Words moved, std::size_t from) {
        const std::size_t blocks = short_text ? 1 : blocks_;
        for (std::size_t i = from; i < length_; ++i) {
            const std::uint64_t* const masks = masks_.data() + moved[i] * blocks;
            Carry carry;
            for (std::size_t block = 0; block < blocks; ++block) {
                Row row = rows_[i * blocks + block];
                step(masks[block], row, carry);
                rows_[(i + 1) * blocks + block] = row;
            }
        }
        return distance_at(rows_.data() + length_ * blocks_);
    }

    std::int64_t measure_short(Words moved, const Rotation& rotation) const {
        Row row = rows_[rotation.first];
        const auto take = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                Carry carry;
                step(masks_[moved[i]], row, carry);
            }
        };
        take(rotation.middle, rotation.last);
        take(rotation.first, rotation.middle);
        take(rotation.last, length_);
        return distance_at(&row);
    }

    std::int64_t measure_long(Words moved, const Rotation& rotation) {
        const auto start = rows_.begin() + static_cast<std::ptrdiff_t>(rotation.first * blocks_);
        state_.assign(start, start + static_cast<std::ptrdiff_t>(blocks_));
        const auto take = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const std::uint64_t* const masks = masks_.data() + moved[i] * blocks_;
                Carry carry;
                for (std::size_t block = 0; block < blocks_; ++block) step(masks[block], state_[block], carry);
            }
        };
        take(rotation.middle, rotation.last);
        take(rotation.first, rotation.middle);
        take(rotation.last, length_);
        return distance_at(state_.data());
    }

    std::size_t size_ = 0, length_ = 0, blocks_ = 1;
    std::int64_t distance_ = 0;
    std::vector<std::uint64_t> masks_;  // for each word, the places where it stands
    std::vector<Row> rows_;             // of the current text
    std::vector<Row> state_;
};

/// Edit distance within the beam, cell by cell.
class BeamDistance {
public:
    void begin(Words staying) {
        staying_ = staying;
        for (auto known = static_cast<std::int32_t>(first_row_.size()); first_row_.size() <= staying.size(); ++known) {
            first_row_.push_back(known);
        }
    }

    std::int64_t measure(Words moved, std::size_t from) {
        if (from == 0) lay_out(moved.size());
        for (std::size_t i = from; i < length_; ++i) {
            fill(row(i), moved[i], bands_[i + 1], cells_.data() + bands_[i + 1].start);
            look_after_many(i);
        }
        return row(length_).at(staying_.size());
    }

    std::int64_t measure_rotated(Words moved, const Rotation& rotation, std::int64_t) {
        Watch::look();
        KnownRow before = row(rotation.first);
        std::size_t done = rotation.first;
        const auto take = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                std::vector<std::int32_t>& into = scratch_[done % 2];
                const Band& band = bands_[++done];
                if (into.size() < band.size()) into.resize(band.size());
                fill(before, moved[i], band, into.data());
                before = {into.data(), band};
                look_after_many(i);
            }
        };
        take(rotation.middle, rotation.last);
        take(rotation.first, rotation.middle);
        while (done < length_) {
            // Rows that differ by the same number everywhere go on doing so.
            if (const KnownRow kept = row(done); is_parallel(before, kept)) {
                return row(length_).at(staying_.size()) + before.cells[0] - kept.cells[0];
            }
            take(done, std::min(length_, done + ROWS_BETWEEN));
        }
        return before.at(staying_.size());
    }

    template <class Visit>
    void trace(Words moved, Visit&& visit) const {
        std::size_t i = moved.size(), j = staying_.size();
        while (i && j) {
            const KnownRow here = row(i), above = row(i - 1);
            const std::int32_t cost = here.at(j);
            const bool equal = moved[i - 1] == staying_[j - 1];
            if (above.at(j - 1) + !equal == cost) {
                visit(equal ? EditStep::match : EditStep::substitution), --i, --j;
            } else if (above.at(j) + 1 == cost) {
                visit(EditStep::deletion), --i;
            } else {
                visit(EditStep::insertion), --j;
            }
        }
        for (; i; --i) visit(EditStep::deletion);
        for (; j; --j) visit(EditStep::insertion);
    }

    std::size_t bytes() const {
        return bytes_of(first_row_) + bytes_of(bands_) + bytes_of(cells_) + bytes_of(scratch_[0]) + bytes_of(scratch_[1]);
    }

private:
    static constexpr std::int32_t INFINITE = 1 << 30;
    static constexpr std::size_t ROWS_BETWEEN = 8;

    /// The columns of a row that are known, from `low` up to `high`, and where they lie.
    struct Band {
        std::size_t low, high, start;

        std::size_t size() const { return high - low; }
    };

    struct KnownRow {
        const std::int32_t* cells;
        Band band;

        std::int32_t at(std::size_t column) const {
            return column >= band.low && column < band.high ? cells[column - band.low] : INFINITE;
        }
    };

    KnownRow row(std::size_t i) const {
        if (i == 0) return {first_row_.data(), bands_[0]};
        return {cells_.data() + bands_[i].start, bands_[i]};
    }

    /// Settle which columns each row has, in the floats of the definition.
    void lay_out(std::size_t length) {
        length_ = length;
        const std::size_t columns = staying_.size() + 1;
        bands_.assign(1, {0, columns, 0});
        const double ratio = length ? static_cast<double>(staying_.size()) / static_cast<double>(length) : 1.0;
        const auto width = static_cast<std::size_t>(25 < ratio / 2 ? std::ceil(ratio / 2 + 25) : 25);
        std::size_t start = 0;
        for (std::size_t i = 1; i <= length; ++i) {
            const auto middle = static_cast<std::size_t>(std::floor(static_cast<double>(i) * ratio));
            const std::size_t high = i == length ? columns : std::min(columns, middle + width);
            bands_.push_back({middle > width ? middle - width : 0, high, start});
            start += bands_.back().size();
        }
        if (cells_.size() < start) cells_.resize(start);
    }

    void fill(const KnownRow& above, std::uint32_t word, const Band& band, std::int32_t* cells) const {
        std::size_t column = band.low;
        std::int32_t left = INFINITE;
        if (column == 0) {
            left = *cells++ = above.at(0) + 1;
            ++column;
        }
        std::int32_t diagonal = above.at(column - 1);
        const std::size_t shared = std::min(band.high, above.band.high);
        for (; column < shared; ++column) {
            const std::int32_t straight = above.cells[column - above.band.low];
            left = std::min(diagonal + (word != staying_[column - 1]), 1 + std::min(straight, left));
            *cells++ = left;
            diagonal = straight;
        }
        for (; column < band.high; ++column) {  // nothing above
            left = std::min(diagonal + (word != staying_[column - 1]), 1 + left);
            *cells++ = left;
            diagonal = INFINITE;
        }
    }

    static bool is_parallel(const KnownRow& one, const KnownRow& other) {
        const std::int32_t apart = one.cells[0] - other.cells[0];
        for (std::size_t column = 0; column < one.band.size(); ++column) {
            if (one.cells[column] - other.cells[column] != apart) return false;
        }
        return true;
    }

    Words staying_;
    std::size_t length_ = 0;
    std::vector<std::int32_t> first_row_;
    std::vector<Band> bands_;
    std::vector<std::int32_t> cells_;  // of the current text, row after row
    std::array<std::vector<std::int32_t>, 2> scratch_;
};

/// Edit distance within the beam, which is not measured where the plain one is long enough.
class GuidedDistance {
public:
    GuidedDistance(BitDistance& bits, BeamDistance& beam) : bits_(bits), beam_(beam) {}

    std::int64_t measure(Words moved, std::size_t from) {
        bits_.measure(moved, from);
        return beam_.measure(moved, from);
    }

    std::int64_t measure_rotated(Words moved, const Rotation& rotation, std::int64_t limit) {
        const std::int64_t plain = bits_.measure_rotated(moved, rotation, limit);
        return plain >= limit ? plain : beam_.measure_rotated(moved, rotation, limit);
    }

    template <class Visit>
    void trace(Words moved, Visit&& visit) const {
        beam_.trace(moved, visit);
    }

private:
    BitDistance& bits_;
    BeamDistance& beam_;
};

}  // namespace bleuprint

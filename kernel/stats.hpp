// Statistics: rows of whole numbers (candidate length, reference length, matches, totals), and sums over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace bleuprint {

inline std::size_t row_width(int order) { return 2 + 2 * static_cast<std::size_t>(order); }

/// One row of a table, by the names of its parts.
struct Row {
    std::int64_t* numbers;
    int order;
    std::int64_t* plain = nullptr;  // beside it, where they are asked for: the matches of each order without clipping

    std::int64_t& candidate_length() const { return numbers[0]; }
    std::int64_t& reference_length() const { return numbers[1]; }
    std::int64_t* matches() const { return numbers + 2; }
    std::int64_t* totals() const { return numbers + 2 + order; }
};

/// Add a row of numbers to sums of them; the sign bit of what comes back is set where a sum has more than 64 bits.
inline std::int64_t add_row(const std::int64_t* numbers, std::size_t width, std::int64_t* sums) {
    std::int64_t overflowed = 0;
    for (std::size_t column = 0; column < width; ++column) {
        const std::int64_t a = sums[column], b = numbers[column];
        const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
        overflowed |= (a ^ sum) & (b ^ sum);
        sums[column] = sum;
    }
    return overflowed;
}

/// Sums beyond 64 bits are refused; Python can hold them.
inline void refuse_overflow(std::int64_t overflowed) {
    if (overflowed < 0) throw std::overflow_error("a sum has more than 64 bits");
}

/// What a float can count to: the formulas divide floats, where Python divides whole numbers of any size.
inline constexpr std::int64_t EXACT = std::int64_t{1} << 53;

/// Rows with a number below 0, or one that a float may not hold, are refused; Python can divide them.
inline void refuse_inexact(const std::int64_t* numbers, std::size_t count) {
    std::uint64_t bits = 0;
    for (std::size_t place = 0; place < count; ++place) bits |= static_cast<std::uint64_t>(numbers[place]);
    if (bits > static_cast<std::uint64_t>(EXACT)) throw std::overflow_error("a number has more than 53 bits, or is below 0");
}

/// Sum every column.
inline std::vector<std::int64_t> sum_rows(std::span<const std::int64_t> numbers, std::size_t width) {
    std::vector<std::int64_t> sums(width);
    std::int64_t overflowed = 0;
    for (std::size_t start = 0; start < numbers.size(); start += width) {
        overflowed |= add_row(numbers.data() + start, width, sums.data());
    }
    refuse_overflow(overflowed);
    return sums;
}

/// What a census asks of a row: whether it has less than `bound` in a column.
struct Threshold {
    std::size_t column;
    std::int64_t bound;
};

inline void add_to_census(const std::int64_t* row, std::span<const Threshold> thresholds, std::int64_t* census) {
    for (const Threshold& threshold : thresholds) *census++ += row[threshold.column] < threshold.bound;
}

inline void check_thresholds(std::span<const Threshold> thresholds, std::size_t width) {
    for (const Threshold& threshold : thresholds) {
        if (threshold.column >= width) throw std::invalid_argument("there are not so many columns");
    }
}

/// Count the rows below each threshold.
inline std::vector<std::int64_t> take_census(std::span<const std::int64_t> numbers, std::size_t width,
                                             std::span<const Threshold> thresholds) {
    check_thresholds(thresholds, width);
    std::vector<std::int64_t> census(thresholds.size());
    for (std::size_t start = 0; start + width <= numbers.size(); start += width) {
        add_to_census(numbers.data() + start, thresholds, census.data());
    }
    return census;
}

/// Sum the rows of each group, and take its census (with the number of its segments first). There is room for
/// `count` groups, filled with zeros.
inline void sum_groups(std::span<const std::int64_t> numbers, std::size_t width, std::span<const Threshold> thresholds,
                       std::span<const std::int64_t> groups, std::size_t count, std::int64_t* sums,
                       std::int64_t* census) {
    check_thresholds(thresholds, width);
    const std::size_t census_width = 1 + thresholds.size();
    if (numbers.size() != groups.size() * width) throw std::invalid_argument("every row needs a group");
    std::int64_t overflowed = 0;
    for (std::size_t place = 0; place < groups.size(); ++place) {
        const auto group = static_cast<std::size_t>(groups[place]);
        if (group >= count) throw std::invalid_argument("there are not so many groups");
        const std::int64_t* const row = numbers.data() + place * width;
        overflowed |= add_row(row, width, sums + group * width);
        ++census[group * census_width];
        add_to_census(row, thresholds, census + group * census_width + 1);
    }
    refuse_overflow(overflowed);
}

}  // namespace bleuprint

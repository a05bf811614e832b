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

    std::int64_t& candidate_length() const { return numbers[0]; }
    std::int64_t& reference_length() const { return numbers[1]; }
    std::int64_t* matches() const { return numbers + 2; }
    std::int64_t* totals() const { return numbers + 2 + order; }
};

/// Sum every column. Sums beyond 64 bits are refused; Python can hold them.
inline std::vector<std::int64_t> sum_rows(std::span<const std::int64_t> numbers, std::size_t width) {
    std::vector<std::int64_t> sums(width);
    std::int64_t overflowed = 0;  // its sign bit
    for (std::size_t start = 0; start < numbers.size(); start += width) {
        for (std::size_t column = 0; column < width; ++column) {
            const std::int64_t a = sums[column], b = numbers[start + column];
            const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
            overflowed |= (a ^ sum) & (b ^ sum);
            sums[column] = sum;
        }
    }
    if (overflowed < 0) throw std::overflow_error("a sum has more than 64 bits");
    return sums;
}

/// For each order the segments whose candidate is shorter, then the segments with a reference length of 0.
inline std::vector<std::int64_t> take_census(std::span<const std::int64_t> numbers, int order) {
    std::vector<std::int64_t> found(static_cast<std::size_t>(order) + 1);
    for (std::size_t start = 0; start < numbers.size(); start += row_width(order)) {
        for (std::int64_t n = numbers[start]; n >= 0 && n < order; ++n) ++found[static_cast<std::size_t>(n)];
        found[static_cast<std::size_t>(order)] += numbers[start + 1] == 0;
    }
    return found;
}

}  // namespace bleuprint

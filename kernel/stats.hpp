// Statistics: rows of whole numbers (candidate length, reference length, matches, totals), and sums over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
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

inline std::vector<std::int64_t> sum_rows(std::span<const std::int64_t> numbers, std::size_t width) {
    std::vector<std::int64_t> sums(width);
    for (std::size_t start = 0; start < numbers.size(); start += width) {
        for (std::size_t column = 0; column < width; ++column) sums[column] += numbers[start + column];
    }
    return sums;
}

/// For each order the segments whose candidate is shorter, then the segments with a reference length of 0.
inline std::vector<std::int64_t> take_census(std::span<const std::int64_t> numbers, int order) {
    std::vector<std::int64_t> found(static_cast<std::size_t>(order) + 1);
    for (std::size_t start = 0; start < numbers.size(); start += row_width(order)) {
        for (std::int64_t n = numbers[start]; n < order; ++n) ++found[static_cast<std::size_t>(n)];
        found[static_cast<std::size_t>(order)] += numbers[start + 1] == 0;
    }
    return found;
}

}  // namespace bleuprint

// Smoothing: the precision of each order, by the operations of formula.py in the same sequence.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stats.hpp"

namespace bleuprint {

enum class SmoothingKind { none, epsilon, floor, add_k, add_k_all, exp, nltk_method4 };

struct Smoothing {
    SmoothingKind kind = SmoothingKind::none;
    double value = 0;
};

/// A precision, or nothing for an order without n-grams that no rule has filled.
struct Precision {
    double value;
    bool absent;
};

inline Precision plain_precision(std::int64_t matches, std::int64_t total) {
    return total ? Precision{static_cast<double>(matches) / static_cast<double>(total), false} : Precision{0, true};
}

/// Give a precision to the `unmatched`-th order without a match.
inline Precision fill_precision(std::int64_t total, int unmatched, std::int64_t length, const Smoothing& smoothing) {
    const auto whole = static_cast<double>(total);
    switch (smoothing.kind) {
        case SmoothingKind::epsilon:
            return {smoothing.value / std::max(1.0, whole), false};
        case SmoothingKind::floor:
            if (total) return {smoothing.value / whole, false};
            break;
        case SmoothingKind::exp:
            if (total) return {1 / std::ldexp(whole, unmatched), false};
            break;
        case SmoothingKind::nltk_method4:
            if (total && length > 1) {
                const double divisor = std::ldexp(1.0, unmatched) * smoothing.value;
                return {1 / (divisor / std::log(static_cast<double>(length))) / whole, false};
            }
            break;
        default:
            break;
    }
    return plain_precision(0, total);
}

/// The precision of order `n`; `unmatched` counts the orders without a match so far.
inline Precision smooth(const Row& row, int n, const Smoothing& smoothing, int& unmatched) {
    const std::int64_t matches = row.matches()[n - 1], total = row.totals()[n - 1];
    const bool adds = smoothing.kind == SmoothingKind::add_k_all || (smoothing.kind == SmoothingKind::add_k && n > 1);
    if (adds) {
        return {(static_cast<double>(matches) + smoothing.value) / (static_cast<double>(total) + smoothing.value), false};
    }
    if (matches || smoothing.kind == SmoothingKind::none) return plain_precision(matches, total);
    return fill_precision(total, ++unmatched, row.candidate_length(), smoothing);
}

}  // namespace bleuprint

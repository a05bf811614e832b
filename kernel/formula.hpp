// The formula, for bulk work: the operations of formula.py in the same sequence, without contraction, so that every
// score equals the one that Python computes, bit for bit. For a single score Python computes it.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "interrupts.hpp"
#include "smoothing.hpp"
#include "stats.hpp"

namespace bleuprint {

enum class AbsentOrder { zero, drop, one };
enum class UnmatchedOrder { zero, smallest_float, skip };
enum class NothingMatches { zero, zero_if_any, smoothed };

/// The part of a recipe that turns counts into a score.
struct Formula {
    std::vector<double> weights;
    Smoothing smoothing;
    AbsentOrder absent = AbsentOrder::zero;
    UnmatchedOrder unmatched = UnmatchedOrder::zero;
    NothingMatches nothing = NothingMatches::zero;

    int order() const { return static_cast<int>(weights.size()); }
};

inline double brevity(std::int64_t candidate_length, std::int64_t reference_length) {
    if (candidate_length == 0) return 0.0;
    if (candidate_length >= reference_length) return 1.0;
    return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(candidate_length));
}

/// Settle what smoothing left open.
inline Precision settle(Precision precision, const Formula& formula) {
    if (precision.absent) {
        if (formula.absent == AbsentOrder::drop) return precision;
        return {formula.absent == AbsentOrder::one ? 1.0 : 0.0, false};
    }
    if (precision.value == 0.0) {
        if (formula.unmatched == UnmatchedOrder::smallest_float) return {std::numeric_limits<double>::min(), false};
        if (formula.unmatched == UnmatchedOrder::skip) return {1.0, false};
    }
    return precision;
}

/// The geometric mean, 0 where the score is 0 before the formula is reached (but for an empty reference).
/// `settled` is room for one precision per order.
inline double geometric_mean(const Row& row, const Formula& formula, std::vector<Precision>& settled) {
    const int order = formula.order();
    if (row.candidate_length() == 0) return 0.0;
    bool any = false, all = true;
    for (int n = 0; n < order; ++n) {
        any = any || row.matches()[n];
        all = all && row.matches()[n];
    }
    if (!any && formula.nothing != NothingMatches::smoothed) return 0.0;
    if (!all && formula.nothing == NothingMatches::zero_if_any) return 0.0;
    settled.clear();
    double kept = 0.0, whole = 0.0;
    int unmatched = 0;
    for (int n = 1; n <= order; ++n) {
        settled.push_back(settle(smooth(row, n, formula.smoothing, unmatched), formula));
        const double weight = formula.weights[static_cast<std::size_t>(n - 1)];
        whole += weight;
        kept += settled.back().absent ? 0.0 : weight;
    }
    double log_mean = 0.0;
    bool weighted = false;
    for (std::size_t place = 0; place < settled.size(); ++place) {
        const double weight = formula.weights[place];
        const double used = settled[place].absent || kept == 0.0 ? 0.0 : kept == whole ? weight : weight / kept * whole;
        if (used == 0.0) continue;
        weighted = true;
        const double value = settled[place].value;
        log_mean += used * (value != 0.0 ? std::log(value) : -std::numeric_limits<double>::infinity());
    }
    return weighted ? std::exp(log_mean) : 0.0;
}

/// Whether there is nothing to score against: the one case in which the geometric mean depends on the reference.
inline bool reference_is_empty(const Row& row, int order) {
    if (row.reference_length() != 0) return false;
    for (int n = 0; n < order; ++n) {
        if (row.matches()[n]) return false;
    }
    return true;
}

/// BLEU on 0 to 1.
inline double fraction(const Row& row, const Formula& formula, std::vector<Precision>& settled) {
    if (reference_is_empty(row, formula.order())) return 0.0;
    return brevity(row.candidate_length(), row.reference_length()) * geometric_mean(row, formula, settled);
}

/// Score every row of a table whose rows have `table_order` orders, on 0 to 100.
inline void score_rows(const std::int64_t* numbers, std::size_t rows, int table_order, const Formula& formula,
                       double* scores) {
    const int order = formula.order();
    std::vector<std::int64_t> kept(row_width(order));
    std::vector<Precision> settled;
    for (std::size_t which = 0; which < rows; ++which) {
        if (which % A_WHILE == 0) Watch::look();
        const std::int64_t* from = numbers + which * row_width(table_order);
        refuse_inexact(from, row_width(table_order));
        std::copy_n(from, 2 + order, kept.begin());
        std::copy_n(from + 2 + table_order, order, kept.begin() + 2 + order);
        scores[which] = 100.0 * fraction(Row{kept.data(), order}, formula, settled);
    }
}

}  // namespace bleuprint

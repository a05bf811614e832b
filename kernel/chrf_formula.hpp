// chrF's formula: the operations of metrics/chrf/formula.py in the same sequence, without contraction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interrupts.hpp"
#include "resampling.hpp"

namespace bleuprint {

inline std::size_t chrf_width(std::size_t orders) { return 2 + 3 * orders; }

/// One row of chrF: two lengths, then three numbers for each order.
struct ChrfRow {
    std::int64_t* numbers;
    std::size_t orders;

    std::int64_t& candidate_length() const { return numbers[0]; }
    std::int64_t& reference_length() const { return numbers[1]; }
    std::int64_t* matches() const { return numbers + 2; }
    std::int64_t* candidate() const { return numbers + 2 + orders; }
    std::int64_t* reference() const { return numbers + 2 + 2 * orders; }
};

enum class Averaging { effective_order, each_order, each_order_eps, each_order_nltk };

struct ChrfFormula {
    double beta = 2.0;
    Averaging averaging = Averaging::effective_order;

    /// The score of a row, on 0 to 100.
    double score(ChrfRow row) const { return score_counts(row.matches(), row.orders); }

    /// The same from the counts alone: matches, then n-grams of the candidate, then those of the reference.
    double score_counts(const std::int64_t* matches, std::size_t orders) const {
        const std::int64_t *const candidate = matches + orders, *const reference = candidate + orders;
        if (averaging == Averaging::effective_order) return score_effective_order(matches, candidate, reference, orders);
        double total = 0.0;
        for (std::size_t n = 0; n < orders; ++n) total += score_order(matches[n], candidate[n], reference[n]);
        return 100.0 * total / static_cast<double>(orders);
    }

private:
    static constexpr double EPSILON = 1e-16;

    static double quotient(std::int64_t part, std::int64_t whole) {
        return static_cast<double>(part) / static_cast<double>(whole);
    }

    /// F of a precision and a recall; `nothing` where both are 0.
    static double weigh(double precision, double recall, double factor, double nothing) {
        const double below = factor * precision + recall;
        return below > 0.0 ? (1.0 + factor) * precision * recall / below : nothing;
    }

    double score_effective_order(const std::int64_t* matches, const std::int64_t* candidate,
                                 const std::int64_t* reference, std::size_t orders) const {
        double precision = 0.0, recall = 0.0, counted = 0.0;
        for (std::size_t n = 0; n < orders; ++n) {
            if (!candidate[n] || !reference[n]) continue;
            precision += quotient(matches[n], candidate[n]);
            recall += quotient(matches[n], reference[n]);
            counted += 1.0;
        }
        if (counted == 0.0) return 0.0;
        return 100.0 * weigh(precision / counted, recall / counted, beta * beta, 0.0);
    }

    double score_order(std::int64_t matches, std::int64_t candidate, std::int64_t reference) const {
        if (averaging == Averaging::each_order_eps) {
            const double precision = candidate ? quotient(matches, candidate) : EPSILON;
            const double recall = reference ? quotient(matches, reference) : EPSILON;
            return weigh(precision, recall, beta * beta, EPSILON);
        }
        const double nothing = averaging == Averaging::each_order_nltk ? EPSILON : 0.0;
        if (!candidate || !reference) return nothing;
        return weigh(quotient(matches, candidate), quotient(matches, reference), beta * beta, nothing);
    }
};

/// Score every row on its own.
inline void score_chrf_rows(const std::int64_t* rows, std::size_t count, std::size_t orders, const ChrfFormula& formula,
                            double* scores) {
    for (std::size_t row = 0; row < count; ++row) {
        if (row % A_WHILE == 0) Watch::look();
        const std::int64_t* from = rows + row * chrf_width(orders);
        refuse_inexact(from, chrf_width(orders));
        scores[row] = formula.score_counts(from + 2, orders);
    }
}

/// The formula for resampling: the two lengths are not needed.
struct ChrfScorer {
    ChrfFormula formula;
    std::size_t orders;

    Selection columns(std::size_t width) const {
        Selection columns;
        for (std::size_t column = 2; column < width; ++column) columns.push_back(column);
        return columns;
    }

    double score(const std::int64_t* counts) const { return formula.score_counts(counts, orders); }
};

}  // namespace bleuprint

// TER's formula: the operations of metrics/ter/formula.py, on whole numbers that floats hold exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "interrupts.hpp"
#include "resampling.hpp"

namespace bleuprint {

/// Two lengths, then insertions, deletions, substitutions and shifts.
inline constexpr std::size_t TER_WIDTH = 6;

/// Lengths are averages over up to 16 references, in parts of a word that each of these numbers divides.
inline constexpr std::int64_t LENGTH_PARTS = 720720;
inline constexpr std::size_t MOST_REFERENCES = 16;

/// Edits for a word, from the length of the references and the four kinds of edits.
inline double divide_ter_counts(const std::int64_t* counts) {
    std::int64_t edits = 0;
    for (std::size_t kind = 1; kind < 5; ++kind) {
        if (counts[kind] < 0 || counts[kind] > EXACT) throw std::overflow_error("more edits than a float counts");
        edits += counts[kind];
    }
    const std::int64_t length = counts[0];
    if (length == 0) return edits ? 1.0 : 0.0;
    if (edits > EXACT / LENGTH_PARTS || length < 0 || length > EXACT) throw std::overflow_error("more words than a float counts");
    return static_cast<double>(edits * LENGTH_PARTS) / static_cast<double>(length);
}

/// The score, on 0 to 100.
inline double score_ter_counts(const std::int64_t* counts) { return 100.0 * divide_ter_counts(counts); }

/// Score every row on its own.
inline void score_ter_rows(const std::int64_t* rows, std::size_t count, double* scores) {
    for (std::size_t row = 0; row < count; ++row) {
        if (row % A_WHILE == 0) Watch::look();
        scores[row] = score_ter_counts(rows + row * TER_WIDTH + 1);
    }
}

/// The formula for resampling: the candidate's length is not needed.
struct TerScorer {
    Selection columns(std::size_t) const { return {1, 2, 3, 4, 5}; }

    double score(const std::int64_t* counts) const { return score_ter_counts(counts); }
};

}  // namespace bleuprint

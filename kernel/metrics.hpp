// The metrics as the borders of the kernel see them: one class for each, made from the options of a recipe, with equal members.
// A metric leaves out what it does not have, and the borders then do not offer it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "among_themselves.hpp"
#include "choices.hpp"
#include "chrf.hpp"
#include "engine.hpp"
#include "formula.hpp"
#include "pairs.hpp"
#include "resampling.hpp"
#include "scratch.hpp"
#include "ter.hpp"

namespace bleuprint {

/// The values of a recipe's options, by name and as numbers, in the order in which a metric lists them.
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

/// An order, or another small number.
inline int as_small(double number) {
    if (!(number >= 0 && number <= 1'000'000)) throw std::invalid_argument("a number of other size is due here");
    return static_cast<int>(number);
}

inline void check_options(const Names& names, std::size_t most_names, const Numbers& numbers, std::size_t least_numbers) {
    if (names.size() != most_names || numbers.size() < least_numbers) throw std::invalid_argument("other options are due here");
}

/// A score on 0 to 100, and on 0 to 1.
struct Scored {
    double score, fraction;
};

/// BLEU. The formula is left out if the kernel does not know it.
class BleuKernel {
public:
    using Scratch = bleuprint::Scratch<TextCorpus>;
    static constexpr std::size_t WEIGHT = 1;  // how much longer than others it takes for the same texts
    static constexpr std::size_t MOST_REFERENCES = SIZE_MAX;

    /// Names: tokenizer, rule for lengths, totals of a segment; then smoothing, absent order, unmatched order, nothing
    /// matches. Numbers: the order; then the value of the smoothing and the weights.
    BleuKernel(const Names& names, const Numbers& numbers) {
        const bool has_formula = names.size() > 3;
        check_options(names, has_formula ? 7 : 3, numbers, has_formula ? 3 : 1);
        tokenizer_ = tokenizer_named(names[0]);
        counting_ = make_counting(names[1], choose<bool>(names[2], {{"exact", false}, {"at-least-1", true}}), as_small(numbers[0]));
        if (!has_formula) return;
        formula_ = make_formula({numbers.begin() + 2, numbers.end()}, names[3], numbers[1], names[4], names[5], names[6]);
        if (formula_.order() != counting_.order) throw std::invalid_argument("every order has a weight");
    }

    Tokenizer tokenizer() const { return tokenizer_; }
    const Counting& counting() const { return counting_; }
    std::size_t orders() const { return static_cast<std::size_t>(counting_.order); }
    std::size_t width() const { return row_width(counting_.order); }

    template <class Corpus>
    std::uint64_t count(const Corpus& corpus, std::int64_t* rows, std::size_t threads, std::int64_t* plain = nullptr) const {
        return count_segments(corpus, counting_, rows, threads, plain);
    }

    /// Count and score the only segment of a corpus.
    Scored score(Scratch& scratch) const {
        const Row row = scratch.row(counting_.order);
        count_segment(scratch.corpus, 0, counting_, row, scratch.space);
        const double scored = fraction(row, formula(), scratch.settled);
        return {100.0 * scored, scored};
    }

    /// The formula for rows of so many columns: a table may have more orders than it needs.
    BleuScorer scorer(std::size_t width) const {
        if (width < this->width() || width % 2) throw std::invalid_argument("the table has too few orders");
        return BleuScorer(formula());
    }

    void score_rows(const std::int64_t* rows, std::size_t count, std::size_t width, double* scores) const {
        scorer(width);
        bleuprint::score_rows(rows, count, static_cast<int>(width / 2) - 1, formula_, scores);
    }

    void score_pairs(const TextCorpus& corpus, double* scores, std::size_t threads) const {
        bleuprint::score_pairs(corpus.candidates, corpus.references, corpus.grouping, tokenizer_, counting_, formula(), scores, threads);
    }

    void score_among_themselves(const std::vector<std::string_view>& texts, double* scores, std::size_t threads) const {
        bleuprint::score_among_themselves(texts, tokenizer_, counting_, formula(), scores, threads);
    }

private:
    const Formula& formula() const {
        if (formula_.weights.empty()) throw std::invalid_argument("the kernel does not know this formula");
        return formula_;
    }

    Tokenizer tokenizer_;
    Counting counting_;
    Formula formula_;
};

class ChrfKernel {
public:
    using Scratch = ChrfScratch;
    static constexpr std::size_t WEIGHT = 1;
    static constexpr std::size_t MOST_REFERENCES = SIZE_MAX;

    /// Names: white space, totals of the candidate, a segment without a match, averaging. Numbers: the orders of characters
    /// and of words, beta.
    ChrfKernel(const Names& names, const Numbers& numbers) {
        check_options(names, 4, numbers, 3);
        counting_ = make_chrf_counting(as_small(numbers[0]), as_small(numbers[1]), names[0], names[1], names[2],
                                       numbers[2], names[3]);
    }

    Tokenizer tokenizer() const { return Tokenizer::whitespace; }
    std::size_t orders() const { return counting_.orders(); }
    std::size_t width() const { return chrf_width(orders()); }

    std::uint64_t count(const TextCorpus& corpus, std::int64_t* rows, std::size_t threads, std::int64_t* plain = nullptr) const {
        return count_chrf(corpus, counting_, rows, threads, plain);
    }

    Scored score(Scratch& scratch) const {
        scratch.numbers.resize(width());
        scratch.counter.settle(counting_);
        const double scored = scratch.counter.count(scratch.corpus, 0, scratch.numbers.data());
        return {scored, scored / 100.0};
    }

    ChrfScorer scorer(std::size_t width) const {
        if (width != this->width()) throw std::invalid_argument("the table has other orders");
        return {counting_.formula, orders()};
    }

    void score_rows(const std::int64_t* rows, std::size_t count, std::size_t width, double* scores) const {
        scorer(width);
        score_chrf_rows(rows, count, orders(), counting_.formula, scores);
    }

    void score_pairs(const TextCorpus& corpus, double* scores, std::size_t threads) const {
        score_chrf_pairs(corpus, counting_, scores, threads);
    }

private:
    ChrfCounting counting_;
};

/// TER of texts with white space between their words.
class TerKernel {
public:
    using Scratch = TerScratch;
    static constexpr std::size_t WEIGHT = WEIGHT_OF_SHIFTS;
    static constexpr std::size_t MOST_REFERENCES = bleuprint::MOST_REFERENCES;

    /// Names: whose words are shifted, what an empty candidate costs. Numbers: the longest shift.
    TerKernel(const Names& names, const Numbers& numbers) {
        check_options(names, 2, numbers, 1);
        if (!(numbers[0] >= 0 && numbers[0] <= MOST_MOVED)) throw std::invalid_argument("shifts of up to 1,000 words are due here");
        counting_ = {choose<bool>(names[0], {{"candidate", false}, {"reference", true}}), static_cast<std::size_t>(numbers[0]),
                     choose<bool>(names[1], {{"insertions", false}, {"no-edits", true}})};
    }

    Tokenizer tokenizer() const { return Tokenizer::whitespace; }
    std::size_t width() const { return TER_WIDTH; }

    std::uint64_t count(const TextCorpus& corpus, std::int64_t* rows, std::size_t threads) const {
        count_ter(corpus, counting_, rows, threads);
        return 0;
    }

    Scored score(Scratch& scratch) const {
        scratch.numbers.resize(TER_WIDTH);
        count_ter_segment(scratch.corpus, 0, counting_, scratch.numbers.data(), scratch.space);
        const double scored = divide_ter_counts(scratch.numbers.data() + 1);
        return {100.0 * scored, scored};
    }

    TerScorer scorer(std::size_t width) const {
        if (width != TER_WIDTH) throw std::invalid_argument("the table has other columns");
        return {};
    }

    void score_rows(const std::int64_t* rows, std::size_t count, std::size_t width, double* scores) const {
        scorer(width);
        score_ter_rows(rows, count, scores);
    }

    /// Find how words become others; they are numbered from 0 up to `distinct`.
    SearchTrace trace(Words moved, Words staying, std::size_t distinct) const {
        if (distinct > moved.size() + staying.size() || distinct > UINT32_MAX || !are_below(moved, distinct) ||
            !are_below(staying, distinct)) {
            throw std::invalid_argument("words are numbered from 0 on, without a gap");
        }
        ShiftSearch search;
        return search.trace(moved, staying, static_cast<std::uint32_t>(distinct), counting_.longest_shift);
    }

private:
    static bool are_below(Words words, std::size_t distinct) {
        return std::all_of(words.begin(), words.end(), [&](std::uint32_t word) { return word < distinct; });
    }

    TerCounting counting_;
};

/// Refuse segments with more references than a metric can count; Python then says so.
template <class Kernel>
void check_references(const Grouping& grouping) {
    for (std::size_t which = 0; which < grouping.size(); ++which) {
        if (grouping.end(which) - grouping.begin(which) > Kernel::MOST_REFERENCES) {
            throw std::overflow_error("a segment has more references than the metric counts");
        }
    }
}

}  // namespace bleuprint

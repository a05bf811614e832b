// smoothing.hpp, formula.hpp, pairs.hpp and among_themselves.hpp on worked numbers, and pairs against rows that the engine counted.
#include <cmath>
#include <random>

#include "../among_themselves.hpp"
#include "../formula.hpp"
#include "../pairs.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

using Numbers = std::vector<std::int64_t>;

Formula formula_of(SmoothingKind kind, double value = 0) {
    Formula formula;
    formula.weights = {0.25, 0.25, 0.25, 0.25};
    formula.smoothing = {kind, value};
    return formula;
}

double score(Numbers numbers, const Formula& formula) {
    double found = -1;
    score_rows(numbers.data(), 1, static_cast<int>(numbers.size() / 2) - 1, formula, &found);
    return found;
}

/// "the cat is on mat" against "the cat is on the mat".
const Numbers CAT{5, 6, 5, 3, 2, 1, 5, 4, 3, 2};
/// Nothing longer than a word matches.
const Numbers WORDS_ONLY{6, 6, 3, 0, 0, 0, 6, 5, 4, 3};

}  // namespace

TEST(the_paper_on_worked_numbers) {
    const double mean = std::exp(0.25 * std::log(1.0) + 0.25 * std::log(3.0 / 4) + 0.25 * std::log(2.0 / 3) + 0.25 * std::log(0.5));
    CHECK_EQUAL(score(CAT, formula_of(SmoothingKind::none)), 100.0 * (std::exp(1 - 6.0 / 5) * mean));
    CHECK(std::abs(score(CAT, formula_of(SmoothingKind::none)) - 57.8930067467) < 1e-9);
    CHECK_EQUAL(score({4, 4, 4, 3, 2, 1, 4, 3, 2, 1}, formula_of(SmoothingKind::none)), 100.0);
    CHECK_EQUAL(score(WORDS_ONLY, formula_of(SmoothingKind::none)), 0.0);
}

TEST(every_smoothing_gives_its_precision) {
    Numbers numbers = WORDS_ONLY;
    const Row row{numbers.data(), 4};
    const auto precision = [&](SmoothingKind kind, double value, int order) {
        int unmatched = 0;
        Precision found{};
        for (int n = 1; n <= order; ++n) found = smooth(row, n, {kind, value}, unmatched);
        return found.value;
    };
    CHECK_EQUAL(precision(SmoothingKind::none, 0, 1), 0.5);
    CHECK_EQUAL(precision(SmoothingKind::none, 0, 2), 0.0);
    CHECK_EQUAL(precision(SmoothingKind::epsilon, 0.1, 2), 0.1 / 5);
    CHECK_EQUAL(precision(SmoothingKind::floor, 0.1, 3), 0.1 / 4);
    CHECK_EQUAL(precision(SmoothingKind::add_k, 1, 1), 0.5);
    CHECK_EQUAL(precision(SmoothingKind::add_k, 1, 2), 1.0 / 6);
    CHECK_EQUAL(precision(SmoothingKind::add_k_all, 1, 1), 4.0 / 7);
    CHECK_EQUAL(precision(SmoothingKind::exp, 0, 2), 1.0 / 10);
    CHECK_EQUAL(precision(SmoothingKind::exp, 0, 4), 1.0 / 24);
    CHECK_EQUAL(precision(SmoothingKind::nltk_method4, 5, 3), 1 / (4 * 5.0 / std::log(6.0)) / 4);
}

TEST(an_absent_order_is_zero_or_dropped_or_one) {
    const Numbers two_words{2, 2, 2, 1, 0, 0, 2, 1, 0, 0};
    Formula formula = formula_of(SmoothingKind::exp);
    CHECK_EQUAL(score(two_words, formula), 0.0);
    formula.absent = AbsentOrder::drop;
    CHECK_EQUAL(score(two_words, formula), 100.0);
    formula.absent = AbsentOrder::one;
    CHECK_EQUAL(score(two_words, formula), 100.0);
    formula.weights = {0, 0, 0, 1};
    formula.absent = AbsentOrder::drop;
    CHECK_EQUAL(score(two_words, formula), 0.0);  // every order with a weight was dropped
}

TEST(an_unmatched_order_is_zero_or_tiny_or_skipped) {
    Formula formula = formula_of(SmoothingKind::none);
    formula.unmatched = UnmatchedOrder::skip;
    CHECK_EQUAL(score(WORDS_ONLY, formula), 100.0 * std::exp(0.25 * std::log(0.5)));
    formula.unmatched = UnmatchedOrder::smallest_float;
    CHECK(score(WORDS_ONLY, formula) > 0.0 && score(WORDS_ONLY, formula) < 1e-200);
}

TEST(nothing_at_all_scores_0_unless_smoothing_may_act) {
    const Numbers nothing{3, 3, 0, 0, 0, 0, 3, 2, 1, 0};
    Formula formula = formula_of(SmoothingKind::add_k_all, 1);
    CHECK_EQUAL(score(nothing, formula), 0.0);
    formula.nothing = NothingMatches::smoothed;
    CHECK(score(nothing, formula) > 0.0);
    CHECK_EQUAL(score({3, 0, 0, 0, 0, 0, 3, 2, 1, 0}, formula), 0.0);  // an empty reference
    CHECK_EQUAL(score({0, 3, 0, 0, 0, 0, 0, 0, 0, 0}, formula), 0.0);  // an empty candidate
    formula.nothing = NothingMatches::zero_if_any;
    CHECK_EQUAL(score(WORDS_ONLY, formula), 0.0);
}

TEST(brevity_is_1_from_equal_lengths_on) {
    CHECK_EQUAL(brevity(5, 5), 1.0);
    CHECK_EQUAL(brevity(6, 5), 1.0);
    CHECK_EQUAL(brevity(4, 5), std::exp(1 - 5.0 / 4));
    CHECK_EQUAL(brevity(0, 5), 0.0);
}

TEST(rows_of_more_orders_than_the_formula_has_are_cut) {
    Formula formula = formula_of(SmoothingKind::none);
    formula.weights = {0.5, 0.5};
    CHECK_EQUAL(score(CAT, formula), score({5, 6, 5, 3, 5, 4}, formula));
}

TEST(pairs_and_texts_among_themselves_equal_rows_counted_one_by_one) {
    std::mt19937 chance(21);
    for (int round = 0; round < 150; ++round) {
        std::vector<std::string> texts(2 + chance() % 6);
        for (std::string& text : texts) {
            for (unsigned words = chance() % 10; words; --words) text += std::string{"abc&"[chance() % 4]} + "mp; .";
        }
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        const Counting counting{static_cast<LengthRule>(chance() % 3), chance() % 2 == 1, static_cast<int>(1 + chance() % 6)};
        Formula formula = formula_of(static_cast<SmoothingKind>(chance() % 7), 0.5);
        formula.weights.assign(static_cast<std::size_t>(counting.order), 0.3);
        formula.absent = static_cast<AbsentOrder>(chance() % 3);
        formula.unmatched = static_cast<UnmatchedOrder>(chance() % 3);
        const auto tokenizer = static_cast<Tokenizer>(chance() % 6);
        auto one_score = [&](std::string_view candidate, const std::vector<std::string_view>& references) {
            TextCorpus corpus(tokenizer);
            corpus.candidates = {candidate};
            corpus.references = references;
            corpus.grouping.first.push_back(references.size());
            Numbers row(row_width(counting.order));
            count_segments(corpus, counting, row.data(), 1);
            return score(row, formula);
        };
        Grouping grouping;
        grouping.first = {0, 1, views.size()};
        std::vector<double> found(views.size() * 2), expected;
        for (const std::string_view text : views) {
            expected.push_back(one_score(text, {views[0]}));
            expected.push_back(one_score(text, {views.begin() + 1, views.end()}));
        }
        score_pairs(views, views, grouping, tokenizer, counting, formula, found.data(), 1 + chance() % 3);
        CHECK_EQUAL(found, expected);

        found.assign(views.size(), -1);
        expected.clear();
        for (std::size_t text = 0; text < views.size(); ++text) {
            std::vector<std::string_view> others = views;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(text));
            expected.push_back(one_score(views[text], others));
        }
        score_among_themselves(views, tokenizer, counting, formula, found.data(), 1 + chance() % 3);
        CHECK_EQUAL(found, expected);
    }
}

TEST(pairs_are_scored_alike_on_both_sides_of_the_longest_text_whose_matches_are_packed) {
    // Lengths that are 256 apart share a place among the brevities that are known.
    std::vector<std::string> texts;
    for (const std::int64_t tokens : {PackedMatches::LONGEST, PackedMatches::LONGEST + 1, PackedMatches::LONGEST + 2,
                                      PackedMatches::LONGEST + 256, std::int64_t{300}, std::int64_t{44}, std::int64_t{0}}) {
        texts.emplace_back();
        for (std::int64_t token = 0; token < tokens; ++token) texts.back() += "a ";
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const Counting counting;
    const Formula formula = formula_of(SmoothingKind::exp);
    Grouping grouping;
    std::vector<double> expected, found(views.size() * views.size());
    for (const std::string_view candidate : views) {
        for (const std::string_view reference : views) {
            TextCorpus corpus(Tokenizer::whitespace);
            corpus.candidates = {candidate};
            corpus.references = {reference};
            corpus.grouping.first.push_back(1);
            Numbers row(row_width(counting.order));
            count_segments(corpus, counting, row.data(), 1);
            expected.push_back(score(row, formula));
        }
        grouping.first.push_back(grouping.first.size());
    }
    score_pairs(views, views, grouping, Tokenizer::whitespace, counting, formula, found.data(), 1);
    CHECK_EQUAL(found, expected);
}

// chrF's part of the door.
#include "bindings.hpp"
#include "chrf.hpp"
#include "python_objects.hpp"

namespace bleuprint {

namespace {

ChrfFormula make_formula(double beta, std::string_view averaging) {
    return {beta, choose<Averaging>(averaging, {{"effective-order", Averaging::effective_order},
                                                {"each-order", Averaging::each_order},
                                                {"each-order-eps", Averaging::each_order_eps},
                                                {"each-order-nltk", Averaging::each_order_nltk}})};
}

/// What decides a row, as Python says it.
struct Choices {
    int char_order;
    int word_order;
    std::string_view white_space, candidate_totals, unmatched_segment;
    double beta;
    std::string_view averaging;

    ChrfCounting counting() const {
        if (char_order < 1 || word_order < 0) throw std::invalid_argument("characters are counted up to order 1 at least");
        return {char_order,
                word_order,
                choose<WhiteSpace>(white_space, {{"removed", WhiteSpace::removed},
                                                 {"removed-unicode", WhiteSpace::removed_unicode},
                                                 {"spaces-removed", WhiteSpace::spaces_removed},
                                                 {"kept", WhiteSpace::kept}}),
                choose<bool>(candidate_totals, {{"where-reference-has", false}, {"always", true}}),
                choose<bool>(unmatched_segment, {{"counted", false}, {"reference-dropped", true}}),
                make_formula(beta, averaging)};
    }
};

std::uint64_t count_texts(const nb::list& candidates, const nb::list& references, int char_order, int word_order,
                          std::string_view white_space, std::string_view candidate_totals,
                          std::string_view unmatched_segment, double beta, std::string_view averaging,
                          nb::handle numbers, std::size_t threads) {
    const ChrfCounting counting =
        Choices{char_order, word_order, white_space, candidate_totals, unmatched_segment, beta, averaging}.counting();
    TextCorpus corpus;
    const HeldEntries held_candidates(candidates), held_references(references);
    corpus.candidates = view_texts(held_candidates);
    view_references(held_references, corpus.references, corpus.grouping);
    if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(corpus.size() * chrf_width(counting.orders()));
    const Released released;
    return count_chrf(corpus, counting, rows, threads);
}

nb::list count_arrow(nb::handle candidates, const nb::list& references, int char_order, int word_order,
                     std::string_view white_space, std::string_view candidate_totals,
                     std::string_view unmatched_segment, double beta, std::string_view averaging, nb::handle numbers,
                     std::size_t threads) {
    const ChrfCounting counting =
        Choices{char_order, word_order, white_space, candidate_totals, unmatched_segment, beta, averaging}.counting();
    const ArrowColumns columns(candidates, references);
    TextCorpus corpus;
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(columns.size() * chrf_width(counting.orders()));
    std::vector<RowFault> faults;
    {
        const Released released;
        faults = columns.read(corpus);
        count_chrf(corpus, counting, rows, threads);
    }
    return list_faults(faults);
}

void score_table(nb::handle numbers, std::size_t orders, double beta, std::string_view averaging, nb::handle scores) {
    const ChrfFormula formula = make_formula(beta, averaging);
    const Integers rows(numbers, false);
    const Floats into(scores, true);
    const std::size_t width = chrf_width(orders), count = rows.numbers().size() / width;
    if (rows.numbers().size() != count * width) throw std::invalid_argument("the table has half a row");
    double* const room = into.room_for(count);
    const Released released;
    score_chrf_rows(rows.numbers().data(), count, orders, formula, room);
}

void bootstrap_tables(const nb::list& given, std::size_t orders, double beta, std::string_view averaging,
                      std::uint64_t seed, std::size_t resamples, nb::handle scores, std::size_t threads) {
    const ChrfScorer scorer{make_formula(beta, averaging), orders};
    const TablesHandle tables(given, chrf_width(orders));
    const Floats into(scores, true);
    double* const room = into.room_for(tables.tables.numbers.size() * resamples);
    const Released released;
    bootstrap(tables.tables, scorer, seed, resamples, room, threads);
}

std::size_t randomise_tables(nb::handle first, nb::handle second, std::size_t orders, double beta,
                             std::string_view averaging, std::uint64_t seed, std::size_t trials, double threshold,
                             std::size_t threads) {
    const ChrfScorer scorer{make_formula(beta, averaging), orders};
    const TablesHandle tables = TablesHandle::pair(first, second, chrf_width(orders));
    const Released released;
    return randomise(tables.tables, scorer, seed, trials, threshold, threads);
}

}  // namespace

void bind_chrf(nb::module_& module) {
    module.def("count_chrf", count_texts);
    module.def("count_chrf_arrow", count_arrow);
    module.def("score_chrf", score_table);
    module.def("bootstrap_chrf", bootstrap_tables);
    module.def("randomise_chrf", randomise_tables);
}

}  // namespace bleuprint

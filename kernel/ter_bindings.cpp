// TER's part of the door.
#include "bindings.hpp"
#include "python_objects.hpp"
#include "ter.hpp"

namespace bleuprint {

namespace {

TerCounting make_ter_counting(bool shift_references, std::size_t longest_shift, bool free_empty_candidate) {
    if (longest_shift > 1000) throw std::invalid_argument("shifts of up to 1,000 words are due here");
    return {shift_references, longest_shift, free_empty_candidate};
}

/// Count texts whose words have white space between them.
void count_texts(const nb::list& candidates, const nb::list& references, bool shift_references,
                 std::size_t longest_shift, bool free_empty_candidate, nb::handle numbers, std::size_t threads) {
    TextCorpus corpus(Tokenizer::whitespace);
    const HeldEntries held_candidates(candidates), held_references(references);
    corpus.candidates = view_texts(held_candidates);
    view_references(held_references, corpus.references, corpus.grouping);
    if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
    const TerCounting counting = make_ter_counting(shift_references, longest_shift, free_empty_candidate);
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(corpus.size() * TER_WIDTH);
    const Released released;
    count_ter(corpus, counting, rows, threads);
}

void score_table(nb::handle numbers, nb::handle scores) {
    const Integers rows(numbers, false);
    const Floats into(scores, true);
    const std::size_t count = rows.numbers().size() / TER_WIDTH;
    if (rows.numbers().size() != count * TER_WIDTH) throw std::invalid_argument("the table has half a row");
    double* const room = into.room_for(count);
    const Released released;
    score_ter_rows(rows.numbers().data(), count, room);
}

void bootstrap_tables(const nb::list& given, std::uint64_t seed, std::size_t resamples, nb::handle scores,
                      std::size_t threads) {
    const TablesHandle tables(given, TER_WIDTH);
    const Floats into(scores, true);
    double* const room = into.room_for(tables.tables.numbers.size() * resamples);
    const Released released;
    bootstrap(tables.tables, TerScorer{}, seed, resamples, room, threads);
}

std::size_t randomise_tables(nb::handle first, nb::handle second, std::uint64_t seed, std::size_t trials,
                             double threshold, std::size_t threads) {
    const TablesHandle tables = TablesHandle::pair(first, second, TER_WIDTH);
    const Released released;
    return randomise(tables.tables, TerScorer{}, seed, trials, threshold, threads);
}

}  // namespace

void bind_ter(nb::module_& module) {
    module.def("count_ter", count_texts);
    module.def("score_ter", score_table);
    module.def("bootstrap_ter", bootstrap_tables);
    module.def("randomise_ter", randomise_tables);
}

}  // namespace bleuprint

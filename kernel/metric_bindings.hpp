// One template binds a metric: what each of the classes in `metrics.hpp` has.
#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "lowering_bindings.hpp"

namespace bleuprint {

/// Texts of Python as a corpus; they are held as long as this lives.
class HeldCorpus {
public:
    HeldCorpus(Tokenizer tokenizer, const nb::list& candidates, const nb::list& references)
        : candidates_(candidates), references_(references), texts(tokenizer) {
        texts.candidates = view_texts(candidates_);
        view_references(references_, texts.references, texts.grouping);
    }

private:
    HeldEntries candidates_, references_;

public:
    TextCorpus texts;
};

/// Count texts into rows, which are lowered before if the case says so. Returns the steps that searches took, for tests.
template <class Kernel>
std::uint64_t count(const Kernel& kernel, const nb::list& candidates, const nb::list& references, std::string_view text_case,
                    nb::handle numbers, std::size_t threads) {
    HeldCorpus corpus(kernel.tokenizer(), candidates, references);
    const LoweredByPython lowered(corpus.texts, text_case);
    check_references<Kernel>(corpus.texts.grouping);
    return count_corpus(kernel, corpus.texts, numbers, threads);
}

/// Count texts into rows, and return the sums of matches that are not clipped: every n-gram of a candidate that occurs in one
/// of its references.
template <class Kernel>
nb::object count_with_plain(const Kernel& kernel, const nb::list& candidates, const nb::list& references, nb::handle numbers,
                            std::size_t threads) {
    const HeldCorpus corpus(kernel.tokenizer(), candidates, references);
    std::vector<std::int64_t> plain(corpus.texts.size() * kernel.orders());
    count_corpus(kernel, corpus.texts, numbers, threads, plain.data());
    return as_integers(sum_rows(plain, kernel.orders()));
}

/// Count a column of candidates against columns of references, straight from Arrow's memory. Rows that can be counted come
/// first in `numbers`, which has room for all. Returns the others, each with the number of its fault.
template <class Kernel>
nb::list count_columns(const Kernel& kernel, nb::handle candidates, const nb::list& references, nb::handle numbers,
                       std::size_t threads) {
    const ArrowColumns columns(candidates, references);
    TextCorpus corpus(kernel.tokenizer());
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(columns.size() * kernel.width());
    std::vector<RowFault> faults;
    {
        const Released released;
        faults = columns.read(corpus);
        check_references<Kernel>(corpus.grouping);
        kernel.count(corpus, rows, threads);
    }
    return list_faults(faults);
}

/// Return the row of a segment, its score on 0 to 100 and on 0 to 1, and its references as a tuple. Return None if anything
/// about the texts is unusual and must be checked.
template <class Kernel>
nb::object score(const Kernel& kernel, nb::handle candidate, nb::handle references) {
    const nb::object texts = as_references(references);
    if (texts.is_none() || !is_plain_text(candidate.ptr())) return nb::none();
    Lease<typename Kernel::Scratch> scratch;
    TextCorpus& corpus = scratch->corpus;
    corpus.begin(kernel.tokenizer());
    corpus.candidates.push_back(view_text(candidate.ptr()));
    for (nb::handle text : nb::borrow<nb::tuple>(texts)) corpus.references.push_back(view_text(text.ptr()));
    corpus.grouping.first.push_back(corpus.references.size());
    if (corpus.references.size() > Kernel::MOST_REFERENCES) return nb::none();
    Scored scored;
    if (Kernel::WEIGHT * corpus.weight() < WORTH_LETTING_GO) {
        scored = kernel.score(*scratch);
    } else {
        const Released released;
        scored = kernel.score(*scratch);
    }
    return nb::make_tuple(as_integers(scratch->numbers), scored.score, scored.fraction, texts);
}

template <class Kernel>
void score_table(const Kernel& kernel, nb::handle numbers, std::size_t width, nb::handle scores) {
    const Integers rows(numbers, false);
    const Floats into(scores, true);
    if (width == 0 || rows.numbers().size() % width) throw std::invalid_argument("the table has half a row");
    const std::size_t count = rows.numbers().size() / width;
    double* const room = into.room_for(count);
    const Released released;
    kernel.score_rows(rows.numbers().data(), count, width, room);
}

template <class Kernel>
void bootstrap_tables(const Kernel& kernel, const nb::list& given, std::size_t width, std::uint64_t seed, std::size_t resamples,
                      nb::handle scores, std::size_t threads) {
    const TablesHandle tables(given, width);
    const auto scorer = kernel.scorer(width);
    const Floats into(scores, true);
    double* const room = into.room_for(tables.tables.numbers.size() * resamples);
    const Released released;
    bootstrap(tables.tables, scorer, seed, resamples, room, threads);
}

template <class Kernel>
std::size_t randomise_tables(const Kernel& kernel, nb::handle first, nb::handle second, std::size_t width, std::uint64_t seed,
                             std::size_t trials, double threshold, std::size_t threads) {
    const TablesHandle tables = TablesHandle::pair(first, second, width);
    const auto scorer = kernel.scorer(width);
    const Released released;
    return randomise(tables.tables, scorer, seed, trials, threshold, threads);
}

template <class Kernel>
void score_all_pairs(const Kernel& kernel, const nb::list& candidates, const nb::list& references, nb::handle scores,
                     std::size_t threads) {
    const HeldCorpus corpus(kernel.tokenizer(), candidates, references);
    const Floats into(scores, true);
    double* const room = into.room_for(corpus.texts.size() * corpus.texts.grouping.size());
    const Released released;
    kernel.score_pairs(corpus.texts, room, threads);
}

/// Bind what a metric has; some members are those of a few.
template <class Kernel>
nb::class_<Kernel> bind_metric(nb::module_& module, const char* name) {
    nb::class_<Kernel> bound(module, name);
    bound.def(nb::init<const Names&, const Numbers&>())
        .def("count", count<Kernel>)
        .def("count_columns", count_columns<Kernel>)
        .def("score", score<Kernel>, nb::arg("candidate").none(), nb::arg("references").none())
        .def("score_rows", score_table<Kernel>)
        .def("bootstrap", bootstrap_tables<Kernel>)
        .def("randomise", randomise_tables<Kernel>);
    if constexpr (requires(const Kernel& kernel) { kernel.orders(); }) bound.def("count_with_plain", count_with_plain<Kernel>);
    if constexpr (requires { &Kernel::score_pairs; }) bound.def("score_pairs", score_all_pairs<Kernel>);
    return bound;
}

}  // namespace bleuprint

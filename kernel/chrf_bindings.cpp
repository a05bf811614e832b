// chrF's part of the door.
#include "bindings.hpp"
#include "choices.hpp"
#include "chrf.hpp"
#include "python_objects.hpp"
#include "scratch.hpp"

namespace bleuprint {

namespace {

TextCorpus view_corpus(const HeldEntries& candidates, const HeldEntries& references) {
    TextCorpus corpus;
    corpus.candidates = view_texts(candidates);
    view_references(references, corpus.references, corpus.grouping);
    if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
    return corpus;
}

/// What decides a row, as Python says it.
class CountingHandle {
public:
    CountingHandle(int char_order, int word_order, std::string_view white_space, std::string_view candidate_totals,
                   std::string_view unmatched_segment, double beta, std::string_view averaging)
        : counting(make_chrf_counting(char_order, word_order, white_space, candidate_totals, unmatched_segment, beta,
                                      averaging)) {}

    std::size_t width() const { return chrf_width(counting.orders()); }

    std::uint64_t count(const nb::list& candidates, const nb::list& references, nb::handle numbers,
                        std::size_t threads) const {
        const HeldEntries held_candidates(candidates), held_references(references);
        const TextCorpus corpus = view_corpus(held_candidates, held_references);
        const Integers buffer(numbers, true);
        std::int64_t* const rows = buffer.room_for(corpus.size() * width());
        const Released released;
        return count_chrf(corpus, counting, rows, threads);
    }

    void count_plain(const nb::list& candidates, const nb::list& references, nb::handle numbers, std::size_t threads) const {
        const HeldEntries held_candidates(candidates), held_references(references);
        const TextCorpus corpus = view_corpus(held_candidates, held_references);
        const Integers buffer(numbers, true);
        std::int64_t* const known = buffer.room_for(corpus.size() * counting.orders());
        const Released released;
        count_plain_chrf(corpus, counting, known, threads);
    }

    nb::list count_arrow(nb::handle candidates, const nb::list& references, nb::handle numbers, std::size_t threads) const {
        const ArrowColumns columns(candidates, references);
        TextCorpus corpus;
        const Integers buffer(numbers, true);
        std::int64_t* const rows = buffer.room_for(columns.size() * width());
        std::vector<RowFault> faults;
        {
            const Released released;
            faults = columns.read(corpus);
            count_chrf(corpus, counting, rows, threads);
        }
        return list_faults(faults);
    }

    /// Return the row of a segment, its score on 0 to 100 and on 0 to 1, and its references as a tuple. Return None if
    /// anything about the texts is unusual and must be checked.
    nb::object score(nb::handle candidate, nb::handle references) const {
        const nb::object texts = as_references(references);
        if (texts.is_none() || !is_plain_text(candidate.ptr())) return nb::none();
        Lease<ChrfScratch> scratch;
        TextCorpus& corpus = scratch->corpus;
        corpus.begin(Tokenizer::whitespace);
        corpus.candidates.push_back(view_text(candidate.ptr()));
        for (nb::handle text : nb::borrow<nb::tuple>(texts)) corpus.references.push_back(view_text(text.ptr()));
        corpus.grouping.first.push_back(corpus.references.size());
        scratch->numbers.resize(width());
        scratch->counter.settle(counting);
        double scored;
        if (corpus.weight() < WORTH_LETTING_GO) {
            scored = scratch->counter.count(corpus, 0, scratch->numbers.data());
        } else {
            const nb::gil_scoped_release release;
            scored = scratch->counter.count(corpus, 0, scratch->numbers.data());
        }
        return nb::make_tuple(as_integers(scratch->numbers), scored, scored / 100.0, texts);
    }

    void score_pairs(const nb::list& candidates, const nb::list& references, nb::handle scores, std::size_t threads) const {
        TextCorpus corpus;
        const HeldEntries held_candidates(candidates), held_references(references);
        corpus.candidates = view_texts(held_candidates);
        view_references(held_references, corpus.references, corpus.grouping);
        const Floats into(scores, true);
        double* const room = into.room_for(corpus.size() * corpus.grouping.size());
        const Released released;
        score_chrf_pairs(corpus, counting, room, threads);
    }

    void score_among_themselves(const nb::list& texts, nb::handle scores, std::size_t threads) const {
        const HeldEntries held(texts);
        const std::vector<std::string_view> views = view_texts(held);
        const Floats into(scores, true);
        double* const room = into.room_for(views.size());
        if (views.size() < 2) throw std::invalid_argument("at least two texts are due here");
        const Released released;
        score_chrf_among_themselves(views, counting, room, threads);
    }

    const ChrfCounting counting;
};

void score_table(const CountingHandle& handle, nb::handle numbers, nb::handle scores) {
    const std::size_t orders = handle.counting.orders();
    const Integers rows(numbers, false);
    const Floats into(scores, true);
    const std::size_t width = chrf_width(orders), count = rows.numbers().size() / width;
    if (rows.numbers().size() != count * width) throw std::invalid_argument("the table has half a row");
    double* const room = into.room_for(count);
    const Released released;
    score_chrf_rows(rows.numbers().data(), count, orders, handle.counting.formula, room);
}

ChrfScorer make_scorer(const CountingHandle& handle) { return {handle.counting.formula, handle.counting.orders()}; }

void bootstrap_tables(const CountingHandle& handle, const nb::list& given, std::uint64_t seed, std::size_t resamples,
                      nb::handle scores, std::size_t threads) {
    const TablesHandle tables(given, handle.width());
    const Floats into(scores, true);
    double* const room = into.room_for(tables.tables.numbers.size() * resamples);
    const Released released;
    bootstrap(tables.tables, make_scorer(handle), seed, resamples, room, threads);
}

std::size_t randomise_tables(const CountingHandle& handle, nb::handle first, nb::handle second, std::uint64_t seed,
                             std::size_t trials, double threshold, std::size_t threads) {
    const TablesHandle tables = TablesHandle::pair(first, second, handle.width());
    const Released released;
    return randomise(tables.tables, make_scorer(handle), seed, trials, threshold, threads);
}

}  // namespace

void bind_chrf(nb::module_& module) {
    nb::class_<CountingHandle>(module, "Chrf")
        .def(nb::init<int, int, std::string_view, std::string_view, std::string_view, double, std::string_view>())
        .def("count", &CountingHandle::count)
        .def("count_plain", &CountingHandle::count_plain)
        .def("count_arrow", &CountingHandle::count_arrow)
        .def("score", &CountingHandle::score, nb::arg("candidate").none(), nb::arg("references").none())
        .def("score_pairs", &CountingHandle::score_pairs)
        .def("score_among_themselves", &CountingHandle::score_among_themselves)
        .def("score_rows", score_table)
        .def("bootstrap", bootstrap_tables)
        .def("randomise", randomise_tables);
}

}  // namespace bleuprint

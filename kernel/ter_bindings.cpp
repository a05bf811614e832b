// TER's part of the door.
#include "bindings.hpp"
#include "lowering_bindings.hpp"
#include "python_objects.hpp"
#include "scratch.hpp"
#include "ter.hpp"

namespace bleuprint {

namespace {

/// What decides a row, as Python says it; texts have white space between their words.
class TerHandle {
public:
    TerHandle(bool shift_references, std::size_t longest_shift, bool free_empty_candidate)
        : counting{shift_references, longest_shift, free_empty_candidate} {
        if (longest_shift > MOST_MOVED) throw std::invalid_argument("shifts of up to 1,000 words are due here");
    }

    void count(const nb::list& candidates, const nb::list& references, nb::handle numbers, std::size_t threads) const {
        TextCorpus corpus(Tokenizer::whitespace);
        const HeldEntries held_candidates(candidates), held_references(references);
        corpus.candidates = view_texts(held_candidates);
        view_references(held_references, corpus.references, corpus.grouping);
        count_texts(corpus, numbers, threads);
    }

    /// Count texts that are lowered first: all of Unicode, or ASCII alone.
    void count_lowered(const nb::list& candidates, const nb::list& references, bool ascii_alone, nb::handle numbers,
                       std::size_t threads) const {
        TextCorpus corpus(Tokenizer::whitespace);
        const HeldEntries held_candidates(candidates), held_references(references);
        corpus.candidates = view_texts(held_candidates);
        view_references(held_references, corpus.references, corpus.grouping);
        const LoweredByPython held(corpus, ascii_alone);
        count_texts(corpus, numbers, threads);
    }

    /// Give the rows that cannot be counted; None where one has more references than can be averaged.
    nb::object count_arrow(nb::handle candidates, const nb::list& references, nb::handle numbers, std::size_t threads) const {
        const ArrowColumns columns(candidates, references);
        TextCorpus corpus(Tokenizer::whitespace);
        const Integers buffer(numbers, true);
        std::int64_t* const rows = buffer.room_for(columns.size() * TER_WIDTH);
        std::vector<RowFault> faults;
        bool can_count;
        {
            const Released released;
            faults = columns.read(corpus);
            can_count = have_means(corpus);
            if (can_count) count_ter(corpus, counting, rows, threads);
        }
        return can_count ? nb::object(list_faults(faults)) : nb::none();
    }

    /// Return the row of a segment, its score on 0 to 100 and on 0 to 1, and its references as a tuple. Return None if
    /// anything about the texts is unusual and must be checked.
    nb::object score(nb::handle candidate, nb::handle references) const {
        const nb::object texts = as_references(references);
        if (texts.is_none() || !has_mean(nb::len(texts)) || !is_plain_text(candidate.ptr())) return nb::none();
        Lease<TerScratch> scratch;
        TextCorpus& corpus = scratch->corpus;
        corpus.begin(Tokenizer::whitespace);
        corpus.candidates.push_back(view_text(candidate.ptr()));
        for (nb::handle text : nb::borrow<nb::tuple>(texts)) corpus.references.push_back(view_text(text.ptr()));
        corpus.grouping.first.push_back(corpus.references.size());
        scratch->numbers.resize(TER_WIDTH);
        if (corpus.weight() < WORTH_LETTING_GO / WEIGHT_OF_SHIFTS) {
            count_ter_segment(corpus, 0, counting, scratch->numbers.data(), scratch->space);
        } else {
            const Released released;
            count_ter_segment(corpus, 0, counting, scratch->numbers.data(), scratch->space);
        }
        const double scored = divide_ter_counts(scratch->numbers.data() + 1);
        return nb::make_tuple(as_integers(scratch->numbers), 100.0 * scored, scored, texts);
    }

    const TerCounting counting;

private:
    void count_texts(const TextCorpus& corpus, nb::handle numbers, std::size_t threads) const {
        if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
        const Integers buffer(numbers, true);
        std::int64_t* const rows = buffer.room_for(corpus.size() * TER_WIDTH);
        const Released released;
        count_ter(corpus, counting, rows, threads);
    }
};

/// Words that Python has numbered from 0 on.
std::vector<std::uint32_t> read_words(nb::handle numbers, std::size_t most) {
    const Integers given(numbers, false);
    std::vector<std::uint32_t> words;
    words.reserve(given.numbers().size());
    for (const std::int64_t word : given.numbers()) {
        if (word < 0 || static_cast<std::size_t>(word) >= most) throw std::invalid_argument("words are numbered from 0 on, without a gap");
        words.push_back(static_cast<std::uint32_t>(word));
    }
    return words;
}

/// Tell how words become others: the edits before any shift, each shift with the edits left after it, the steps that remain
/// as one byte each, and how many moves were tried.
nb::object trace_words(nb::handle moved, nb::handle staying, std::size_t distinct, std::size_t longest_shift) {
    if (longest_shift > MOST_MOVED) throw std::invalid_argument("shifts of up to 1,000 words are due here");
    const std::vector<std::uint32_t> words = read_words(moved, distinct), target = read_words(staying, distinct);
    if (distinct > words.size() + target.size() || distinct > UINT32_MAX) {
        throw std::invalid_argument("words are numbered from 0 on, without a gap");
    }
    SearchTrace found;
    {
        const Released released;
        ShiftSearch search;
        found = search.trace(words, target, static_cast<std::uint32_t>(distinct), longest_shift);
    }
    nb::list shifts;
    for (const MadeShift& shift : found.shifts) shifts.append(nb::make_tuple(shift.start, shift.length, shift.to, shift.left));
    const nb::bytes steps(reinterpret_cast<const char*>(found.steps.data()), found.steps.size());
    return nb::make_tuple(found.left, shifts, steps, found.tried);
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
    nb::class_<TerHandle>(module, "Ter")
        .def(nb::init<bool, std::size_t, bool>())
        .def("count", &TerHandle::count)
        .def("count_lowered", &TerHandle::count_lowered)
        .def("count_arrow", &TerHandle::count_arrow)
        .def("score", &TerHandle::score, nb::arg("candidate").none(), nb::arg("references").none());
    module.def("trace_ter", trace_words);
    module.def("score_ter", score_table);
    module.def("bootstrap_ter", bootstrap_tables);
    module.def("randomise_ter", randomise_tables);
}

}  // namespace bleuprint

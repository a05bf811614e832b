// The door between Python and the kernel. These files alone know nanobind: this one, with what BLEU needs and what any
// metric does, and `..._bindings.cpp` for each other metric. They check nothing that Python has checked before, copy no
// text, and let go of the interpreter while the kernel works.
#include <memory>
#include <stdexcept>
#include <vector>

#include "among_themselves.hpp"
#include "bindings.hpp"
#include "choices.hpp"
#include "chrf.hpp"
#include "counting_bindings.hpp"
#include "engine.hpp"
#include "formula.hpp"
#include "given_texts.hpp"
#include "lowering_bindings.hpp"
#include "pairs.hpp"
#include "prepared.hpp"
#include "python_objects.hpp"
#include "resampling.hpp"
#include "scratch.hpp"
#include "summing.hpp"
#include "ter.hpp"

using namespace bleuprint;

namespace {

std::uint64_t count_texts(const nb::list& candidates, const nb::list& references, std::string_view tokenizer,
                          std::string_view rule, bool at_least_one, int order, nb::handle numbers, std::size_t threads) {
    TextCorpus corpus(tokenizer_named(tokenizer));
    const HeldEntries held_candidates(candidates), held_references(references);
    corpus.candidates = view_texts(held_candidates);
    view_references(held_references, corpus.references, corpus.grouping);
    return count_corpus(corpus, make_counting(rule, at_least_one, order), numbers, threads);
}

/// Count texts that are lowered first: all of Unicode, or ASCII alone.
std::uint64_t count_lowered(const nb::list& candidates, const nb::list& references, bool ascii_alone,
                            std::string_view tokenizer, std::string_view rule, bool at_least_one, int order,
                            nb::handle numbers, std::size_t threads) {
    TextCorpus corpus(tokenizer_named(tokenizer));
    const HeldEntries held_candidates(candidates), held_references(references);
    corpus.candidates = view_texts(held_candidates);
    view_references(held_references, corpus.references, corpus.grouping);
    const LoweredByPython held(corpus, ascii_alone);
    return count_corpus(corpus, make_counting(rule, at_least_one, order), numbers, threads);
}

/// A text as the kernel lowers it, or None where it leaves that to Python; for tests.
nb::object lower_text(const nb::str& text) {
    const std::string_view given = view_text(text.ptr());
    if (!lowering_of_python().can_lower(given)) return nb::none();
    std::string buffer;
    const std::string_view lowered = lowering_of_python().lower(given, buffer);
    return nb::str(lowered.data(), lowered.size());
}

/// Count texts into rows, and give the sums of matches that are not clipped: every n-gram of a candidate that occurs in one
/// of its references.
nb::object count_with_plain(const nb::list& candidates, const nb::list& references, std::string_view tokenizer,
                            std::string_view rule, bool at_least_one, int order, nb::handle numbers, std::size_t threads) {
    TextCorpus corpus(tokenizer_named(tokenizer));
    const HeldEntries held_candidates(candidates), held_references(references);
    corpus.candidates = view_texts(held_candidates);
    view_references(held_references, corpus.references, corpus.grouping);
    const Counting counting = make_counting(rule, at_least_one, order);
    const auto orders = static_cast<std::size_t>(order);
    std::vector<std::int64_t> plain(corpus.size() * orders);
    count_corpus(corpus, counting, numbers, threads, plain.data());
    return as_integers(sum_rows(plain, orders));
}

/// Count a column of candidates against columns of references, straight from Arrow's memory. Rows that can be counted
/// come first in `numbers`, which has room for all; given are the others, each with the number of its fault.
nb::list count_arrow(nb::handle candidates, const nb::list& references, std::string_view tokenizer, std::string_view rule,
                     bool at_least_one, int order, nb::handle numbers, std::size_t threads) {
    const ArrowColumns columns(candidates, references);
    TextCorpus corpus(tokenizer_named(tokenizer));
    const Counting counting = make_counting(rule, at_least_one, order);
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(columns.size() * row_width(order));
    std::vector<RowFault> faults;
    {
        const Released released;
        faults = columns.read(corpus);
        count_segments(corpus, counting, rows, threads);
    }
    return list_faults(faults);
}

// Tokens of any kind. `Read` turns a token into a key, or says that it cannot.

bool read_string(PyObject* token, std::string_view& key) {
    if (!PyUnicode_CheckExact(token)) return false;
    if (read_text(token, key)) return true;
    PyErr_Clear();  // a lone surrogate: Python itself can still compare it
    return false;
}

bool read_integer(PyObject* token, std::uint64_t& key) {
    if (!PyLong_CheckExact(token)) return false;
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(token, &overflow);
    key = static_cast<std::uint64_t>(value);
    return !overflow;
}

template <class Key, class Read>
bool read_tokens(const nb::handle& sequence, Sequences<Key>& into, Read&& read) {
    for (nb::handle token : nb::borrow<nb::tuple>(sequence)) {
        Key key;
        if (!read(token.ptr(), key)) return false;
        into.tokens.push_back(key);
    }
    into.end();
    return true;
}

template <class Key, class Read>
bool read_corpus(const HeldEntries& candidates, const HeldEntries& references, TokenCorpus<Key>& corpus, Read&& read) {
    std::size_t tokens = 0, reference_tokens = 0;
    for (nb::handle candidate : candidates) tokens += nb::len(candidate);
    for (nb::handle entry : references) {
        for (nb::handle reference : nb::borrow<nb::tuple>(entry)) reference_tokens += nb::len(reference);
    }
    corpus.candidates.tokens.reserve(tokens);
    corpus.references.tokens.reserve(reference_tokens);
    for (nb::handle candidate : candidates) {
        if (!read_tokens(candidate, corpus.candidates, read)) return false;
    }
    for (nb::handle entry : references) {
        for (nb::handle reference : nb::borrow<nb::tuple>(entry)) {
            if (!read_tokens(reference, corpus.references, read)) return false;
        }
        if (corpus.references.starts.size() - 1 == corpus.grouping.first.back()) {
            throw std::invalid_argument("every segment needs a reference");
        }
        corpus.grouping.first.push_back(corpus.references.starts.size() - 1);
    }
    return true;
}

std::uint64_t count_tokens(const nb::list& candidate_list, const nb::list& reference_list, std::string_view rule,
                           bool at_least_one, int order, nb::handle numbers, std::size_t threads) {
    const HeldEntries candidates(candidate_list), references(reference_list);
    const Counting counting = make_counting(rule, at_least_one, order);
    if (TokenCorpus<std::string_view> corpus; read_corpus(candidates, references, corpus, read_string)) {
        return count_corpus(corpus, counting, numbers, threads);
    }
    if (TokenCorpus<std::uint64_t> corpus; read_corpus(candidates, references, corpus, read_integer)) {
        return count_corpus(corpus, counting, numbers, threads);
    }
    // Anything else: Python says what is equal.
    nb::dict known;
    TokenCorpus<std::uint64_t> corpus;
    read_corpus(candidates, references, corpus, [&](PyObject* token, std::uint64_t& key) {
        if (PyObject* const number = PyDict_GetItemWithError(known.ptr(), token)) {
            key = nb::cast<std::uint64_t>(nb::handle(number));
            return true;
        }
        key = nb::len(known);
        if (PyErr_Occurred() || PyDict_SetItem(known.ptr(), token, nb::int_(key).ptr())) throw nb::python_error();
        return true;
    });
    return count_corpus(corpus, counting, numbers, threads);
}

bool is_sequence(nb::handle entry) { return PyList_CheckExact(entry.ptr()) || PyTuple_CheckExact(entry.ptr()); }

/// Read tokens, or say that there are more than `most`, or others than strings.
bool view_tokens(nb::handle sequence, Sequences<std::string_view>& into, std::size_t most, Keeper& keeper) {
    if (!is_sequence(sequence)) return false;
    const Entries tokens(keeper.settle(sequence));
    if (static_cast<std::size_t>(tokens.size()) > most) return false;
    for (Py_ssize_t place = 0; place < tokens.size(); ++place) {
        std::string_view token;
        if (!read_string(tokens[place], token)) return false;
        into.tokens.push_back(token);
    }
    into.end();
    return true;
}

/// Count one segment and give its row; None where anything is not a list of strings, has no references, or is so long
/// that other threads should not wait for it.
nb::object count_one(nb::handle candidate, nb::handle references, std::string_view rule, bool at_least_one, int order) {
    constexpr std::size_t MANY = 1 << 10;
    const Counting counting = make_counting(rule, at_least_one, order);
    Lease<Scratch<TokenCorpus<std::string_view>>> scratch;
    auto& corpus = scratch->corpus;
    corpus.begin();
    Keeper keeper;
    if (!is_sequence(references) || !view_tokens(candidate, corpus.candidates, MANY, keeper)) return nb::none();
    const Entries texts(references);
    if (!texts.size() || static_cast<std::size_t>(texts.size()) > MANY) return nb::none();
    for (Py_ssize_t text = 0; text < texts.size(); ++text) {
        const std::size_t left = MANY - corpus.candidates.tokens.size() - corpus.references.tokens.size();
        if (!view_tokens(texts[text], corpus.references, left, keeper)) return nb::none();
    }
    corpus.grouping.first.push_back(static_cast<std::size_t>(texts.size()));
    count_segment(corpus, 0, counting, scratch->row(order), scratch->space);
    return as_integers(scratch->numbers);
}

// What pairing needs, at once for a whole corpus. None means: look at each of them, and say what is wrong.

bool are_plain_texts(const nb::list& texts) {
    const Entries entries(texts);
    for (Py_ssize_t place = 0; place < entries.size(); ++place) {
        if (!is_plain_text(entries[place])) return false;
    }
    return true;
}

template <class Convert>
nb::object convert_all(const nb::list& entries, Convert&& convert) {
    const HeldEntries given(entries);
    nb::object converted = made_by_python(PyList_New(static_cast<Py_ssize_t>(given.size())));
    PyObject_GC_UnTrack(converted.ptr());  // nobody must find it before it is full
    Py_ssize_t place = 0;
    for (const nb::object& entry : given) {
        nb::object made = convert(entry);
        if (made.is_none()) return nb::none();
        NB_LIST_SET_ITEM(converted.ptr(), place++, made.release().ptr());
    }
    PyObject_GC_Track(converted.ptr());
    return converted;
}

nb::object pair_texts(const nb::list& references) {
    return convert_all(references, [](nb::handle entry) { return as_references(entry); });
}

std::vector<Threshold> read_thresholds(nb::handle pairs) {
    std::vector<Threshold> thresholds;
    for (const auto& [column, bound] : nb::cast<std::vector<std::pair<std::size_t, std::int64_t>>>(pairs)) {
        thresholds.push_back({column, bound});
    }
    return thresholds;
}

/// Already tokenised texts, copied as they are at this moment: nobody can change them any more, and they lie side by
/// side where counting finds them. Python's objects are made again when somebody asks for them.
class TokenSnapshot {
public:
    TokenSnapshot() : corpus_(Spare<TokenTextCorpus>::take()) { corpus_.begin(); }
    ~TokenSnapshot() { Spare<TokenTextCorpus>::give_back(std::move(corpus_)); }
    TokenSnapshot(const TokenSnapshot&) = delete;
    TokenSnapshot& operator=(const TokenSnapshot&) = delete;

    /// Give a snapshot, or None where anything is not a list or tuple of strings. Either side may be left empty; such a
    /// snapshot can be read, but not counted.
    static nb::object take(const nb::list& candidates, const nb::list& references) {
        return owned(look_over(candidates, references));
    }

    /// Take a snapshot, count it and add its rows up; give it, its size, the sums and the census. None where anything is
    /// unusual and must be looked at.
    static nb::object take_and_sum(nb::handle candidates, nb::handle references, std::string_view rule, bool at_least_one,
                                   int order, nb::handle pairs, std::size_t threads) {
        const Counting counting = make_counting(rule, at_least_one, order);
        const std::vector<Threshold> thresholds = read_thresholds(pairs);
        check_thresholds(thresholds, row_width(order));
        if (!is_sequence(candidates) || !is_sequence(references)) return nb::none();
        std::unique_ptr<TokenSnapshot> made = look_over(candidates, references);
        if (!made || !made->corpus_.size() || made->corpus_.size() != made->corpus_.grouping.size()) return nb::none();
        const std::size_t size = made->corpus_.size();
        const SummedRows summed = made->sum(counting, thresholds, threads);
        return nb::make_tuple(owned(std::move(made)), size, as_integers(summed.sums), as_integers(summed.census));
    }

    std::uint64_t count(std::string_view rule, bool at_least_one, int order, nb::handle numbers,
                        std::size_t threads) const {
        return count_corpus(corpus_, make_counting(rule, at_least_one, order), numbers, threads);
    }

    nb::list candidates() const {
        return make_texts(0, corpus_.size(), [&](std::size_t which) { return tuple_of(corpus_.candidates, which); });
    }

    nb::list references() const {
        return make_entries(corpus_.grouping, [&](std::size_t which) { return tuple_of(corpus_.references, which); });
    }

private:
    static nb::object owned(std::unique_ptr<TokenSnapshot> made) {
        return made ? nb::cast(made.release(), nb::rv_policy::take_ownership) : nb::none();
    }

    SummedRows sum(const Counting& counting, std::span<const Threshold> thresholds, std::size_t threads) const {
        const Released released;
        return sum_segments(corpus_, counting, thresholds, threads);
    }

    static std::unique_ptr<TokenSnapshot> look_over(nb::handle candidates, nb::handle references) {
        auto made = std::make_unique<TokenSnapshot>();
        const Entries given(candidates), entries(references);
        for (Py_ssize_t place = 0; place < given.size(); ++place) {
            if (place + 1 < given.size()) fetch_entries(given[place + 1]);
            if (!copy(given[place], made->corpus_.candidates)) return nullptr;
        }
        for (Py_ssize_t place = 0; place < entries.size(); ++place) {
            if (place + 2 < entries.size()) fetch_entries(entries[place + 2]);
            if (place + 1 < entries.size()) fetch_first(entries[place + 1]);
            if (!is_sequence(entries[place])) return nullptr;
            const Entries texts(entries[place]);
            if (!texts.size()) return nullptr;
            for (Py_ssize_t text = 0; text < texts.size(); ++text) {
                if (!copy(texts[text], made->corpus_.references)) return nullptr;
            }
            made->corpus_.grouping.first.push_back(made->corpus_.references.size());
        }
        return made;
    }

    /// Ask for the first entries of a list that comes next, if that is not more work than to read it.
    static void fetch_entries([[maybe_unused]] nb::handle sequence) {
#if !defined(Py_GIL_DISABLED)
        if (is_sequence(sequence)) Entries(sequence).fetch(16);
#endif
    }

    /// Ask for the first tokens of the first text of an entry that comes next.
    static void fetch_first(nb::handle sequence) {
        if (!is_sequence(sequence)) return;
        const Entries texts(sequence);
        if (texts.size()) fetch_entries(texts[0]);
    }

    static bool copy(nb::handle sequence, TokenTexts& into) {
        if (!is_sequence(sequence)) return false;
        const Entries tokens(sequence);
        into.begin(static_cast<std::size_t>(tokens.size()));
        for (Py_ssize_t place = 0; place < tokens.size(); ++place) {
            std::string_view token;
            PyObject* const one = tokens[place];
            if (!read_string(one, token)) return false;
            is_headed(one, token) ? into.add_headed(token) : into.add(token);
        }
        into.end();
        return true;
    }

    static nb::tuple tuple_of(const TokenTexts& texts, std::size_t which) {
        nb::list made;
        texts.read(which, [&](const TextKey& token) { made.append(nb::str(token.data, token.size)); });
        return nb::tuple(made);
    }

    TokenTextCorpus corpus_;
};

// Statistics and scores of many rows.

std::vector<double> formula_weights(nb::handle weights) {
    return nb::cast<std::vector<double>>(weights);
}

class FormulaHandle {
public:
    FormulaHandle(nb::handle weights, std::string_view smoothing, double value, std::string_view absent,
                  std::string_view unmatched, std::string_view nothing)
        : formula(make_formula(formula_weights(weights), smoothing, value, absent, unmatched, nothing)) {}

    const Formula formula;
};

/// Check, count and add up candidates with one reference each; give them in lists, the sums and the census. None where
/// anything is unusual and must be looked at.
nb::object sum_given(nb::handle candidates, nb::handle references, std::string_view tokenizer, std::string_view rule,
                     bool at_least_one, int order, nb::handle pairs, std::size_t threads) {
    if (!is_sequence(candidates) || !is_sequence(references)) return nb::none();
    const Tokenizer chosen = tokenizer_named(tokenizer);
    const Counting counting = make_counting(rule, at_least_one, order);
    const std::vector<Threshold> thresholds = read_thresholds(pairs);
    check_thresholds(thresholds, row_width(order));
    try {
        GivenTexts texts(candidates, references);
        const SummedRows summed = sum_texts(texts, chosen, counting, thresholds, threads);
        const auto [own, others] = texts.lists();
        return nb::make_tuple(own, others, as_integers(summed.sums), as_integers(summed.census));
    } catch (const Unusual&) {
        return nb::none();
    }
}

void sum_table_groups(nb::handle numbers, std::size_t width, nb::handle pairs, nb::handle groups, nb::handle sums,
                      nb::handle census) {
    const std::vector<Threshold> thresholds = read_thresholds(pairs);
    const Integers rows(numbers, false), group_of_row(groups, false), into(sums, true), census_into(census, true);
    if (width == 0) throw std::invalid_argument("a row has columns");
    const std::size_t count = into.numbers().size() / width;
    std::int64_t* const sums_room = into.room_for(count * width);
    std::int64_t* const census_room = census_into.room_for(count * (1 + thresholds.size()));
    const nb::gil_scoped_release release;
    sum_groups(rows.numbers(), width, thresholds, group_of_row.numbers(), count, sums_room, census_room);
}

void score_table(nb::handle numbers, int table_order, const FormulaHandle& handle, nb::handle scores) {
    const Integers rows(numbers, false);
    const Floats into(scores, true);
    const std::size_t width = row_width(table_order), count = rows.numbers().size() / width;
    if (table_order < handle.formula.order() || rows.numbers().size() != count * width) {
        throw std::invalid_argument("the table has too few orders, or half a row");
    }
    double* const room = into.room_for(count);
    const Released released;
    score_rows(rows.numbers().data(), count, table_order, handle.formula, room);
}

void bootstrap_tables(const nb::list& given, int table_order, const FormulaHandle& handle, std::uint64_t seed,
                      std::size_t resamples, nb::handle scores, std::size_t threads) {
    const TablesHandle tables(given, row_width(table_order));
    if (table_order < handle.formula.order()) throw std::invalid_argument("the tables have too few orders");
    const Floats into(scores, true);
    double* const room = into.room_for(tables.tables.numbers.size() * resamples);
    const Released released;
    bootstrap(tables.tables, BleuScorer(handle.formula), seed, resamples, room, threads);
}

std::size_t randomise_tables(nb::handle first, nb::handle second, int table_order, const FormulaHandle& handle,
                             std::uint64_t seed, std::size_t trials, double threshold, std::size_t threads) {
    const TablesHandle tables = TablesHandle::pair(first, second, row_width(table_order));
    if (table_order < handle.formula.order()) throw std::invalid_argument("the tables have too few orders");
    const Released released;
    return randomise(tables.tables, BleuScorer(handle.formula), seed, trials, threshold, threads);
}

/// Sum the rows of resamples, for formulas that the kernel does not know.
void sum_bootstrap(const nb::list& given, std::size_t width, std::uint64_t seed, std::size_t start, nb::handle sums,
                   std::size_t threads) {
    const TablesHandle tables(given, width);
    const Integers into(sums, true);
    const std::size_t resamples = into.numbers().size() / width / tables.tables.numbers.size();
    std::int64_t* const room = into.room_for(tables.tables.numbers.size() * resamples * width);
    const Released released;
    bootstrap_sums(tables.tables, seed, start, resamples, room, threads);
}

void sum_swaps(nb::handle first, nb::handle second, std::size_t width, std::uint64_t seed, std::size_t start,
               nb::handle sums, std::size_t threads) {
    const TablesHandle tables = TablesHandle::pair(first, second, width);
    const Integers into(sums, true);
    const std::size_t trials = into.numbers().size() / width / 2;
    std::int64_t* const room = into.room_for(2 * trials * width);
    const Released released;
    swap_sums(tables.tables, seed, start, trials, room, threads);
}

void pairwise(const nb::list& candidates, const nb::list& references, std::string_view tokenizer, std::string_view rule,
              bool at_least_one, const FormulaHandle& handle, nb::handle scores, std::size_t threads) {
    const HeldEntries held_candidates(candidates), held_references(references);
    const std::vector<std::string_view> texts = view_texts(held_candidates);
    std::vector<std::string_view> reference_texts;
    Grouping grouping;
    view_references(held_references, reference_texts, grouping);
    const Counting counting = make_counting(rule, at_least_one, handle.formula.order());
    const Tokenizer chosen = tokenizer_named(tokenizer);
    const Floats into(scores, true);
    double* const room = into.room_for(texts.size() * grouping.size());
    const Released released;
    score_pairs(texts, reference_texts, grouping, chosen, counting, handle.formula, room, threads);
}

void among_themselves(const nb::list& texts, std::string_view tokenizer, std::string_view rule, bool at_least_one,
                      const FormulaHandle& handle, nb::handle scores, std::size_t threads) {
    const HeldEntries held(texts);
    const std::vector<std::string_view> views = view_texts(held);
    const Counting counting = make_counting(rule, at_least_one, handle.formula.order());
    const Tokenizer chosen = tokenizer_named(tokenizer);
    const Floats into(scores, true);
    double* const room = into.room_for(views.size());
    if (views.size() < 2) throw std::invalid_argument("at least two texts are due here");
    const Released released;
    score_among_themselves(views, chosen, counting, handle.formula, room, threads);
}

class PreparedHandle {
public:
    PreparedHandle(const nb::list& references, std::string_view tokenizer)
        : texts_(references), prepared_(tokenizer_named(tokenizer)) {
        std::vector<std::string_view> views;
        Grouping grouping;
        view_references(texts_, views, grouping);
        const Released released;
        for (std::size_t segment = 0; segment < grouping.size(); ++segment) {
            for (std::size_t text = grouping.first[segment]; text < grouping.first[segment + 1]; ++text) {
                prepared_.add_text(views[text]);
            }
            prepared_.end_segment();
        }
    }

    void count(const nb::list& candidates, std::string_view rule, bool at_least_one, int order, nb::handle numbers,
               std::size_t threads) const {
        const HeldEntries held(candidates);
        const std::vector<std::string_view> views = view_texts(held);
        if (views.size() != prepared_.size()) throw std::invalid_argument("candidates and references differ in number");
        const Counting counting = make_counting(rule, at_least_one, order);
        const Integers buffer(numbers, true);
        std::int64_t* const rows = buffer.room_for(views.size() * row_width(order));
        const Released released;
        prepared_.count_segments(views, counting, rows, threads);
    }

private:
    HeldEntries texts_;  // into which the tokens point
    PreparedReferences prepared_;
};

/// One segment at a time: everything but the texts is settled once.
class SegmentScorer {
public:
    SegmentScorer(std::string_view tokenizer, std::string_view rule, bool at_least_one, const FormulaHandle& handle)
        : tokenizer_(tokenizer_named(tokenizer)),
          counting_(make_counting(rule, at_least_one, handle.formula.order())),
          formula_(handle.formula) {}

    /// Return the row of a segment, its score on 0 to 100 and on 0 to 1, and its references as a tuple. Return None if
    /// anything about the texts is unusual and must be checked.
    nb::object score(nb::handle candidate, nb::handle references) const {
        const nb::object texts = as_references(references);
        if (texts.is_none() || !is_plain_text(candidate.ptr())) return nb::none();
        Lease<Scratch<TextCorpus>> scratch;
        TextCorpus& corpus = scratch->corpus;
        corpus.begin(tokenizer_);
        corpus.candidates.push_back(view_text(candidate.ptr()));
        for (nb::handle text : nb::borrow<nb::tuple>(texts)) corpus.references.push_back(view_text(text.ptr()));
        corpus.grouping.first.push_back(corpus.references.size());
        double scored;
        if (corpus.weight() < WORTH_LETTING_GO) {
            scored = count(*scratch);
        } else {
            const nb::gil_scoped_release release;
            scored = count(*scratch);
        }
        return nb::make_tuple(as_integers(scratch->numbers), 100.0 * scored, scored, texts);
    }

private:
    double count(Scratch<TextCorpus>& scratch) const {
        const Row row = scratch.row(counting_.order);
        count_segment(scratch.corpus, 0, counting_, row, scratch.space);
        return fraction(row, formula_, scratch.settled);
    }

    Tokenizer tokenizer_;
    Counting counting_;
    Formula formula_;
};

// For tests and benchmarks.

/// Split texts and do nothing else; give the number of tokens.
std::size_t split_only(const nb::list& texts, std::string_view tokenizer) {
    const HeldEntries held(texts);
    const std::vector<std::string_view> views = view_texts(held);
    const Tokenizer chosen = tokenizer_named(tokenizer);
    std::size_t tokens = 0;
    std::string buffer;
    const Released released;
    for (const std::string_view text : views) tokenize(chosen, text, buffer, [&](std::string_view) { ++tokens; });
    return tokens;
}

nb::list list_tokens(const nb::str& text, std::string_view tokenizer) {
    nb::list tokens;
    std::string buffer;
    tokenize(tokenizer_named(tokenizer), view_text(text.ptr()), buffer, [&](std::string_view token) {
        tokens.append(nb::str(token.data(), token.size()));
    });
    return tokens;
}

std::uint64_t hash_token(const nb::bytes& token, std::uint64_t first, std::uint64_t second) {
    return hash_of(TextKey({token.c_str(), token.size()}), {first, second});
}

/// Add tokens to a table whose secret is known; give the steps that the searches took.
std::uint64_t steps_of(const nb::list& tokens, std::uint64_t first, std::uint64_t second) {
    Interner<TextKey> table(Secret{first, second});
    table.clear();
    for (nb::handle token : tokens) {
        const auto bytes = nb::borrow<nb::bytes>(token);
        table.add(TextKey({bytes.c_str(), bytes.size()}));
    }
    return table.steps();
}

}  // namespace

NB_MODULE(kernel_of_the_main_interpreter, module) {
    nb::set_leak_warnings(false);  // packages that keep modules beyond the end are not for our users to mend
    process_secret();  // before any thread: a fork while it is drawn would leave the child waiting for it
    module.doc() = "The compiled part of bleuprint: text in, whole numbers out. Called by bleuprint.engines.native.";
    module.def("count_texts", count_texts);
    module.def("count_lowered", count_lowered);
    module.def("lower_text", lower_text);
    module.def("count_with_plain", count_with_plain);
    module.def("count_arrow", count_arrow);
    module.def("count_tokens", count_tokens);
    module.def("count_one", count_one, nb::arg("candidate").none(), nb::arg("references").none(), nb::arg("rule"),
               nb::arg("at_least_one"), nb::arg("order"));
    module.def("are_plain_texts", are_plain_texts);
    module.def("pair_texts", pair_texts);
    nb::class_<TokenSnapshot>(module, "TokenSnapshot")
        .def_static("take", &TokenSnapshot::take)
        .def_static("take_and_sum", &TokenSnapshot::take_and_sum, nb::arg("candidates").none(), nb::arg("references").none(),
                    nb::arg("rule"), nb::arg("at_least_one"), nb::arg("order"), nb::arg("thresholds"), nb::arg("threads"))
        .def("count", &TokenSnapshot::count)
        .def("candidates", &TokenSnapshot::candidates)
        .def("references", &TokenSnapshot::references);
    module.def("sum_rows", [](nb::handle numbers, std::size_t width) {
        return as_integers(sum_rows(Integers(numbers, false).numbers(), width));
    });
    module.def("take_census", [](nb::handle numbers, std::size_t width, nb::handle pairs) {
        return as_integers(take_census(Integers(numbers, false).numbers(), width, read_thresholds(pairs)));
    });
    module.def("sum_given", sum_given, nb::arg("candidates").none(), nb::arg("references").none(), nb::arg("tokenizer"),
               nb::arg("rule"), nb::arg("at_least_one"), nb::arg("order"), nb::arg("thresholds"), nb::arg("threads"));
    module.def("sum_groups", sum_table_groups);
    nb::class_<FormulaHandle>(module, "Formula")
        .def(nb::init<nb::handle, std::string_view, double, std::string_view, std::string_view, std::string_view>());
    module.def("score_table", score_table);
    module.def("bootstrap", bootstrap_tables);
    module.def("randomise", randomise_tables);
    module.def("bootstrap_sums", sum_bootstrap);
    module.def("swap_sums", sum_swaps);
    module.def("pairwise", pairwise);
    module.def("among_themselves", among_themselves);
    nb::class_<SegmentScorer>(module, "SegmentScorer")
        .def(nb::init<std::string_view, std::string_view, bool, const FormulaHandle&>())
        .def("score", &SegmentScorer::score, nb::arg("candidate").none(), nb::arg("references").none());
    nb::class_<PreparedHandle>(module, "PreparedReferences")
        .def(nb::init<const nb::list&, std::string_view>())
        .def("count", &PreparedHandle::count);
    bind_chrf(module);
    bind_ter(module);
    bind_token_ids(module);
    module.def("split_only", split_only);
    module.def("tokenize", list_tokens);
    module.def("hash_of", hash_token);
    module.def("steps_of", steps_of);
    module.def("scratch_bytes", [] {
        return Lease<Scratch<TextCorpus>>::kept_bytes() + Lease<Scratch<TokenCorpus<std::string_view>>>::kept_bytes() +
               Lease<ChrfScratch>::kept_bytes() + Lease<TerScratch>::kept_bytes() + Spare<TokenTextCorpus>::kept_bytes();
    });
}

/// Nanobind has one table of types in a process: a second interpreter would put its own in the place of the first one's.
static int refuse_subinterpreters(PyObject*) {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return 0;
    PyErr_SetString(PyExc_ImportError, "it works in the main interpreter alone, and this is a subinterpreter");
    return -1;
}

/// From 3.13 on Python calls this function in the main interpreter, whoever imports. So the check is the first thing that
/// the module executes, before nanobind's own initialisation.
extern "C" NB_EXPORT PyObject* PyInit__kernel() {
    auto* definition = reinterpret_cast<PyModuleDef*>(PyInit_kernel_of_the_main_interpreter());
    if (definition == nullptr) return nullptr;
    static std::vector<PyModuleDef_Slot> slots = [&] {
        std::vector<PyModuleDef_Slot> all{{Py_mod_exec, reinterpret_cast<void*>(refuse_subinterpreters)}};
        for (const PyModuleDef_Slot* slot = definition->m_slots; slot->slot != 0; ++slot) all.push_back(*slot);
        all.push_back({0, nullptr});
        return all;
    }();
    definition->m_slots = slots.data();
    return reinterpret_cast<PyObject*>(definition);
}

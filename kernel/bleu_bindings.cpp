// BLEU, and what only BLEU has: it adds up texts while they are checked, counts tokens, and compares texts among themselves.
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "given_texts.hpp"
#include "metric_bindings.hpp"
#include "summing.hpp"

namespace bleuprint {

namespace {

/// Check, count and add up candidates with one reference each. Return them in lists, the sums and the census, or None if
/// anything is unusual and must be checked.
nb::object add_up(const BleuKernel& bleu, nb::handle candidates, nb::handle references, nb::handle pairs, std::size_t threads) {
    if (!is_sequence(candidates) || !is_sequence(references)) return nb::none();
    const std::vector<Threshold> thresholds = read_thresholds(pairs);
    check_thresholds(thresholds, bleu.width());
    try {
        GivenTexts texts(candidates, references);
        const SummedRows summed = sum_texts(texts, bleu.tokenizer(), bleu.counting(), thresholds, threads);
        const auto [own, others] = texts.lists();
        return nb::make_tuple(own, others, as_integers(summed.sums), as_integers(with_size(texts.size(), summed.census)));
    } catch (const Unusual&) {
        return nb::none();
    }
}

void score_texts_among_themselves(const BleuKernel& bleu, const nb::list& texts, nb::handle scores, std::size_t threads) {
    const HeldEntries held(texts);
    const std::vector<std::string_view> views = view_texts(held);
    const Floats into(scores, true);
    double* const room = into.room_for(views.size());
    if (views.size() < 2) throw std::invalid_argument("at least two texts are due here");
    const Released released;
    bleu.score_among_themselves(views, room, threads);
}

// Tokens of any kind. `Read` turns a token into a key, or says that it cannot.

bool read_string(PyObject* token, std::string_view& key) {
    if (!PyUnicode_CheckExact(token)) return false;
    if (read_text(token, key)) return true;
    PyErr_Clear();  // a lone surrogate: Python itself can still compare it
    return false;
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

std::uint64_t count_tokens(const BleuKernel& bleu, const nb::list& candidate_list, const nb::list& reference_list,
                           nb::handle numbers, std::size_t threads) {
    const HeldEntries candidates(candidate_list), references(reference_list);
    if (TokenCorpus<std::string_view> corpus; read_corpus(candidates, references, corpus, read_string)) {
        return count_corpus(bleu, corpus, numbers, threads);
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
    return count_corpus(bleu, corpus, numbers, threads);
}

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
nb::object count_one(const BleuKernel& bleu, nb::handle candidate, nb::handle references) {
    constexpr std::size_t MANY = 1 << 10;
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
    count_segment(corpus, 0, bleu.counting(), scratch->row(bleu.counting().order), scratch->space);
    return as_integers(scratch->numbers);
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
    static nb::object take(nb::handle candidates, nb::handle references) {
        if (!is_sequence(candidates) || !is_sequence(references)) return nb::none();
        auto made = std::make_unique<TokenSnapshot>();
        const Entries given(candidates), entries(references);
        for (Py_ssize_t place = 0; place < given.size(); ++place) {
            if (place + 1 < given.size()) fetch_entries(given[place + 1]);
            if (!copy(given[place], made->corpus_.candidates)) return nb::none();
        }
        for (Py_ssize_t place = 0; place < entries.size(); ++place) {
            if (place + 2 < entries.size()) fetch_entries(entries[place + 2]);
            if (place + 1 < entries.size()) fetch_first(entries[place + 1]);
            if (!is_sequence(entries[place])) return nb::none();
            const Entries texts(entries[place]);
            if (!texts.size()) return nb::none();
            for (Py_ssize_t text = 0; text < texts.size(); ++text) {
                if (!copy(texts[text], made->corpus_.references)) return nb::none();
            }
            made->corpus_.grouping.first.push_back(made->corpus_.references.size());
        }
        return nb::cast(made.release(), nb::rv_policy::take_ownership);
    }

    std::uint64_t count(const BleuKernel& bleu, nb::handle numbers, std::size_t threads) const {
        return count_corpus(bleu, corpus_, numbers, threads);
    }

    /// Count and add the rows up; return the sums and the census. Return None if there is nothing to add, or no reference for
    /// some candidate.
    nb::object add_up(const BleuKernel& bleu, nb::handle pairs, std::size_t threads) const {
        const std::vector<Threshold> thresholds = read_thresholds(pairs);
        check_thresholds(thresholds, bleu.width());
        if (!corpus_.size() || corpus_.size() != corpus_.grouping.size()) return nb::none();
        const SummedRows summed = [&] {
            const Released released;
            return sum_segments(corpus_, bleu.counting(), thresholds, threads);
        }();
        return nb::make_tuple(as_integers(summed.sums), as_integers(with_size(corpus_.size(), summed.census)));
    }

    nb::list candidates() const {
        return make_texts(0, corpus_.size(), [&](std::size_t which) { return tuple_of(corpus_.candidates, which); });
    }

    nb::list references() const {
        return make_entries(corpus_.grouping, [&](std::size_t which) { return tuple_of(corpus_.references, which); });
    }

private:
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

}  // namespace

void bind_bleu(nb::module_& module) {
    bind_metric<BleuKernel>(module, "BleuKernel")
        .def("add_up", add_up, nb::arg("candidates").none(), nb::arg("references").none(), nb::arg("thresholds"), nb::arg("threads"))
        .def("count_tokens", count_tokens)
        .def("count_one", count_one, nb::arg("candidate").none(), nb::arg("references").none())
        .def("score_among_themselves", score_texts_among_themselves);
    nb::class_<TokenSnapshot>(module, "TokenSnapshot")
        .def_static("take", &TokenSnapshot::take, nb::arg("candidates").none(), nb::arg("references").none())
        .def("count", &TokenSnapshot::count)
        .def("add_up", &TokenSnapshot::add_up)
        .def("candidates", &TokenSnapshot::candidates)
        .def("references", &TokenSnapshot::references);
}

}  // namespace bleuprint

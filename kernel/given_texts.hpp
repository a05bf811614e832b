// Texts as a caller gave them: looked over, held, and counted meanwhile by other threads, which see their bytes alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "python_objects.hpp"
#include "summing.hpp"

namespace bleuprint {

/// What takes a look at each segment: another type than a string, texts that UTF-8 cannot hold, lists that differ in length.
struct Unusual {};

/// Candidates with one reference each, in lists or tuples of Python. Between making one and the last call of `keep` no
/// Python runs, so they are those of one moment.
class GivenTexts {
public:
    GivenTexts(nb::handle candidates, nb::handle references)
        : kept_candidates_(make_room(candidates)),
          kept_references_(make_room(references)),
          candidates_(candidates),
          references_(references),
          views_(new Pair[static_cast<std::size_t>(candidates_.size())]) {
        const Py_ssize_t size = candidates_.size();
        if (!size || references_.size() != size || !has_room(kept_candidates_, size) || !has_room(kept_references_, size)) {
            throw Unusual();
        }
    }

    std::size_t size() const { return static_cast<std::size_t>(candidates_.size()); }

    /// The bytes of all texts that are kept.
    std::size_t weight() const { return weight_; }

    /// Check, hold and view the segments up to `last`, from where the last call ended.
    void keep(std::size_t last) {
        for (; kept_ < last; ++kept_) {
            views_[kept_] = {keep_text(candidates_, kept_candidates_), keep_text(references_, kept_references_)};
        }
    }

    /// Put views of some segments into a corpus; they must be kept already.
    void view(std::size_t first, std::size_t last, TextCorpus& corpus) const {
        corpus.candidates.clear();
        corpus.references.clear();
        for (std::size_t place = first; place < last; ++place) {
            corpus.candidates.push_back(views_[place].candidate.text());
            corpus.references.push_back(views_[place].reference.text());
        }
    }

    /// The texts, in two lists that belong to the caller from now on.
    std::pair<nb::object, nb::object> lists() const {
        PyObject_GC_Track(kept_candidates_.ptr());
        PyObject_GC_Track(kept_references_.ptr());
        return {kept_candidates_, kept_references_};
    }

private:
    /// A view that may be left unset: to write nothing to all of them first would take as long as to check them.
    struct View {
        const char* data;
        std::size_t size;

        std::string_view text() const { return {data, size}; }
    };
    struct Pair {
        View candidate, reference;
    };

    /// A list that nobody can find before it is full.
    static nb::object make_room(nb::handle sequence) {
        nb::object made = made_by_python(PyList_New(Py_SIZE(sequence.ptr())));
        PyObject_GC_UnTrack(made.ptr());
        return made;
    }

    /// Whether a sequence has still the length that it had when room was made, which may have run Python.
    static bool has_room(const nb::object& kept, Py_ssize_t size) { return Py_SIZE(kept.ptr()) == size; }

    View keep_text(const Entries& given, const nb::object& kept) {
        const auto place = static_cast<Py_ssize_t>(kept_);
        PyObject* const text = given[place];
        std::string_view view;
        if (!PyUnicode_CheckExact(text)) throw Unusual();
        if (!read_text(text, view)) {
            PyErr_Clear();
            throw Unusual();
        }
        NB_LIST_SET_ITEM(kept.ptr(), place, nb::handle(text).inc_ref().ptr());
        weight_ += view.size();
        return {view.data(), view.size()};
    }

    nb::object kept_candidates_, kept_references_;
    Entries candidates_, references_;  // after the lists, whose making may run Python
    std::unique_ptr<Pair[]> views_;
    std::size_t kept_ = 0, weight_ = 0;
};

/// Count texts and add their rows up. The thread that was called looks over the texts while the others count those that
/// it has done with; then it lets go of the interpreter and counts with them.
inline SummedRows sum_texts(GivenTexts& texts, Tokenizer tokenizer, const Counting& counting,
                            std::span<const Threshold> thresholds, std::size_t threads) {
    constexpr std::size_t TOGETHER = 32, LOOKED_OVER = 32 * TOGETHER;
    Summing summing(counting, thresholds);
    struct Counter : Summing::Counter {
        TextCorpus corpus;

        Counter(Summing& summing, Tokenizer tokenizer) : Summing::Counter(summing), corpus(tokenizer) {
            for (std::size_t place = 1; place <= TOGETHER; ++place) corpus.grouping.first.push_back(place);
        }
    };
    const std::size_t size = texts.size(), tasks = (size + TOGETHER - 1) / TOGETHER;
    const std::size_t first = std::min(size, LOOKED_OVER);
    texts.keep(first);
    const std::size_t expected = texts.weight() / first * size;
    // Long stretches of neighbours suit what a processor fetches by itself; short ones end at the same time.
    const std::size_t chosen = choose_threads(threads, tasks, expected);
    const std::size_t in_a_row = std::clamp<std::size_t>(tasks / (64 * chosen), 1, 16);
    std::optional<Released> released;
    share_out(
        tasks, chosen, in_a_row,
        [&] { return Counter(summing, tokenizer); },
        [&](Counter& counter, std::size_t task) {
            const std::size_t start = task * TOGETHER, end = std::min(start + TOGETHER, size);
            texts.view(start, end, counter.corpus);
            counter.corpus.fetch(0);
            counter.corpus.fetch(1);
            for (std::size_t which = 0; which < end - start; ++which) {
                counter.corpus.fetch(which + 2);
                counter.add_segment(counter.corpus, which);
            }
            Watch::look();
        },
        [&](auto&& announce) {
            for (std::size_t last = first; last < size; last = std::min(size, last + LOOKED_OVER)) {
                texts.keep(last);
                announce(last / TOGETHER);
            }
            texts.keep(size);
            announce(tasks);
            released.emplace();
        });
    return summing.finish();
}

}  // namespace bleuprint

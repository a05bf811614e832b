// What every file of bindings needs to read Python's objects and to let go of the interpreter.
//
// Python may run wherever an object is made (garbage is collected, finalizers are called), a token is hashed, a buffer is
// asked for, or the interpreter is let go. What is used across such a place belongs to the call alone: scratch memory is
// leased, and objects whose memory is read are held.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_strings.hpp"
#include "fetching.hpp"
#include "interrupts.hpp"
#include "resampling.hpp"
#include "segments.hpp"

namespace bleuprint {

namespace nb = nanobind;

/// The memory behind an array of Python, as long as this lives.
template <class Number>
class Buffer {
public:
    Buffer(nb::handle owner, bool writable) {
        if (PyObject_GetBuffer(owner.ptr(), &view_, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO)) throw nb::python_error();
        if (view_.itemsize != sizeof(Number)) {
            PyBuffer_Release(&view_);
            throw std::invalid_argument("a buffer of 64-bit numbers is due here");
        }
    }
    ~Buffer() { PyBuffer_Release(&view_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::span<Number> numbers() const {
        return {static_cast<Number*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(Number)};
    }

    /// The memory, if it has room for so many numbers.
    Number* room_for(std::size_t count) const {
        if (numbers().size() != count) throw std::invalid_argument("a buffer of another size is due here");
        return numbers().data();
    }

private:
    Py_buffer view_;
};

using Integers = Buffer<std::int64_t>;
using Floats = Buffer<double>;

/// A string's own UTF-8, which lives as long as the string, into `view`; false, with Python's error set, if it has none.
inline bool read_text(PyObject* text, std::string_view& view) {
#if !defined(Py_LIMITED_API)
    if (PyUnicode_CheckExact(text) && PyUnicode_IS_COMPACT_ASCII(text)) {
        view = {static_cast<const char*>(PyUnicode_DATA(text)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
        return true;
    }
#endif
    Py_ssize_t size;
    const char* const data = PyUnicode_AsUTF8AndSize(text, &size);
    if (data) view = {data, static_cast<std::size_t>(size)};
    return data != nullptr;
}

/// Whether the bytes of a string, as `read_text` gave them, lie behind the head of its own object.
inline bool is_headed(PyObject* text, [[maybe_unused]] std::string_view view) {
#if defined(Py_LIMITED_API)
    // The stable ABI does not tell, but the distance does. Whatever lies so near, the bytes between can be read.
    const auto distance = reinterpret_cast<std::uintptr_t>(view.data()) - reinterpret_cast<std::uintptr_t>(text);
    return distance >= sizeof(PyObject) && distance <= 8 * sizeof(PyObject);
#else
    return PyUnicode_IS_COMPACT_ASCII(text);
#endif
}

inline std::string_view view_text(PyObject* text) {
    std::string_view view;
    if (!read_text(text, view)) throw nb::python_error();
    return view;
}

/// Below this many bytes letting go of the interpreter takes longer than the work.
inline constexpr std::size_t WORTH_LETTING_GO = 1 << 12;

/// Lets other threads of Python run while the kernel works, and looks for signals now and then: Ctrl-C ends the call.
class Released {
public:
    Released() : state_(PyEval_SaveThread()), watch_([this] { look_for_signals(); }) {}
    ~Released() { PyEval_RestoreThread(state_); }

private:
    void look_for_signals() {
        PyEval_RestoreThread(state_);
        std::exception_ptr raised;
        if (PyErr_CheckSignals()) raised = std::make_exception_ptr(nb::python_error());
        state_ = PyEval_SaveThread();
        if (raised) std::rethrow_exception(raised);
    }

    PyThreadState* state_;
    Watch watch_;
};

/// What Python made, or the error that it raised instead.
inline nb::object made_by_python(PyObject* made) {
    if (!made) throw nb::python_error();
    return nb::steal(made);
}

/// A list or tuple that stays as it is. The lock of the interpreter sees to that as long as no Python runs; where Python has
/// none, other threads change lists meanwhile, and a copy is taken.
class Settled {
public:
#if defined(Py_GIL_DISABLED)
    explicit Settled(nb::handle sequence)
        : kept_(PyList_CheckExact(sequence.ptr()) ? made_by_python(PyList_AsTuple(sequence.ptr())) : nb::borrow(sequence)) {}

    PyObject* get() const { return kept_.ptr(); }

private:
    nb::object kept_;
#else
    explicit Settled(nb::handle sequence) : sequence_(sequence.ptr()) {}

    PyObject* get() const { return sequence_; }

private:
    PyObject* sequence_;
#endif
};

inline bool is_sequence(nb::handle entry) { return PyList_CheckExact(entry.ptr()) || PyTuple_CheckExact(entry.ptr()); }

/// Keeps settled sequences until the end of a call, for whoever holds views of what is in them.
class Keeper {
public:
#if defined(Py_GIL_DISABLED)
    Settled settle(nb::handle sequence) { return kept_.emplace_back(sequence); }

private:
    std::vector<Settled> kept_;
#else
    Settled settle(nb::handle sequence) { return Settled(sequence); }
#endif
};

/// The entries of a list or tuple, with those that come soon asked for; they are borrowed, so no Python may run
/// meanwhile.
class Entries {
public:
    explicit Entries(nb::handle sequence) : Entries(Settled(sequence)) {}

    explicit Entries(Settled sequence)
        : sequence_(std::move(sequence)),
#if defined(Py_LIMITED_API)
          get_(PyList_Check(sequence_.get()) ? PyList_GetItem : PyTuple_GetItem),
#else
          items_(PySequence_Fast_ITEMS(sequence_.get())),
#endif
          size_(Py_SIZE(sequence_.get())) {
    }

    Py_ssize_t size() const { return size_; }

    PyObject* operator[](Py_ssize_t place) const {
#if !defined(Py_LIMITED_API)  // whose calls take longer than what is asked for
        if (place + AHEAD < size_) fetch_ahead(at(place + AHEAD));
#endif
        return at(place);
    }

    /// Ask for the first of them.
    void fetch(Py_ssize_t most) const {
        for (Py_ssize_t place = 0; place < std::min(most, size_); ++place) fetch_ahead(at(place));
    }

private:
    static constexpr Py_ssize_t AHEAD = 8;

#if defined(Py_LIMITED_API)
    PyObject* at(Py_ssize_t place) const { return get_(sequence_.get(), place); }
#else
    PyObject* at(Py_ssize_t place) const { return items_[place]; }
#endif

    Settled sequence_;
#if defined(Py_LIMITED_API)
    PyObject* (*get_)(PyObject*, Py_ssize_t);
#else
    PyObject** items_;
#endif
    Py_ssize_t size_;
};

/// The entries that a list has at this moment, held whatever becomes of the list.
class HeldEntries {
public:
    explicit HeldEntries(const nb::list& list) {
        const Entries entries(list);
        held_.reserve(static_cast<std::size_t>(entries.size()));
        for (Py_ssize_t place = 0; place < entries.size(); ++place) held_.push_back(nb::borrow(entries[place]));
    }

    std::size_t size() const { return held_.size(); }
    auto begin() const { return held_.begin(); }
    auto end() const { return held_.end(); }

private:
    std::vector<nb::object> held_;
};

inline std::vector<std::string_view> view_texts(const HeldEntries& texts) {
    std::vector<std::string_view> views;
    views.reserve(texts.size());
    for (const nb::object& text : texts) views.push_back(view_text(text.ptr()));
    return views;
}

/// Read tuples of texts.
inline void view_references(const HeldEntries& references, std::vector<std::string_view>& views, Grouping& grouping) {
    views.reserve(references.size());
    grouping.first.reserve(references.size() + 1);
    for (const nb::object& entry : references) {
        const Entries texts(entry);
        if (!texts.size()) throw std::invalid_argument("every segment needs a reference");
        for (Py_ssize_t text = 0; text < texts.size(); ++text) views.push_back(view_text(texts[text]));
        grouping.first.push_back(views.size());
    }
}

/// What an object that speaks Arrow's PyCapsule interface hands out; its memory lives as long as this.
class ArrowCapsules {
public:
    explicit ArrowCapsules(nb::handle column) : capsules_(nb::cast<nb::tuple>(column.attr("__arrow_c_array__")())) {
        if (nb::len(capsules_) != 2) throw std::invalid_argument("something else than two capsules from __arrow_c_array__");
    }

    const ArrowSchema& schema() const { return *static_cast<ArrowSchema*>(pointer(0, "arrow_schema")); }
    const ArrowArray& array() const { return *static_cast<ArrowArray*>(pointer(1, "arrow_array")); }

private:
    void* pointer(std::size_t which, const char* name) const {
        void* const found = PyCapsule_GetPointer(nb::object(capsules_[which]).ptr(), name);
        if (!found) throw nb::python_error();
        return found;
    }

    nb::tuple capsules_;
};

/// A column of candidates and columns of references, as long as this lives.
class ArrowColumns {
public:
    ArrowColumns(nb::handle candidates, const nb::list& references)
        : candidate_capsules_(candidates), candidates_(candidate_capsules_.schema(), candidate_capsules_.array()) {
        for (const nb::object& column : HeldEntries(references)) {
            const ArrowCapsules& one = capsules_.emplace_back(column);
            references_.emplace_back(one.schema(), one.array());
            if (references_.back().size() != candidates_.size()) throw std::invalid_argument("columns that differ in length");
        }
        if (references_.empty()) throw std::invalid_argument("no column of references");
    }

    std::size_t size() const { return static_cast<std::size_t>(candidates_.size()); }

    /// Put the rows that can be counted into a corpus; give the others.
    std::vector<RowFault> read(TextCorpus& corpus) const { return read_rows(candidates_, references_, corpus); }

private:
    ArrowCapsules candidate_capsules_;
    StringColumn candidates_;
    std::vector<ArrowCapsules> capsules_;
    std::vector<ReferenceColumn> references_;
};

/// Rows that cannot be counted, each with the number of its fault.
inline nb::list list_faults(const std::vector<RowFault>& faults) {
    nb::list found;
    for (const RowFault& fault : faults) found.append(nb::make_tuple(fault.row, static_cast<int>(fault.kind)));
    return found;
}

/// Tables of Python, as long as this lives.
class TablesHandle {
public:
    TablesHandle(const nb::list& tables, std::size_t width) : tables{{}, width} {
        if (width == 0) throw std::invalid_argument("a row has columns");
        for (const nb::object& table : HeldEntries(tables)) {
            const std::span<std::int64_t> numbers = owners_.emplace_back(std::make_unique<Integers>(table, false))->numbers();
            if (numbers.empty() || numbers.size() % width || numbers.size() / width > UINT32_MAX) {
                throw std::invalid_argument("a table has no rows, half a row, or too many");
            }
            this->tables.numbers.emplace_back(numbers);
            if (numbers.size() != this->tables.numbers[0].size()) throw std::invalid_argument("the tables differ in length");
        }
    }

    static TablesHandle pair(nb::handle first, nb::handle second, std::size_t width) {
        nb::list given;
        given.append(first);
        given.append(second);
        return TablesHandle(given, width);
    }

    Tables tables;

private:
    std::vector<std::unique_ptr<Integers>> owners_;
};

/// The values, which must belong to the caller alone: making a tuple may run Python.
inline nb::object as_integers(const std::vector<std::int64_t>& values) {
    nb::object made = made_by_python(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (std::size_t place = 0; place < values.size(); ++place) {
        PyObject* const number = PyLong_FromLongLong(values[place]);
        if (!number) throw nb::python_error();
        NB_TUPLE_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(place), number);
    }
    return made;
}

inline bool is_plain_text(PyObject* text) {
    if (!PyUnicode_CheckExact(text)) return false;
#if !defined(Py_LIMITED_API)
    if (PyUnicode_IS_ASCII(text) || PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) return true;
#endif
    Py_ssize_t size;
    if (PyUnicode_AsUTF8AndSize(text, &size)) return true;
    PyErr_Clear();
    return false;
}

/// Take a tuple of strings and numbers out of the garbage collector's lists: it cannot be part of a cycle, and Python
/// would find that out by itself, but only after having looked at thousands of them.
inline void untrack(nb::handle tuple) { PyObject_GC_UnTrack(tuple.ptr()); }

/// A tuple of the entries, if all of them pass.
template <class Passes>
nb::object as_tuple(nb::handle entries, Passes&& passes) {
    if (!is_sequence(entries)) return nb::none();
    const nb::object kept = made_by_python(PySequence_Tuple(entries.ptr()));
    for (nb::handle entry : nb::borrow<nb::tuple>(kept)) {
        if (!passes(entry.ptr())) return nb::none();
    }
    untrack(kept);
    return kept;
}

/// The references of one segment: a text, or several.
inline nb::object as_references(nb::handle entry) {
    if (is_plain_text(entry.ptr())) {
        nb::object one = made_by_python(PyTuple_New(1));
        NB_TUPLE_SET_ITEM(one.ptr(), 0, entry.inc_ref().ptr());
        untrack(one);
        return one;
    }
    nb::object kept = as_tuple(entry, is_plain_text);
    return kept.is_none() || !nb::len(kept) ? nb::none() : kept;
}

}  // namespace bleuprint

// The door for token ids: arrays of NumPy, torch and whoever else shows memory by DLPack or the buffer protocol.
#include "token_ids.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"

namespace bleuprint {

namespace {

using Array = nb::ndarray<nb::ro, nb::device::cpu>;
using Lengths = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Whether an array stands for other numbers than its memory shows: some are masked, or torch has put off a change of
/// sign. Such arrays, and those that cannot list their numbers, are left to Python.
bool is_other_than_its_memory(nb::handle object) {
    const nb::handle type = object.type();
    if (!nb::hasattr(type, "tolist") || nb::hasattr(type, "mask")) return true;
    return nb::hasattr(type, "is_neg") && nb::cast<bool>(object.attr("is_neg")());
}

/// What an object shows of its memory; nothing if it is no array. Bytes are text that was not decoded, not ids.
std::optional<Array> find_array(nb::handle object) {
    if (PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr()) || PyMemoryView_Check(object.ptr())) return {};
    if (is_other_than_its_memory(object)) return {};
    Array array;
    if (!nb::try_cast(object, array, false)) return {};
    return array;
}

/// Call `use` with a number of the array's own type; false if its elements are no whole numbers.
template <class Use>
bool with_type_of(const Array& array, Use&& use) {
    const nb::dlpack::dtype type = array.dtype();
    auto is = [&](auto number) { return type == nb::dtype<decltype(number)>(); };
    auto tried = [&](auto number) { return is(number) && (use(number), true); };
    return tried(std::int64_t{}) || tried(std::int32_t{}) || tried(std::int16_t{}) || tried(std::int8_t{}) ||
           tried(std::uint64_t{}) || tried(std::uint32_t{}) || tried(std::uint16_t{}) || tried(std::uint8_t{});
}

IdArray view(const Array& array) {
    IdArray seen{static_cast<const char*>(array.data()), {}, {}};
    for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
        seen.shape.push_back(array.shape(axis));
        seen.strides.push_back(array.stride(axis));
    }
    return seen;
}

/// Add all rows of an array; false if it is none of whole numbers.
bool add_array(const Array& array, std::span<const std::int64_t> lengths, const RowEnds& ends, bool copies,
               IdTexts& into) {
    const IdArray seen = view(array);
    return with_type_of(array, [&](auto number) { into.add_rows<decltype(number)>(seen, lengths, ends, copies); });
}

/// Add one text: an array of one axis, or a list or tuple of Python's ints; false for anything else.
bool add_text(nb::handle text, IdTexts& into) {
    if (is_sequence(text)) {
        const Entries tokens(text);
        for (Py_ssize_t place = 0; place < tokens.size(); ++place) {
            if (!PyLong_CheckExact(tokens[place])) return false;
            int overflow = 0;
            const long long value = PyLong_AsLongLongAndOverflow(tokens[place], &overflow);
            if (overflow) return false;
            into.add_key(static_cast<std::uint64_t>(value));
        }
        into.end();
        return true;
    }
    const std::optional<Array> array = find_array(text);
    return array && array->ndim() == 1 && add_array(*array, {}, {}, true, into);
}

/// Add the references of one segment: an array of two axes, or a list or tuple of texts.
bool add_entry(nb::handle entry, IdTexts& into) {
    if (is_sequence(entry)) {
        const nb::list texts(nb::steal(PySequence_List(entry.ptr())));
        for (nb::handle text : texts) {
            if (!add_text(text, into)) return false;
        }
        return nb::len(texts) > 0;
    }
    const std::optional<Array> array = find_array(entry);
    return array && array->ndim() == 2 && array->shape(0) > 0 && add_array(*array, {}, {}, true, into);
}

/// Texts of token ids: of a corpus as they are at this moment, of arrays that are added as they lie in memory, which is
/// kept. Python's numbers are made of them when somebody asks.
class TokenIds {
public:
    /// Take a corpus of arrays; None where anything is neither an array of whole numbers nor a list of Python's ints.
    static nb::object take(const nb::list& candidates, const nb::list& references) {
        auto made = std::make_unique<TokenIds>();
        for (const nb::object& candidate : HeldEntries(candidates)) {
            if (!add_text(candidate, made->corpus_.candidates)) return nb::none();
        }
        for (const nb::object& entry : HeldEntries(references)) {
            if (!add_entry(entry, made->corpus_.references)) return nb::none();
            made->corpus_.grouping.first.push_back(made->corpus_.references.size());
        }
        if (!made->corpus_.is_exact()) return nb::none();
        return nb::cast(made.release(), nb::rv_policy::take_ownership);
    }

    void add_candidates(const Array& array, const std::optional<Lengths>& lengths, std::optional<std::int64_t> pad,
                        std::optional<std::int64_t> eos) {
        add(array, lengths, {pad, eos}, corpus_.candidates);
    }

    void add_references(const Array& array, const std::optional<Lengths>& lengths, std::optional<std::int64_t> pad,
                        std::optional<std::int64_t> eos) {
        add(array, lengths, {pad, eos}, corpus_.references);
    }

    /// Say how many references each entry has, in turn, and how many candidates in a row share an entry.
    void share_out(const std::vector<std::size_t>& counts, std::size_t sharing) {
        corpus_.grouping.clear();
        for (const std::size_t count : counts) {
            if (!count) throw std::invalid_argument("every segment needs a reference");
            corpus_.grouping.first.push_back(corpus_.grouping.first.back() + count);
        }
        if (!sharing || corpus_.grouping.first.back() != corpus_.references.size()) {
            throw std::invalid_argument("every reference belongs to an entry");
        }
        corpus_.grouping.sharing = sharing;
    }

    bool is_exact() const { return corpus_.is_exact(); }

    std::uint64_t count(const BleuKernel& bleu, nb::handle numbers, std::size_t threads) const {
        return count_corpus(bleu, corpus_, numbers, threads);
    }

    /// Count every candidate against every one of its group.
    void count_pairs(std::size_t group, const BleuKernel& bleu, nb::handle numbers, std::size_t threads) const {
        const IdPairs pairs(corpus_.candidates, group);
        const Integers buffer(numbers, true);
        std::int64_t* const rows = buffer.room_for(pairs.size() * bleu.width());
        const Released released;
        bleu.count(pairs, rows, threads);
    }

    nb::list candidates() const {
        return make_texts(0, corpus_.size(), [&](std::size_t which) { return tuple_of(corpus_.candidates, which); });
    }

    nb::list references() const {
        return make_entries(corpus_.grouping, [&](std::size_t which) { return tuple_of(corpus_.references, which); });
    }

private:
    void add(const Array& array, const std::optional<Lengths>& lengths, const RowEnds& ends, IdTexts& into) {
        std::span<const std::int64_t> given;
        if (lengths) given = {lengths->data(), lengths->size()};
        kept_.push_back(array);
        const nb::gil_scoped_release release;
        if (!array.ndim() || !add_array(array, given, ends, false, into)) {
            throw std::invalid_argument("an array of whole numbers is due here");
        }
    }

    nb::object tuple_of(const IdTexts& texts, std::size_t which) const {
        const bool huge = corpus_.candidates.has_huge() || corpus_.references.has_huge();
        nb::list made;
        texts.read(which, [&](std::uint64_t key) {
            made.append(huge ? nb::int_(key) : nb::int_(static_cast<std::int64_t>(key)));
        });
        return nb::tuple(made);
    }

    IdCorpus corpus_;
    std::vector<Array> kept_;
};

}  // namespace

void bind_token_ids(nb::module_& module) {
    nb::class_<TokenIds>(module, "TokenIds")
        .def(nb::init<>())
        .def_static("take", &TokenIds::take)
        .def("add_candidates", &TokenIds::add_candidates, nb::arg("array"), nb::arg("lengths").none(),
             nb::arg("pad").none(), nb::arg("eos").none())
        .def("add_references", &TokenIds::add_references, nb::arg("array"), nb::arg("lengths").none(),
             nb::arg("pad").none(), nb::arg("eos").none())
        .def("share_out", &TokenIds::share_out)
        .def("is_exact", &TokenIds::is_exact)
        .def("count", &TokenIds::count)
        .def("count_pairs", &TokenIds::count_pairs)
        .def("candidates", &TokenIds::candidates)
        .def("references", &TokenIds::references);
}

}  // namespace bleuprint

// The door between Python and the kernel: the module, what it does with rows of any metric, and what pairs texts. The other files
// of bindings have the metrics, all from the template in `metric_bindings.hpp`, and token ids. Only these files know nanobind.
// They check nothing that Python has checked before, copy no text, and let go of the interpreter while the kernel works.
#include "bindings.hpp"

#include <stdexcept>
#include <vector>

#include "chrf.hpp"
#include "lowering_bindings.hpp"
#include "resampling.hpp"
#include "scratch.hpp"
#include "ter.hpp"

using namespace bleuprint;

namespace {

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

// Rows of any metric.

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

// For tests and benchmarks.

/// A text as the kernel lowers it, or None where it leaves that to Python; for tests.
nb::object lower_text(const nb::str& text) {
    const std::string_view given = view_text(text.ptr());
    if (!lowering_of_python().can_lower(given)) return nb::none();
    std::string buffer;
    const std::string_view lowered = lowering_of_python().lower(given, buffer);
    return nb::str(lowered.data(), lowered.size());
}

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
    module.def("are_plain_texts", are_plain_texts);
    module.def("pair_texts", pair_texts);
    module.def("sum_rows", [](nb::handle numbers, std::size_t width) {
        return as_integers(sum_rows(Integers(numbers, false).numbers(), width));
    });
    module.def("take_census", [](nb::handle numbers, std::size_t width, nb::handle pairs) {
        return as_integers(take_census(Integers(numbers, false).numbers(), width, read_thresholds(pairs)));
    });
    module.def("sum_groups", sum_table_groups);
    module.def("bootstrap_sums", sum_bootstrap);
    module.def("swap_sums", sum_swaps);
    bind_bleu(module);
    bind_chrf(module);
    bind_ter(module);
    bind_token_ids(module);
    module.def("lower_text", lower_text);
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

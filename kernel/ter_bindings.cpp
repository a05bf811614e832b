// TER, and what only TER has: it traces its shifts.
#include "metric_bindings.hpp"

namespace bleuprint {

namespace {

std::vector<std::uint32_t> read_words(nb::handle numbers) {
    std::vector<std::uint32_t> words;
    for (const std::int64_t word : Integers(numbers, false).numbers()) {
        words.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(word, -1, UINT32_MAX)));
    }
    return words;
}

/// Return how words become others, which Python has numbered from 0 on: the edits before any shift, each shift with the edits
/// left after it, the steps that remain as one byte each, and how many moves were tried.
nb::object trace_words(const TerKernel& ter, nb::handle moved, nb::handle staying, std::size_t distinct) {
    const std::vector<std::uint32_t> words = read_words(moved), target = read_words(staying);
    const SearchTrace found = [&] {
        const Released released;
        return ter.trace(words, target, distinct);
    }();
    nb::list shifts;
    for (const MadeShift& shift : found.shifts) shifts.append(nb::make_tuple(shift.start, shift.length, shift.to, shift.left));
    const nb::bytes steps(reinterpret_cast<const char*>(found.steps.data()), found.steps.size());
    return nb::make_tuple(found.left, shifts, steps, found.tried);
}

}  // namespace

void bind_ter(nb::module_& module) { bind_metric<TerKernel>(module, "TerKernel").def("trace", trace_words); }

}  // namespace bleuprint

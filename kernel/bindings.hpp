// What each file of bindings puts into the module, and what several of them need.
#pragma once

#include <vector>

#include "metrics.hpp"
#include "python_objects.hpp"

namespace bleuprint {

void bind_bleu(nb::module_& module);
void bind_chrf(nb::module_& module);
void bind_ter(nb::module_& module);
void bind_token_ids(nb::module_& module);

inline std::vector<Threshold> read_thresholds(nb::handle pairs) {
    std::vector<Threshold> thresholds;
    for (const auto& [column, bound] : nb::cast<std::vector<std::pair<std::size_t, std::int64_t>>>(pairs)) {
        thresholds.push_back({column, bound});
    }
    return thresholds;
}

/// A census as Python has it: the number of segments comes first.
inline std::vector<std::int64_t> with_size(std::size_t size, std::vector<std::int64_t> census) {
    census.insert(census.begin(), static_cast<std::int64_t>(size));
    return census;
}

/// Count a corpus into rows and, if there is room for them, matches without clipping into `plain`.
template <class Kernel, class Corpus, class... Room>
std::uint64_t count_corpus(const Kernel& kernel, const Corpus& corpus, nb::handle numbers, std::size_t threads, Room*... plain) {
    if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(corpus.size() * kernel.width());
    const Released released;
    return kernel.count(corpus, rows, threads, plain...);
}

/// Make Python's texts of a side again, each by `make`.
template <class Make>
nb::list make_texts(std::size_t begin, std::size_t end, const Make& make) {
    nb::list made;
    for (std::size_t which = begin; which < end; ++which) made.append(make(which));
    return made;
}

/// Make Python's tuples of references again, each reference by `make`.
template <class Make>
nb::list make_entries(const Grouping& grouping, const Make& make) {
    nb::list made;
    for (std::size_t segment = 0; segment < grouping.size(); ++segment) {
        made.append(nb::tuple(make_texts(grouping.begin(segment), grouping.end(segment), make)));
    }
    return made;
}

}  // namespace bleuprint

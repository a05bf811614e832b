// What every file of bindings needs that fills rows of BLEU's counts, and gives the texts back that it copied.
#pragma once

#include "choices.hpp"
#include "engine.hpp"
#include "python_objects.hpp"

namespace bleuprint {

template <class Corpus>
std::uint64_t count_corpus(const Corpus& corpus, const Counting& counting, nb::handle numbers, std::size_t threads,
                           std::int64_t* plain = nullptr) {
    if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(corpus.size() * row_width(counting.order));
    const Released released;
    return count_segments(corpus, counting, rows, threads, plain);
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

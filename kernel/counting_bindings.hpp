// What every file of bindings needs that fills rows of BLEU's counts.
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

}  // namespace bleuprint

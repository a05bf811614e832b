// What every file of bindings needs that fills rows of BLEU's counts.
#pragma once

#include "engine.hpp"
#include "python_objects.hpp"

namespace bleuprint {

inline Counting make_counting(std::string_view rule, bool at_least_one, int order) {
    const auto chosen = choose<LengthRule>(rule, {{"closest", LengthRule::closest},
                                                  {"closest-first", LengthRule::closest_first},
                                                  {"shortest", LengthRule::shortest}});
    if (order < 1) throw std::invalid_argument("the order is at least 1");
    return {chosen, at_least_one, order};
}

template <class Corpus>
std::uint64_t count_corpus(const Corpus& corpus, const Counting& counting, nb::handle numbers, std::size_t threads) {
    if (corpus.size() != corpus.grouping.size()) throw std::invalid_argument("candidates and references differ in number");
    const Integers buffer(numbers, true);
    std::int64_t* const rows = buffer.room_for(corpus.size() * row_width(counting.order));
    const Released released;
    return count_segments(corpus, counting, rows, threads);
}

}  // namespace bleuprint

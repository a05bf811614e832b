// Choices by name: how every border of the kernel is told what a recipe says.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chrf.hpp"
#include "engine.hpp"
#include "formula.hpp"
#include "tokenizers.hpp"

namespace bleuprint {

template <class Choice>
Choice choose(std::string_view name, std::initializer_list<std::pair<std::string_view, Choice>> choices) {
    for (const auto& [known, choice] : choices) {
        if (known == name) return choice;
    }
    throw std::invalid_argument("the kernel does not know " + std::string(name));
}

inline Tokenizer tokenizer_named(std::string_view name) {
    const auto found = find_tokenizer(name);
    if (!found) throw std::invalid_argument("the kernel has no tokenizer " + std::string(name));
    // Made here, by a thread that has the interpreter, so that no fork can leave a child with half a table.
    if (found == Tokenizer::intl) unicode_classes();
    return *found;
}

inline Counting make_counting(std::string_view rule, bool at_least_one, int order) {
    const auto chosen = choose<LengthRule>(rule, {{"closest", LengthRule::closest},
                                                  {"closest-first", LengthRule::closest_first},
                                                  {"shortest", LengthRule::shortest}});
    if (order < 1) throw std::invalid_argument("the order is at least 1");
    return {chosen, at_least_one, order};
}

inline Formula make_formula(const std::vector<double>& weights, std::string_view smoothing, double value,
                            std::string_view absent, std::string_view unmatched, std::string_view nothing) {
    using S = SmoothingKind;
    return {weights,
            {choose<S>(smoothing, {{"none", S::none},
                                   {"epsilon", S::epsilon},
                                   {"floor", S::floor},
                                   {"add-k", S::add_k},
                                   {"add-k-all", S::add_k_all},
                                   {"exp", S::exp},
                                   {"nltk-method4", S::nltk_method4}}),
             value},
            choose<AbsentOrder>(absent, {{"zero", AbsentOrder::zero}, {"drop", AbsentOrder::drop}, {"one", AbsentOrder::one}}),
            choose<UnmatchedOrder>(unmatched, {{"zero", UnmatchedOrder::zero},
                                               {"smallest-float", UnmatchedOrder::smallest_float},
                                               {"skip", UnmatchedOrder::skip}}),
            choose<NothingMatches>(nothing, {{"zero", NothingMatches::zero},
                                             {"zero-if-any", NothingMatches::zero_if_any},
                                             {"smoothed", NothingMatches::smoothed}})};
}

inline ChrfCounting make_chrf_counting(int char_order, int word_order, std::string_view white_space,
                                       std::string_view candidate_totals, std::string_view unmatched_segment,
                                       double beta, std::string_view averaging) {
    if (char_order < 1 || word_order < 0) throw std::invalid_argument("characters are counted up to order 1 at least");
    return {char_order,
            word_order,
            choose<WhiteSpace>(white_space, {{"removed", WhiteSpace::removed},
                                             {"removed-unicode", WhiteSpace::removed_unicode},
                                             {"spaces-removed", WhiteSpace::spaces_removed},
                                             {"kept", WhiteSpace::kept}}),
            choose<bool>(candidate_totals, {{"where-reference-has", false}, {"always", true}}),
            choose<bool>(unmatched_segment, {{"counted", false}, {"reference-dropped", true}}),
            {beta, choose<Averaging>(averaging, {{"effective-order", Averaging::effective_order},
                                                 {"each-order", Averaging::each_order},
                                                 {"each-order-eps", Averaging::each_order_eps},
                                                 {"each-order-nltk", Averaging::each_order_nltk}})}};
}

}  // namespace bleuprint

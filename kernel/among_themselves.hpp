// Every text against all others.
//
// The best reference among the others is the best of all, or the second best for the text that is the best. So all texts
// are counted once, and each is then held against what was counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "formula.hpp"
#include "gram_index.hpp"

namespace bleuprint {

/// The lengths of many texts, to choose a reference length among all of them but one.
class OtherLengths {
public:
    explicit OtherLengths(const GramIndex& index) {
        for (std::size_t text = 0; text < index.texts(); ++text) {
            std::vector<std::size_t>& first = first_two_[index.length(text)];
            if (first.size() < 2) first.push_back(text);
        }
    }

    /// Choose for one of the texts, whose length this is.
    std::int64_t choose(LengthRule rule, std::int64_t length, std::size_t except) const {
        std::int64_t chosen = -1;
        std::size_t chosen_first = 0;
        for (auto [near, end] = near_ones(rule, length); near != end; ++near) {
            const auto& [other, first_two] = *near;
            const bool own_first = first_two[0] == except;
            if (own_first && first_two.size() < 2) continue;
            const std::size_t first = first_two[own_first];
            const std::int64_t far = std::abs(other - length), kept = std::abs(chosen - length);
            // Lengths come in rising order, so among equally close ones the first met is the shorter.
            const bool better = chosen < 0 || (rule != LengthRule::shortest &&
                                               (far < kept || (far == kept && rule == LengthRule::closest_first &&
                                                               first < chosen_first)));
            if (better) {
                chosen = other;
                chosen_first = first;
            }
        }
        return chosen;
    }

private:
    using Lengths = std::map<std::int64_t, std::vector<std::size_t>>;

    /// The lengths that may be chosen: the two shortest, or that of the text and its neighbours.
    std::pair<Lengths::const_iterator, Lengths::const_iterator> near_ones(LengthRule rule, std::int64_t length) const {
        const auto own = rule == LengthRule::shortest ? first_two_.begin() : first_two_.find(length);
        const auto before = own == first_two_.begin() ? own : std::prev(own), behind = std::next(own);
        return {before, behind == first_two_.end() ? behind : std::next(behind)};
    }

    Lengths first_two_;  // of each length: the first texts that have it
};

/// How often each n-gram was met in the text that is being read. Emptied by going on to another text.
class SeenGrams {
public:
    explicit SeenGrams(std::uint32_t grams) : seen_(grams) {}

    /// Count an n-gram; give how often the text has it so far.
    std::uint32_t add(std::uint32_t gram, std::size_t text) {
        Seen& seen = seen_[gram];
        const auto mark = static_cast<std::uint32_t>(text + 1);
        seen = {mark, seen.text == mark ? seen.count + 1 : 1};
        return seen.count;
    }

private:
    struct Seen {
        std::uint32_t text = 0;  // 1 more than its place
        std::uint32_t count = 0;
    };

    std::vector<Seen> seen_;
};

/// How often each n-gram stands in the text that has it most, and in another one.
class BestCounts {
public:
    explicit BestCounts(const GramIndex& index) : best_(index.grams()) {
        SeenGrams seen(index.grams());
        for (std::size_t text = 0; text < index.texts(); ++text) {
            Watch::look();
            index.each_gram(text, [&](int, std::uint32_t gram) { raise(best_[gram], seen.add(gram, text), text); });
        }
    }

    /// How often the best reference among all texts but one has an n-gram.
    std::uint32_t among_others(std::uint32_t gram, std::size_t except) const {
        const Best& best = best_[gram];
        return best.text == except ? best.second : best.count;
    }

private:
    struct Best {
        std::uint32_t count = 0, second = 0;  // the second is of another text
        std::size_t text = SIZE_MAX;
    };

    /// Take notice that a text has an n-gram so often, after it was told of each lower number.
    static void raise(Best& best, std::uint32_t count, std::size_t text) {
        if (count <= best.count) {
            best.second = std::max(best.second, count);
        } else {
            if (best.text != text) best.second = best.count;
            best.count = count;
            best.text = text;
        }
    }

    std::vector<Best> best_;
};

/// Score every text with all others as its references.
inline void score_among_themselves(const std::vector<std::string_view>& texts, Tokenizer tokenizer,
                                   const Counting& counting, const Formula& formula, double* scores,
                                   std::size_t threads) {
    GramIndex index(tokenizer, formula.order());
    for (const std::string_view text : texts) index.add_text(text);
    index.finish();

    const BestCounts best(index);
    const OtherLengths lengths(index);
    std::size_t weight = 0;
    for (const std::string_view text : texts) weight += text.size();
    struct State {
        std::vector<std::int64_t> numbers;
        std::vector<Precision> settled;
        SeenGrams seen;
    };
    share_out(
        texts.size(), choose_threads(threads, texts.size(), weight), 16,
        [&] { return State{std::vector<std::int64_t>(row_width(formula.order())), {}, SeenGrams(index.grams())}; },
        [&](State& state, std::size_t which) {
            const Row row{state.numbers.data(), formula.order()};
            const std::int64_t length = row.candidate_length() = index.length(which);
            row.reference_length() = lengths.choose(counting.rule, length, which);
            for (int n = 1; n <= formula.order(); ++n) {
                row.matches()[n - 1] = 0;
                row.totals()[n - 1] = segment_total(length, n, counting.at_least_one);
            }
            index.each_gram(which, [&](int n, std::uint32_t gram) {
                row.matches()[n - 1] += state.seen.add(gram, which) <= best.among_others(gram, which);
            });
            scores[which] = 100.0 * fraction(row, formula, state.settled);
        });
}

}  // namespace bleuprint

// TER straight from its definition: every table is filled whole, every shift is made and measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "../ter.hpp"

namespace slow {

using bleuprint::EditStep;
using Text = std::vector<std::uint32_t>;
using Steps = std::vector<EditStep>;

struct Measured {
    std::int64_t distance;
    Steps steps;  // the first one first
};

/// The distance and the trace within a beam of so many columns on both sides, or (0) without one.
inline Measured measure(const Text& moved, const Text& staying, double beam = 25) {
    constexpr std::int64_t INFINITE = std::int64_t{1} << 40;
    struct Cell {
        std::int64_t cost = INFINITE;
        EditStep step = EditStep::match;
    };
    const std::size_t n = moved.size(), m = staying.size();
    std::vector<std::vector<Cell>> table(n + 1, std::vector<Cell>(m + 1));
    for (std::size_t j = 0; j <= m; ++j) table[0][j] = {static_cast<std::int64_t>(j), EditStep::insertion};
    const double ratio = n ? static_cast<double>(m) / static_cast<double>(n) : 1.0;
    const double width = beam < ratio / 2 ? std::ceil(ratio / 2 + beam) : beam;
    for (std::size_t i = 1; i <= n; ++i) {
        const double middle = std::floor(static_cast<double>(i) * ratio);
        for (std::size_t j = 0; j <= m; ++j) {
            const auto column = static_cast<double>(j);
            if (beam > 0 && (column < middle - width || (column >= middle + width && i < n))) continue;
            Cell& cell = table[i][j];
            const auto offer = [&](std::int64_t cost, EditStep step) {
                if (cost < cell.cost) cell = {cost, step};
            };
            if (j) {
                const bool equal = moved[i - 1] == staying[j - 1];
                offer(table[i - 1][j - 1].cost + !equal, equal ? EditStep::match : EditStep::substitution);
            }
            offer(table[i - 1][j].cost + 1, EditStep::deletion);
            if (j) offer(table[i][j - 1].cost + 1, EditStep::insertion);
        }
    }
    Steps steps;
    for (std::size_t i = n, j = m; i || j;) {
        const EditStep step = table[i][j].step;
        steps.insert(steps.begin(), step);
        i -= step != EditStep::insertion;
        j -= step != EditStep::deletion;
    }
    return {table[n][m].cost, steps};
}

inline Text shift(const Text& words, std::size_t start, std::size_t length, std::size_t to) {
    Text rest = words;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(start), rest.begin() + static_cast<std::ptrdiff_t>(start + length));
    std::size_t place = to;                                    // before the block: as it is
    if (to > start + length) place = to - length;              // behind the block, which no longer stands there
    place = std::min(place, rest.size());                      // else as many words to the right as `to` is from the start
    const auto block = words.begin() + static_cast<std::ptrdiff_t>(start);
    rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(place), block, block + static_cast<std::ptrdiff_t>(length));
    return rest;
}

/// What a search does; that of the kernel tries nothing where no order of the words is nearer, so tries are not told.
inline bleuprint::SearchTrace trace(Text words, const Text& staying, std::size_t longest) {
    bleuprint::SearchTrace found;
    for (std::size_t tried = 0;;) {
        const Measured now = measure(words, staying);
        (found.shifts.empty() ? found.left : found.shifts.back().left) = now.distance;
        std::vector<std::int64_t> at(staying.size());
        std::vector<bool> wrong(words.size()), wrong_staying(staying.size());
        std::size_t a = 0, b = 0;
        for (const EditStep step : now.steps) {
            if (step != EditStep::insertion) wrong[a++] = step != EditStep::match;
            if (step != EditStep::deletion) {
                wrong_staying[b] = step != EditStep::match;
                at[b++] = static_cast<std::int64_t>(a) - 1;
            }
        }
        using Rank = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
        Rank best{0, 0, 0, 0};
        Text best_words;
        const auto try_all = [&] {
            for (std::size_t start = 0; start < words.size(); ++start) {
                for (std::size_t goal = 0; goal < staying.size(); ++goal) {
                    if ((goal > start ? goal - start : start - goal) > 50) continue;
                    bool some = false, some_staying = false;
                    for (std::size_t length = 1; length <= longest; ++length) {
                        const std::size_t end = start + length, goal_end = goal + length;
                        if (end > words.size() || goal_end > staying.size() || words[end - 1] != staying[goal_end - 1]) break;
                        some = some || wrong[end - 1];
                        some_staying = some_staying || wrong_staying[goal_end - 1];
                        if (!some || !some_staying) continue;
                        if (at[goal] >= static_cast<std::int64_t>(start) && at[goal] < static_cast<std::int64_t>(end)) continue;
                        std::int64_t before = -1;
                        for (std::size_t place = goal; place <= goal_end; ++place) {
                            const std::int64_t to = place ? at[place - 1] + 1 : 0;
                            if (to == before) continue;
                            before = to;
                            Text moved = shift(words, start, length, static_cast<std::size_t>(to));
                            const Rank rank{now.distance - measure(moved, staying).distance,
                                            static_cast<std::int64_t>(length), -static_cast<std::int64_t>(start), -to};
                            ++tried;
                            if (best_words.empty() || rank > best) {
                                best = rank;
                                best_words = std::move(moved);
                            }
                        }
                        if (tried >= 1000) return;
                    }
                }
            }
        };
        try_all();
        if (tried >= 1000 || best_words.empty() || std::get<0>(best) <= 0) {
            found.steps = now.steps;
            return found;
        }
        const auto [saved, length, start, to] = best;
        found.shifts.push_back({static_cast<std::uint32_t>(-start), static_cast<std::uint32_t>(length),
                                static_cast<std::uint32_t>(-to), 0});
        words = best_words;
    }
}

inline bleuprint::Edits count_edits(const bleuprint::SearchTrace& found) {
    bleuprint::Edits edits;
    edits.shifts = std::ssize(found.shifts);
    for (const EditStep step : found.steps) {
        edits.insertions += step == EditStep::insertion;
        edits.deletions += step == EditStep::deletion;
        edits.substitutions += step == EditStep::substitution;
    }
    return edits;
}

inline bleuprint::Edits count_edits(const Text& words, const Text& staying, std::size_t longest) {
    return count_edits(trace(words, staying, longest));
}

inline bool are_equal(const bleuprint::SearchTrace& one, const bleuprint::SearchTrace& other) {
    const auto same = [](const bleuprint::MadeShift& a, const bleuprint::MadeShift& b) {
        return a.start == b.start && a.length == b.length && a.to == b.to && a.left == b.left;
    };
    return one.left == other.left && one.steps == other.steps &&
           std::equal(one.shifts.begin(), one.shifts.end(), other.shifts.begin(), other.shifts.end(), same);
}

}  // namespace slow

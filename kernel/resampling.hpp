// Resampling: which segments a bootstrap draws and which coins a randomisation flips, as resampling.py defines it, and
// the sums or the scores of what comes out. To be scored no resample is kept: a thread needs room for one.
//
// A scorer is what a metric adds to that: `columns(width)` names the columns of a table that its formula needs, and
// `score(row)` scores these numbers. Every thread has a copy.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "formula.hpp"
#include "hashing.hpp"
#include "instructions.hpp"
#include "stats.hpp"
#include "threads.hpp"

namespace bleuprint {

inline constexpr std::uint64_t GAMMA = 0x9E3779B97F4A7C15;

/// What a stream is for: the two tests share a seed, and must not share their numbers.
enum class Purpose : std::uint64_t { bootstrap = 1, randomisation = 2 };

/// Scramble 64 bits: SplitMix64's last step.
inline std::uint64_t mix(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

/// The key of a resample, from which all of its words follow.
inline std::uint64_t make_key(std::uint64_t seed, Purpose purpose, std::uint64_t number) {
    return mix(mix(seed + static_cast<std::uint64_t>(purpose) * GAMMA) + (number + 1) * GAMMA);
}

inline std::uint64_t word_at(std::uint64_t key, std::uint64_t place) { return mix(key + (place + 1) * GAMMA); }

/// Draw `size` of `size` segments with replacement, each equally likely; `size` has at most 32 bits.
template <class Take>
void draw_indices(std::size_t size, std::uint64_t key, Take take) {
    const std::uint64_t unfair = (std::uint64_t{1} << 32) % size;
    std::size_t drawn = 0;
    auto draw = [&](std::uint64_t half) {
        const std::uint64_t product = half * size;
        if ((product & 0xFFFFFFFF) < unfair) return;
        take(static_cast<std::size_t>(product >> 32));
        ++drawn;
    };
    for (std::uint64_t place = 0; drawn < size; ++place) {
        const std::uint64_t word = word_at(key, place);
        draw(word & 0xFFFFFFFF);
        if (drawn < size) draw(word >> 32);
    }
}

/// Tables of as many segments each, counted alike.
struct Tables {
    std::vector<std::span<const std::int64_t>> numbers;
    std::size_t width;

    std::size_t size() const { return numbers.empty() ? 0 : numbers[0].size() / width; }
};

/// Places of columns in the rows of a table.
using Selection = std::vector<std::size_t>;

inline Selection all_columns(std::size_t width) {
    Selection columns(width);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
}

/// BLEU's formula; a table may have more orders than it needs.
class BleuScorer {
public:
    explicit BleuScorer(const Formula& formula) : formula_(&formula) {}

    Selection columns(std::size_t width) const {
        const std::size_t order = static_cast<std::size_t>(formula_->order()), table_order = (width - 2) / 2;
        Selection columns = all_columns(2 + order);
        for (std::size_t n = 0; n < order; ++n) columns.push_back(2 + table_order + n);
        return columns;
    }

    double score(std::int64_t* row) { return 100.0 * fraction(Row{row, formula_->order()}, *formula_, settled_); }

private:
    const Formula* formula_;
    std::vector<Precision> settled_;
};

/// Whether every sum of rows, and of differences between them, fits into `Number` and is exact as a float.
template <class Number>
bool sums_fit(const Tables& tables) {
    const auto segments = static_cast<std::int64_t>(std::max<std::size_t>(1, tables.size()));
    const std::int64_t bound = std::min<std::int64_t>(EXACT, std::numeric_limits<Number>::max()) / 2 / segments;
    for (const auto& table : tables.numbers) {
        for (const std::int64_t number : table) {
            if (number > bound || number < -bound) return false;
        }
    }
    return true;
}

/// The kernel's formulas rest on counts that are not negative; Python scores any others, too.
inline void refuse_negative(const Tables& tables) {
    for (const auto& table : tables.numbers) {
        for (const std::int64_t number : table) {
            if (number < 0) throw std::overflow_error("a number is below 0");
        }
    }
}

template <class Number>
bool numbers_fit(const Tables& tables) {
    for (const auto& table : tables.numbers) {
        for (const std::int64_t number : table) {
            if (number > std::numeric_limits<Number>::max() || number < std::numeric_limits<Number>::min()) return false;
        }
    }
    return true;
}

/// So many resamples are summed together.
inline constexpr std::size_t BLOCK = 4;

/// Sum one column for each resample of a block, each segment as often as it was drawn. A loop that compilers know: eight
/// products at a time, with AVX2 sixteen, and the column is read once for all.
template <class Number, class Sum>
ALWAYS_INLINE inline std::array<Sum, BLOCK> add_products(const Number* numbers, const Number* times,
                                                         std::size_t segments) {
    static_assert(BLOCK == 4);
    const Number* const second = times + segments;
    const Number* const third = second + segments;
    const Number* const fourth = third + segments;
    Sum a = 0, b = 0, c = 0, d = 0;  // an array of sums is one that Clang adds up number by number
    for (std::size_t place = 0; place < segments; ++place) {
        const auto number = static_cast<Sum>(numbers[place]);
        a += number * static_cast<Sum>(times[place]);
        b += number * static_cast<Sum>(second[place]);
        c += number * static_cast<Sum>(third[place]);
        d += number * static_cast<Sum>(fourth[place]);
    }
    return {a, b, c, d};
}

template <class Number, class Sum>
std::array<Sum, BLOCK> add_products_plainly(const Number* numbers, const Number* times, std::size_t segments) {
    return add_products<Number, Sum>(numbers, times, segments);
}

#if defined(WITH_AVX2)
template <class Number, class Sum>
WITH_AVX2 std::array<Sum, BLOCK> add_products_with_avx2(const Number* numbers, const Number* times,
                                                        std::size_t segments) {
    return add_products<Number, Sum>(numbers, times, segments);
}
#endif

/// The columns of all tables, each once: reference lengths are often the same, and candidate lengths the first totals.
template <class Number>
class Columns {
public:
    Columns(const Tables& tables, const Selection& selection) : segments_(tables.size()) {
        for (const auto& table : tables.numbers) {
            for (const std::size_t column : selection) {
                Watch::look();
                std::vector<Number> own(segments_);
                for (std::size_t place = 0; place < segments_; ++place) {
                    own[place] = static_cast<Number>(table[place * tables.width + column]);
                }
                const auto known = std::find(columns_.begin(), columns_.end(), own);
                places_.push_back(static_cast<std::size_t>(known - columns_.begin()));
                if (known == columns_.end()) columns_.push_back(std::move(own));
            }
        }
    }

    std::size_t distinct() const { return columns_.size(); }

    /// Which of the distinct columns the `which`-th of all columns is.
    std::size_t place(std::size_t which) const { return places_[which]; }

    /// Sum one column for each resample of a block.
    template <class Sum>
    std::array<Sum, BLOCK> sum(std::size_t which, const std::vector<Number>& counts) const {
        const Number* const numbers = columns_[which].data();
#if defined(WITH_AVX2)
        if (can_avx2()) return add_products_with_avx2<Number, Sum>(numbers, counts.data(), segments_);
#endif
        return add_products_plainly<Number, Sum>(numbers, counts.data(), segments_);
    }

private:
    std::size_t segments_;
    std::vector<std::vector<Number>> columns_;
    std::vector<std::size_t> places_;
};

template <class Number, class Sum, class MakeState, class Take>
void bootstrap_as(const Tables& tables, const Selection& selection, std::uint64_t seed, std::size_t start,
                  std::size_t resamples, std::size_t threads, MakeState make_state, Take take) {
    const std::size_t width = selection.size(), systems = tables.numbers.size();
    const Columns<Number> columns(tables, selection);
    const std::size_t segments = tables.size(), blocks = (resamples + BLOCK - 1) / BLOCK;
    struct State {
        std::vector<Number> counts;
        std::vector<std::array<Sum, BLOCK>> sums;
        std::vector<std::int64_t> row;
        decltype(make_state()) own;
    };
    share_out(
        blocks, choose_threads(threads, blocks, resamples * segments), 1,
        [&] {
            return State{std::vector<Number>(BLOCK * segments), std::vector<std::array<Sum, BLOCK>>(columns.distinct()),
                         std::vector<std::int64_t>(width), make_state()};
        },
        [&](State& state, std::size_t block) {
            const std::size_t first = block * BLOCK, members = std::min(BLOCK, resamples - first);
            std::fill(state.counts.begin(), state.counts.end(), Number{0});
            for (std::size_t member = 0; member < members; ++member) {
                draw_indices(segments, make_key(seed, Purpose::bootstrap, start + first + member),
                             [&](std::size_t index) { ++state.counts[member * segments + index]; });
            }
            for (std::size_t column = 0; column < columns.distinct(); ++column) {
                state.sums[column] = columns.template sum<Sum>(column, state.counts);
            }
            for (std::size_t system = 0; system < systems; ++system) {
                for (std::size_t member = 0; member < members; ++member) {
                    for (std::size_t column = 0; column < width; ++column) {
                        state.row[column] = state.sums[columns.place(system * width + column)][member];
                    }
                    take(state.own, system * resamples + first + member, state.row.data());
                }
            }
        });
}

/// Sum the selected columns of every table over every resample, from number `start` on. `take(state, place, row)` gets
/// each row of sums; `place` counts the resamples of the first table, then those of the next.
template <class MakeState, class Take>
void draw_resamples(const Tables& tables, const Selection& selection, std::uint64_t seed, std::size_t start,
                    std::size_t resamples, std::size_t threads, MakeState make_state, Take take) {
    // 16 bits also hold how often a segment is drawn: that follows Poisson's law with mean 1, and 32,768 times come up
    // once in more than 10^100000 resamples.
    if (sums_fit<std::int32_t>(tables) && numbers_fit<std::int16_t>(tables)) {
        bootstrap_as<std::int16_t, std::int32_t>(tables, selection, seed, start, resamples, threads, make_state, take);
    } else if (sums_fit<std::int64_t>(tables)) {
        bootstrap_as<std::int64_t, std::int64_t>(tables, selection, seed, start, resamples, threads, make_state, take);
    } else {
        throw std::overflow_error("a sum has more than 53 bits");
    }
}

/// Score every system on every resample: `scores` has `resamples` scores of the first system, then of the next.
template <class Scorer>
void bootstrap(const Tables& tables, const Scorer& scorer, std::uint64_t seed, std::size_t resamples, double* scores,
               std::size_t threads) {
    refuse_negative(tables);
    draw_resamples(
        tables, scorer.columns(tables.width), seed, 0, resamples, threads, [&] { return scorer; },
        [&](Scorer& own, std::size_t place, std::int64_t* row) { scores[place] = own.score(row); });
}

/// The sums themselves, for formulas that the kernel does not know: as many rows in the same sequence.
inline void bootstrap_sums(const Tables& tables, std::uint64_t seed, std::size_t start, std::size_t resamples,
                           std::int64_t* sums, std::size_t threads) {
    draw_resamples(
        tables, all_columns(tables.width), seed, start, resamples, threads, [] { return 0; },
        [&](int, std::size_t place, const std::int64_t* row) {
            std::copy(row, row + tables.width, sums + place * tables.width);
        });
}

/// What swapping two systems' rows changes: second minus first, column by column. A column in which nothing changes is
/// left out, and of equal ones one is kept.
class Changes {
public:
    Changes(const Tables& tables, const Selection& selection) : live_((tables.size() + 63) / 64) {
        const std::size_t width = selection.size(), segments = tables.size();
        columns_.emplace_back(segments);  // the first one: no change
        std::vector<std::vector<std::int64_t>> all(width, columns_[0]);
        for (std::size_t place = 0; place < segments; ++place) {
            if (place % A_WHILE == 0) Watch::look();
            const std::size_t start = place * tables.width;
            for (std::size_t column = 0; column < width; ++column) {
                const std::size_t from = start + selection[column];
                const std::int64_t change = tables.numbers[1][from] - tables.numbers[0][from];
                all[column][place] = change;
                if (change) live_[place / 64] = true;
            }
        }
        for (std::vector<std::int64_t>& column : all) {
            Watch::look();
            const auto known = std::find(columns_.begin(), columns_.end(), column);
            places_.push_back(static_cast<std::size_t>(known - columns_.begin()));
            if (known == columns_.end()) columns_.push_back(std::move(column));
        }
    }

    std::size_t segments() const { return columns_[0].size(); }
    std::size_t distinct() const { return columns_.size() - 1; }
    std::int64_t at(std::size_t which, std::size_t place) const { return columns_[which + 1][place]; }

    /// Whether anything changes, for each 64 segments.
    const std::vector<char>& live() const { return live_; }

    /// Which of the distinct columns, counted from 1, each column of a row is; 0 where nothing changes.
    const std::vector<std::size_t>& places() const { return places_; }

    /// Whether the sum of any of them fits into `Number`.
    template <class Number>
    bool fit() const {
        for (const std::vector<std::int64_t>& column : columns_) {
            std::int64_t most = 0;
            for (const std::int64_t change : column) most += std::abs(change);
            if (most > std::numeric_limits<Number>::max()) return false;
        }
        return true;
    }

private:
    std::vector<char> live_;
    std::vector<std::vector<std::int64_t>> columns_;
    std::vector<std::size_t> places_;
};

/// Numbers that are added at once: as many as fit 16 bytes, a register of every processor.
template <class Number>
struct Lanes {
    static constexpr std::size_t SIZE = 16 / sizeof(Number);
#if defined(__GNUC__)
    Number numbers __attribute__((vector_size(16)));
    void add(const Lanes& other) { numbers += other.numbers; }
#else
    std::array<Number, SIZE> numbers;
    void add(const Lanes& other) {
        for (std::size_t lane = 0; lane < SIZE; ++lane) numbers[lane] += other.numbers[lane];
    }
#endif
};

/// The changes of four segments at a time, summed beforehand for each of 16 sets of coins.
template <class Number>
class Swaps {
public:
    explicit Swaps(const Changes& changes)
        : changes_(changes), stride_((changes.distinct() + SIZE - 1) / SIZE),
          sums_(changes.live().size() * GROUPS * SETS * stride_) {
        for (std::size_t place = 0; place < changes.segments(); ++place) {
            if (place % A_WHILE == 0) Watch::look();
            Lanes<Number>* const group = sums_.data() + place / 4 * SETS * stride_;
            for (std::size_t set = 0; set < SETS; ++set) {
                if (!(set >> place % 4 & 1)) continue;
                for (std::size_t column = 0; column < changes.distinct(); ++column) {
                    group[set * stride_ + column / SIZE].numbers[column % SIZE] +=
                        static_cast<Number>(changes.at(column, place));
                }
            }
        }
    }

    /// Sum the changes of one trial.
    void sum(std::uint64_t key, std::vector<std::int64_t>& into) const {
        switch (stride_) {
            case 1: return sum_in(std::array<Lanes<Number>, 1>{}, key, into);
            case 2: return sum_in(std::array<Lanes<Number>, 2>{}, key, into);
            case 4: return sum_in(std::array<Lanes<Number>, 4>{}, key, into);
            default: return sum_in(std::vector<Lanes<Number>>(stride_), key, into);
        }
    }

private:
    static constexpr std::size_t SETS = 16, GROUPS = 16, SIZE = Lanes<Number>::SIZE;

    /// `sums` is room for the sums of all columns; where its size is known beforehand, it stays in registers.
    template <class Sums>
    void sum_in(Sums sums, std::uint64_t key, std::vector<std::int64_t>& into) const {
        const Lanes<Number>* group = sums_.data();
        for (std::size_t word = 0; word < changes_.live().size(); ++word) {
            if (!changes_.live()[word]) {
                group += GROUPS * SETS * sums.size();
                continue;
            }
            std::uint64_t coins = word_at(key, word);
            for (std::size_t four = 0; four < GROUPS; ++four, coins >>= 4, group += SETS * sums.size()) {
                const Lanes<Number>* const row = group + (coins & 15) * sums.size();
                for (std::size_t part = 0; part < sums.size(); ++part) sums[part].add(row[part]);
            }
        }
        for (std::size_t column = 0; column < into.size(); ++column) {
            const std::size_t place = changes_.places()[column];
            into[column] = place ? sums[(place - 1) / SIZE].numbers[(place - 1) % SIZE] : 0;
        }
    }

    const Changes& changes_;
    std::size_t stride_;
    std::vector<Lanes<Number>> sums_;
};

template <class Number, class MakeState, class Take>
void randomise_as(const Tables& tables, const Selection& selection, const Changes& known, std::uint64_t seed,
                  std::size_t start, std::size_t trials, std::size_t threads, MakeState make_state, Take take) {
    const std::size_t width = selection.size();
    const Swaps<Number> swaps(known);
    std::array<std::vector<std::int64_t>, 2> whole;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<std::int64_t> sums = sum_rows(tables.numbers[side], tables.width);
        for (const std::size_t column : selection) whole[side].push_back(sums[column]);
    }
    struct State {
        std::vector<std::int64_t> changes;
        std::array<std::vector<std::int64_t>, 2> rows;
        decltype(make_state()) own;
    };
    share_out(
        trials, choose_threads(threads, trials, trials * tables.size() / 4), 16,
        [&] { return State{std::vector<std::int64_t>(width), whole, make_state()}; },
        [&](State& state, std::size_t number) {
            swaps.sum(make_key(seed, Purpose::randomisation, start + number), state.changes);
            for (std::size_t column = 0; column < width; ++column) {
                state.rows[0][column] = whole[0][column] + state.changes[column];
                state.rows[1][column] = whole[1][column] - state.changes[column];
            }
            take(state.own, number, state.rows);
        });
}

/// Swap two systems' rows at random and sum the selected columns, in every trial from number `start` on.
/// `take(state, number, rows)` gets the two rows of sums.
template <class MakeState, class Take>
void swap_rows(const Tables& tables, const Selection& selection, std::uint64_t seed, std::size_t start,
               std::size_t trials, std::size_t threads, MakeState make_state, Take take) {
    if (!sums_fit<std::int64_t>(tables)) throw std::overflow_error("a sum has more than 53 bits");
    const Changes changes(tables, selection);
    auto run = [&](auto number) {
        randomise_as<decltype(number)>(tables, selection, changes, seed, start, trials, threads, make_state, take);
    };
    if (changes.fit<std::int16_t>()) return run(std::int16_t{});
    if (changes.fit<std::int32_t>()) return run(std::int32_t{});
    run(std::int64_t{});
}

/// Count the trials whose scores are at least `threshold` apart.
template <class Scorer>
std::size_t randomise(const Tables& tables, const Scorer& scorer, std::uint64_t seed, std::size_t trials,
                      double threshold, std::size_t threads) {
    refuse_negative(tables);
    std::atomic<std::size_t> extreme{0};
    swap_rows(
        tables, scorer.columns(tables.width), seed, 0, trials, threads, [&] { return scorer; },
        [&](Scorer& own, std::size_t, std::array<std::vector<std::int64_t>, 2>& rows) {
            const double first = own.score(rows[0].data()), second = own.score(rows[1].data());
            if (std::abs(first - second) >= threshold) extreme.fetch_add(1, std::memory_order_relaxed);
        });
    return extreme;
}

/// The sums themselves: of every trial the row of the first system, then that of the second.
inline void swap_sums(const Tables& tables, std::uint64_t seed, std::size_t start, std::size_t trials,
                      std::int64_t* sums, std::size_t threads) {
    swap_rows(
        tables, all_columns(tables.width), seed, start, trials, threads, [] { return 0; },
        [&](int, std::size_t number, const std::array<std::vector<std::int64_t>, 2>& rows) {
            std::int64_t* const to = sums + 2 * number * tables.width;
            std::copy(rows[1].begin(), rows[1].end(), std::copy(rows[0].begin(), rows[0].end(), to));
        });
}

}  // namespace bleuprint

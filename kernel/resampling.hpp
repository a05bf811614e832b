// Resampling: which segments a bootstrap draws and which coins a randomisation flips, as resampling.py defines it, and
// the scores of what comes out. No resample is kept: a thread needs room for one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "formula.hpp"
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
    int order;

    std::size_t size() const { return numbers.empty() ? 0 : numbers[0].size() / row_width(order); }
};

/// Up to here whole numbers become floats without rounding; Python divides larger ones without, too.
inline constexpr std::int64_t EXACT = std::int64_t{1} << 53;

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

template <class Number>
bool numbers_fit(const Tables& tables) {
    for (const auto& table : tables.numbers) {
        for (const std::int64_t number : table) {
            if (number > std::numeric_limits<Number>::max() || number < std::numeric_limits<Number>::min()) return false;
        }
    }
    return true;
}

/// Copy what a formula of `order` needs of a row.
template <class Number>
void copy_row(const std::int64_t* from, int table_order, int order, Number* into) {
    auto narrow = [](std::int64_t number) { return static_cast<Number>(number); };
    std::transform(from, from + 2 + order, into, narrow);
    std::transform(from + 2 + table_order, from + 2 + table_order + order, into + 2 + order, narrow);
}

/// So many resamples are summed together.
inline constexpr std::size_t BLOCK = 4;

/// The columns of all tables, each once: reference lengths are often the same, and candidate lengths the first totals.
template <class Number>
class Columns {
public:
    Columns(const Tables& tables, int order) : segments_(tables.size()) {
        for (const auto& table : tables.numbers) {
            for (std::size_t column = 0; column < row_width(order); ++column) {
                const bool is_total = column >= 2 + static_cast<std::size_t>(order);
                const std::size_t skipped = is_total ? static_cast<std::size_t>(tables.order - order) : 0;
                Watch::look();
                std::vector<Number> own(segments_);
                for (std::size_t place = 0; place < segments_; ++place) {
                    own[place] = static_cast<Number>(table[place * row_width(tables.order) + column + skipped]);
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

    /// Sum one column for each resample of a block, each segment as often as it was drawn. A loop that compilers know:
    /// eight products at a time, and the column is read once for all.
    template <class Sum>
    std::array<Sum, BLOCK> sum(std::size_t which, const std::vector<Number>& counts) const {
        const Number* const numbers = columns_[which].data();
        const Number* const times = counts.data();
        std::array<Sum, BLOCK> sums{};
        for (std::size_t place = 0; place < segments_; ++place) {
            for (std::size_t member = 0; member < BLOCK; ++member) {
                sums[member] += static_cast<Sum>(numbers[place]) * static_cast<Sum>(times[member * segments_ + place]);
            }
        }
        return sums;
    }

private:
    std::size_t segments_;
    std::vector<std::vector<Number>> columns_;
    std::vector<std::size_t> places_;
};

template <class Number, class Sum>
void bootstrap_as(const Tables& tables, const Formula& formula, std::uint64_t seed, std::size_t resamples,
                  double* scores, std::size_t threads) {
    const int order = formula.order();
    const std::size_t width = row_width(order), systems = tables.numbers.size();
    const Columns<Number> columns(tables, order);
    const std::size_t segments = tables.size(), blocks = (resamples + BLOCK - 1) / BLOCK;
    struct State {
        std::vector<Number> counts;
        std::vector<std::array<Sum, BLOCK>> sums;
        std::vector<std::int64_t> row;
        std::vector<Precision> settled;
    };
    share_out(
        blocks, choose_threads(threads, blocks, resamples * segments), 1,
        [&] {
            return State{std::vector<Number>(BLOCK * segments), std::vector<std::array<Sum, BLOCK>>(columns.distinct()),
                         std::vector<std::int64_t>(width), {}};
        },
        [&](State& state, std::size_t block) {
            const std::size_t first = block * BLOCK, members = std::min(BLOCK, resamples - first);
            std::fill(state.counts.begin(), state.counts.end(), Number{0});
            for (std::size_t member = 0; member < members; ++member) {
                draw_indices(segments, make_key(seed, Purpose::bootstrap, first + member),
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
                    scores[system * resamples + first + member] =
                        100.0 * fraction(Row{state.row.data(), order}, formula, state.settled);
                }
            }
        });
}

/// Score every system on every resample: `scores` has `resamples` scores of the first system, then of the next.
inline void bootstrap(const Tables& tables, const Formula& formula, std::uint64_t seed, std::size_t resamples,
                      double* scores, std::size_t threads) {
    // 16 bits also hold how often a segment is drawn: that follows Poisson's law with mean 1, and 32,768 times come up
    // once in more than 10^100000 resamples.
    if (sums_fit<std::int32_t>(tables) && numbers_fit<std::int16_t>(tables)) {
        bootstrap_as<std::int16_t, std::int32_t>(tables, formula, seed, resamples, scores, threads);
    } else if (sums_fit<std::int64_t>(tables)) {
        bootstrap_as<std::int64_t, std::int64_t>(tables, formula, seed, resamples, scores, threads);
    } else {
        throw std::overflow_error("a sum has more than 53 bits");
    }
}

/// What swapping two systems' rows changes: second minus first, column by column. A column in which nothing changes is
/// left out, and of equal ones one is kept.
class Changes {
public:
    Changes(const Tables& tables, int order) : live_((tables.size() + 63) / 64) {
        const std::size_t width = row_width(order), segments = tables.size();
        columns_.emplace_back(segments);  // the first one: no change
        std::vector<std::vector<std::int64_t>> all(width, columns_[0]);
        std::vector<std::int64_t> first(width), second(width);
        for (std::size_t place = 0; place < segments; ++place) {
            if (place % A_WHILE == 0) Watch::look();
            const std::size_t start = place * row_width(tables.order);
            copy_row(tables.numbers[0].data() + start, tables.order, order, first.data());
            copy_row(tables.numbers[1].data() + start, tables.order, order, second.data());
            if (first != second) live_[place / 64] = true;
            for (std::size_t column = 0; column < width; ++column) all[column][place] = second[column] - first[column];
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

template <class Number>
std::size_t randomise_as(const Tables& tables, const Changes& known, const Formula& formula, std::uint64_t seed,
                         std::size_t trials, double threshold, std::size_t threads) {
    const int order = formula.order();
    const std::size_t width = row_width(order);
    const Swaps<Number> swaps(known);
    std::array<std::vector<std::int64_t>, 2> whole;
    for (std::size_t side = 0; side < 2; ++side) {
        whole[side].resize(width);
        const std::vector<std::int64_t> sums = sum_rows(tables.numbers[side], row_width(tables.order));
        copy_row(sums.data(), tables.order, order, whole[side].data());
    }
    std::atomic<std::size_t> extreme{0};
    struct State {
        std::vector<std::int64_t> changes, row;
        std::vector<Precision> settled;
    };
    share_out(
        trials, choose_threads(threads, trials, trials * tables.size() / 4), 16,
        [&] { return State{std::vector<std::int64_t>(width), std::vector<std::int64_t>(width), {}}; },
        [&](State& state, std::size_t number) {
            swaps.sum(make_key(seed, Purpose::randomisation, number), state.changes);
            std::array<double, 2> scores{};
            for (std::size_t side = 0; side < 2; ++side) {
                for (std::size_t column = 0; column < width; ++column) {
                    const std::int64_t change = state.changes[column];
                    state.row[column] = whole[side][column] + (side ? -change : change);
                }
                scores[side] = 100.0 * fraction(Row{state.row.data(), order}, formula, state.settled);
            }
            if (std::abs(scores[0] - scores[1]) >= threshold) extreme.fetch_add(1, std::memory_order_relaxed);
        });
    return extreme;
}

/// Swap two systems' rows at random; count the trials whose scores are at least `threshold` apart.
inline std::size_t randomise(const Tables& tables, const Formula& formula, std::uint64_t seed, std::size_t trials,
                             double threshold, std::size_t threads) {
    if (!sums_fit<std::int64_t>(tables)) throw std::overflow_error("a sum has more than 53 bits");
    const Changes changes(tables, formula.order());
    auto run = [&](auto number) {
        return randomise_as<decltype(number)>(tables, changes, formula, seed, trials, threshold, threads);
    };
    if (changes.fit<std::int16_t>()) return run(std::int16_t{});
    if (changes.fit<std::int32_t>()) return run(std::int32_t{});
    return run(std::int64_t{});
}

}  // namespace bleuprint

// resampling.hpp: the published generator, draws and swaps that are what they claim to be, any number of threads.
#include "../resampling.hpp"

#include "check.hpp"

using namespace bleuprint;

namespace {

Formula plain_formula(int order) {
    Formula formula;
    formula.weights.assign(static_cast<std::size_t>(order), 1.0 / order);
    return formula;
}

/// Rows that look like statistics, from the generator itself.
std::vector<std::int64_t> make_rows(std::size_t rows, int order, std::uint64_t key, std::int64_t scale = 1) {
    std::vector<std::int64_t> numbers;
    for (std::size_t place = 0; place < rows; ++place) {
        const auto length = static_cast<std::int64_t>(word_at(key, place) % 20);
        numbers.push_back(length * scale);
        numbers.push_back(static_cast<std::int64_t>(word_at(key + 1, place) % 20) * scale);
        for (int n = 0; n < order; ++n) numbers.push_back(std::max<std::int64_t>(0, length - n) / (n + 1) * scale);
        for (int n = 0; n < order; ++n) numbers.push_back(std::max<std::int64_t>(0, length - n) * scale);
    }
    return numbers;
}

double score_of(std::vector<std::int64_t> row, const Formula& formula) {
    std::vector<Precision> settled;
    return 100.0 * fraction(Row{row.data(), formula.order()}, formula, settled);
}

template <class Number, class Sum>
std::array<Sum, BLOCK> sums_by_definition(const std::vector<Number>& numbers, const std::vector<Number>& counts) {
    std::array<Sum, BLOCK> sums{};
    for (std::size_t member = 0; member < BLOCK; ++member) {
        for (std::size_t place = 0; place < numbers.size(); ++place) {
            sums[member] += static_cast<Sum>(numbers[place]) * counts[member * numbers.size() + place];
        }
    }
    return sums;
}

/// Every way to sum a column gives the same.
template <class Number, class Sum>
void check_sums(const std::vector<Number>& numbers, const std::vector<Number>& counts) {
    const auto expected = sums_by_definition<Number, Sum>(numbers, counts);
    const auto plain = add_products_plainly<Number, Sum>(numbers.data(), counts.data(), numbers.size());
    CHECK_EQUAL(plain, expected);
#if defined(WITH_AVX2)
    if (!can_avx2()) return;
    const auto wide = add_products_with_avx2<Number, Sum>(numbers.data(), counts.data(), numbers.size());
    CHECK_EQUAL(wide, expected);
#endif
}

/// Drawn counts, and those of which one segment has all, with the largest numbers that `sums_fit` lets pass.
template <class Number, class Sum>
void check_sums_of(std::size_t segments) {
    const std::int64_t most = std::min<std::int64_t>(EXACT, std::numeric_limits<Sum>::max()) / 2 /
                              static_cast<std::int64_t>(segments);
    const auto large = static_cast<Number>(std::min<std::int64_t>(most, std::numeric_limits<Number>::max()));
    const auto low = static_cast<Number>(std::max<std::int64_t>(-most, std::numeric_limits<Number>::min()));
    std::vector<Number> mixed, drawn(BLOCK * segments), gathered(BLOCK * segments);
    for (std::size_t place = 0; place < segments; ++place) mixed.push_back(word_at(7, place) & 1 ? large : low);
    for (std::size_t member = 0; member < BLOCK; ++member) {
        draw_indices(segments, make_key(4, Purpose::bootstrap, member),
                     [&](std::size_t index) { ++drawn[member * segments + index]; });
        gathered[member * segments + member * (segments - 1) / (BLOCK - 1)] = static_cast<Number>(segments);
    }
    for (const auto& numbers : {mixed, std::vector<Number>(segments, large), std::vector<Number>(segments, low)}) {
        check_sums<Number, Sum>(numbers, drawn);
        check_sums<Number, Sum>(numbers, gathered);
    }
}

}  // namespace

TEST(words_are_those_of_splitmix64) {
    CHECK_EQUAL(word_at(1234567, 0), std::uint64_t{6457827717110365317u});
    CHECK_EQUAL(word_at(1234567, 1), std::uint64_t{3203168211198807973u});
    CHECK_EQUAL(word_at(1234567, 2), std::uint64_t{9817491932198370423u});
}

TEST(indices_are_as_many_as_segments_and_within) {
    for (const std::size_t size : {1, 2, 3, 63, 64, 65, 1000}) {
        std::size_t drawn = 0;
        draw_indices(size, make_key(1, Purpose::bootstrap, size), [&](std::size_t index) {
            CHECK(index < size);
            ++drawn;
        });
        CHECK_EQUAL(drawn, size);
    }
}

TEST(resamples_are_sums_of_drawn_rows_with_any_number_of_threads) {
    for (const int order : {1, 4, 5}) {
        for (const std::int64_t scale : {std::int64_t{1}, std::int64_t{100'000'000}}) {
            const Formula formula = plain_formula(order);
            const std::size_t width = row_width(order);
            const auto first = make_rows(70, order, 5, scale), second = make_rows(70, order, 9, scale);
            const Tables tables{{first, second}, row_width(order)};
            std::vector<double> expected(2 * 6);
            for (std::size_t number = 0; number < 6; ++number) {
                std::vector<std::int64_t> sums(width), others(width);
                draw_indices(70, make_key(3, Purpose::bootstrap, number), [&](std::size_t index) {
                    for (std::size_t column = 0; column < width; ++column) {
                        sums[column] += first[index * width + column];
                        others[column] += second[index * width + column];
                    }
                });
                expected[number] = score_of(sums, formula);
                expected[6 + number] = score_of(others, formula);
            }
            for (const std::size_t threads : {1, 2, 5}) {
                std::vector<double> scores(2 * 6);
                bootstrap(tables, BleuScorer(formula), 3, 6, scores.data(), threads);
                CHECK_EQUAL(scores, expected);
            }
        }
    }
}

TEST(columns_sum_alike_with_all_instructions) {
    for (const std::size_t segments : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 2037, 32767}) {
        check_sums_of<std::int16_t, std::int32_t>(segments);
        check_sums_of<std::int64_t, std::int64_t>(segments);
    }
}

TEST(sums_are_whole_where_numbers_outgrow_16_bits) {
    for (const std::int64_t brim : {-32769, -32768, 32767, 32768}) {
        std::vector<std::int64_t> rows(70, brim), expected(6);
        rows[3] = 1;
        for (std::size_t number = 0; number < 6; ++number) {
            draw_indices(70, make_key(3, Purpose::bootstrap, number),
                         [&](std::size_t index) { expected[number] += rows[index]; });
        }
        std::vector<std::int64_t> sums(6);
        bootstrap_sums(Tables{{rows}, 1}, 3, 0, 6, sums.data(), 1);
        CHECK_EQUAL(sums, expected);
    }
}

TEST(swaps_are_those_of_the_coins_with_any_number_of_threads) {
    for (const int order : {1, 4, 6}) {
        for (const std::size_t rows : {1, 63, 64, 200}) {
            const Formula formula = plain_formula(order);
            const std::size_t width = row_width(order);
            const auto first = make_rows(rows, order, 21);
            auto second = first;  // alike but for the last segments, so that whole words have nothing to swap
            const auto other = make_rows(rows, order, 22);
            std::copy(other.end() - static_cast<std::ptrdiff_t>(width * ((rows + 3) / 4)), other.end(),
                      second.end() - static_cast<std::ptrdiff_t>(width * ((rows + 3) / 4)));
            const Tables tables{{first, second}, row_width(order)};
            std::size_t expected = 0;
            const double threshold = 1.0;
            for (std::size_t number = 0; number < 40; ++number) {
                const std::uint64_t key = make_key(8, Purpose::randomisation, number);
                std::vector<std::int64_t> one(width), two(width);
                for (std::size_t place = 0; place < rows; ++place) {
                    const bool coin = word_at(key, place / 64) >> (place % 64) & 1;
                    for (std::size_t column = 0; column < width; ++column) {
                        const std::size_t at = place * width + column;
                        one[column] += coin ? second[at] : first[at];
                        two[column] += coin ? first[at] : second[at];
                    }
                }
                expected += std::abs(score_of(one, formula) - score_of(two, formula)) >= threshold;
            }
            for (const std::size_t threads : {1, 3}) {
                CHECK_EQUAL(randomise(tables, BleuScorer(formula), 8, 40, threshold, threads), expected);
            }
        }
    }
}

TEST(sums_alone_are_those_that_are_scored_and_begin_anywhere) {
    const std::size_t width = 7;  // of no metric
    std::vector<std::int64_t> first, second;
    for (std::size_t place = 0; place < 70 * width; ++place) {
        first.push_back(static_cast<std::int64_t>(word_at(5, place) % 9));
        second.push_back(static_cast<std::int64_t>(word_at(6, place) % 100'000));
    }
    const Tables tables{{first, second}, width};
    const std::size_t start = 5, count = 6;
    std::vector<std::int64_t> drawn(2 * count * width), swapped(2 * count * width);
    for (std::size_t number = 0; number < count; ++number) {
        draw_indices(70, make_key(3, Purpose::bootstrap, start + number), [&](std::size_t index) {
            for (std::size_t column = 0; column < width; ++column) {
                drawn[number * width + column] += first[index * width + column];
                drawn[(count + number) * width + column] += second[index * width + column];
            }
        });
        const std::uint64_t key = make_key(3, Purpose::randomisation, start + number);
        for (std::size_t place = 0; place < 70; ++place) {
            const bool coin = word_at(key, place / 64) >> (place % 64) & 1;
            for (std::size_t column = 0; column < width; ++column) {
                const std::size_t at = place * width + column;
                swapped[2 * number * width + column] += coin ? second[at] : first[at];
                swapped[(2 * number + 1) * width + column] += coin ? first[at] : second[at];
            }
        }
    }
    for (const std::size_t threads : {1, 3}) {
        std::vector<std::int64_t> sums(2 * count * width);
        bootstrap_sums(tables, 3, start, count, sums.data(), threads);
        CHECK_EQUAL(sums, drawn);
        swap_sums(tables, 3, start, count, sums.data(), threads);
        CHECK_EQUAL(sums, swapped);
    }
}

TEST(equal_tables_are_never_apart) {
    const auto rows = make_rows(100, 4, 30);
    const Tables tables{{rows, rows}, row_width(4)};
    CHECK_EQUAL(randomise(tables, BleuScorer(plain_formula(4)), 1, 50, -1e-9, 2), std::size_t{50});
    CHECK_EQUAL(randomise(tables, BleuScorer(plain_formula(4)), 1, 50, 1e-9, 2), std::size_t{0});
}

TEST(sums_that_are_not_exact_are_refused) {
    std::vector<std::int64_t> rows = make_rows(3, 1, 1);
    rows[0] = std::int64_t{1} << 53;
    const Tables tables{{rows, rows}, row_width(1)};
    std::vector<double> scores(2);
    int refused = 0;
    try {
        bootstrap(tables, BleuScorer(plain_formula(1)), 1, 1, scores.data(), 1);
    } catch (const std::overflow_error&) {
        ++refused;
    }
    try {
        randomise(tables, BleuScorer(plain_formula(1)), 1, 1, 0.0, 1);
    } catch (const std::overflow_error&) {
        ++refused;
    }
    CHECK_EQUAL(refused, 2);
}

// edit_distance.hpp and ter.hpp, against slow definitions.
#include <random>
#include <string>

#include "../ter.hpp"
#include "check.hpp"
#include "slow_ter.hpp"

using namespace bleuprint;

namespace {

using Text = slow::Text;

Text draw_text(std::mt19937& chance, std::size_t length, std::uint32_t distinct) {
    Text words(length);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(chance() % distinct);
    return words;
}

/// Move, drop, add and change some words.
Text disturb(std::mt19937& chance, Text words, std::uint32_t distinct, int times) {
    const auto at = [&](std::size_t place) { return words.begin() + static_cast<std::ptrdiff_t>(place); };
    for (int time = 0; time < times && words.size() > 2; ++time) {
        std::size_t places[3] = {chance() % words.size(), chance() % words.size(), chance() % words.size()};
        std::sort(places, places + 3);
        switch (chance() % 4) {
            case 0: words[places[0]] = static_cast<std::uint32_t>(chance() % distinct); break;
            case 1: words.erase(at(places[0])); break;
            case 2: words.insert(at(places[0]), static_cast<std::uint32_t>(chance() % distinct)); break;
            default: std::rotate(at(places[0]), at(places[1]), at(places[2]));
        }
    }
    return words;
}

Rotation draw_rotation(std::mt19937& chance, std::size_t length) {
    std::size_t places[3] = {chance() % (length + 1), chance() % (length + 1), chance() % (length + 1)};
    std::sort(places, places + 3);
    return {places[0], places[1], places[2]};
}

template <class Distance>
slow::Steps trace_of(const Distance& distances, const Text& moved) {
    slow::Steps steps;
    distances.trace(moved, [&](EditStep step) { steps.insert(steps.begin(), step); });
    return steps;
}

/// Whether a distance and its trace are the definition's, as are those after a rotation, tried and then made.
template <class Distance>
void check_distance(Distance& distances, Text moved, const Text& staying, const Rotation& rotation, double beam) {
    constexpr std::int64_t NO_LIMIT = std::int64_t{1} << 40;
    const auto expected = slow::measure(moved, staying, beam);
    CHECK_EQUAL(distances.measure(moved, 0), expected.distance);
    CHECK(trace_of(distances, moved) == expected.steps);
    const auto at = [&](std::size_t place) { return moved.begin() + static_cast<std::ptrdiff_t>(place); };
    Text rotated = moved;
    std::rotate(rotated.begin() + static_cast<std::ptrdiff_t>(rotation.first),
                rotated.begin() + static_cast<std::ptrdiff_t>(rotation.middle),
                rotated.begin() + static_cast<std::ptrdiff_t>(rotation.last));
    const auto then = slow::measure(rotated, staying, beam);
    CHECK_EQUAL(distances.measure_rotated(moved, rotation, NO_LIMIT), then.distance);
    CHECK(distances.measure_rotated(moved, rotation, then.distance) >= then.distance);
    CHECK_EQUAL(distances.measure_rotated(moved, rotation, then.distance + 1), then.distance);
    std::rotate(at(rotation.first), at(rotation.middle), at(rotation.last));
    CHECK_EQUAL(distances.measure(moved, rotation.first), then.distance);
    CHECK(trace_of(distances, moved) == then.steps);
}

const std::size_t LENGTHS[] = {0, 1, 2, 5, 23, 24, 25, 26, 47, 60, 63, 64, 65, 100, 127, 128, 129, 200};

Edits as_edits(const std::int64_t* row) { return {row[2], row[3], row[4], row[5]}; }

std::string as_text(const Text& words) {
    std::string text;
    for (const std::uint32_t word : words) text += "w" + std::to_string(word) + " ";
    return text;
}

std::vector<std::int64_t> as_numbers(const Edits& edits) {
    return {edits.insertions, edits.deletions, edits.substitutions, edits.shifts};
}

}  // namespace

TEST(distances_are_those_of_the_whole_table) {
    std::mt19937 chance(1);
    BitDistance bits;
    BeamDistance beam;
    std::size_t apart = 0;
    for (const std::size_t length : LENGTHS) {
        for (const std::uint32_t distinct : {2u, 6u, 300u}) {
            const Text staying = draw_text(chance, length, distinct);
            Text far = staying;  // the best way leaves the beam
            std::rotate(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(length, 30)), far.end());
            for (const Text& moved : {draw_text(chance, LENGTHS[chance() % std::size(LENGTHS)], distinct), far,
                                      disturb(chance, staying, distinct, 12), disturb(chance, staying, distinct, 60)}) {
                const Rotation rotation = draw_rotation(chance, moved.size());
                bits.begin(staying, distinct);
                beam.begin(staying);
                check_distance(bits, moved, staying, rotation, 0);
                check_distance(beam, moved, staying, rotation, 25);
                GuidedDistance guided(bits, beam);
                check_distance(guided, moved, staying, rotation, 25);
                apart += slow::measure(moved, staying).distance != slow::measure(moved, staying, 0).distance;
            }
        }
    }
    CHECK(apart >= 5);  // else the beam was never narrow enough to matter
}

TEST(where_a_distance_is_short_the_beam_makes_no_difference) {
    std::mt19937 chance(2);
    std::size_t near_the_edge = 0;
    for (int time = 0; time < 400; ++time) {
        const Text kept = draw_text(chance, 30 + chance() % 60, 1000);
        const std::size_t taken = chance() % 26, added = chance() % 26;
        Text staying(kept.begin() + static_cast<std::ptrdiff_t>(taken), kept.end()), moved = kept;
        for (std::size_t word = 0; word < added; ++word) staying.push_back(2000);  // the diagonal is left as far as can be
        if (time % 2) std::swap(moved, staying);
        const auto plain = slow::measure(moved, staying, 0);
        if (!BitDistance::equals_beam(plain.distance, moved.size(), staying.size())) continue;
        const auto within = slow::measure(moved, staying);
        CHECK_EQUAL(within.distance, plain.distance);
        CHECK(within.steps == plain.steps);
        near_the_edge += taken + added > 40;
    }
    CHECK(near_the_edge > 5);
}

TEST(a_wide_beam_follows_texts_of_very_different_length) {
    BeamDistance beam;
    for (const auto& [moved, staying] : {std::pair{1, 400}, {3, 170}, {2, 100}, {2, 101}, {2, 99}, {400, 1}, {7, 0}, {0, 7}}) {
        std::mt19937 chance(3);
        const Text words = draw_text(chance, static_cast<std::size_t>(moved), 9);
        const Text others = draw_text(chance, static_cast<std::size_t>(staying), 9);
        beam.begin(others);
        check_distance(beam, words, others, draw_rotation(chance, words.size()), 25);
    }
}

TEST(edits_are_those_of_a_slow_search) {
    std::mt19937 chance(4);
    ShiftSearch search;
    std::size_t with_shifts = 0;
    for (int time = 0; time < 600; ++time) {
        const std::uint32_t distinct = std::uint32_t{1} << chance() % 7;
        const std::size_t length = time % 40 ? chance() % 16 : 50 + chance() % 40;
        const Text staying = draw_text(chance, length, distinct);
        const Text moved = time % 3 ? disturb(chance, staying, distinct, 5) : draw_text(chance, chance() % 16, distinct);
        const std::size_t longest = time % 5 ? 10 : chance() % 10;
        const Edits expected = slow::count_edits(moved, staying, longest);
        CHECK_EQUAL(as_numbers(search.count(moved, staying, distinct, longest)), as_numbers(expected));
        CHECK(slow::are_equal(search.trace(moved, staying, distinct, longest), slow::trace(moved, staying, longest)));
        with_shifts += expected.shifts > 0;
    }
    CHECK(with_shifts > 100);
}

TEST(the_thousandth_move_ends_a_search_before_its_best_is_made) {
    const auto digits = [](std::string_view text) {
        Text words;
        for (const char digit : text) words.push_back(static_cast<std::uint32_t>(digit - '0'));
        return words;
    };
    struct Case {
        const char *moved, *staying;
        std::vector<std::int64_t> edits;
    };
    ShiftSearch search;
    for (const Case& one : {Case{"1110001000111111111100", "1111111011100110001100", {0, 0, 10, 0}},  // just 1,000 moves
                            Case{"11111111100110100110010", "10011100011001111111110", {0, 0, 2, 1}},  // just 999
                            Case{"4643", "0446", {0, 0, 1, 2}}}) {  // a move to within the block that moves
        const Text moved = digits(one.moved), staying = digits(one.staying);
        CHECK_EQUAL(as_numbers(slow::count_edits(moved, staying, 10)), one.edits);
        CHECK_EQUAL(as_numbers(search.count(moved, staying, 10, 10)), one.edits);
        CHECK(slow::are_equal(search.trace(moved, staying, 10, 10), slow::trace(moved, staying, 10)));
    }
}

TEST(long_texts_are_searched_within_the_beam_alone) {
    std::mt19937 chance(5);
    ShiftSearch search;
    for (const std::size_t length : {BitDistance::LONGEST, BitDistance::LONGEST + 1}) {
        const Text staying = draw_text(chance, length, 100'000);
        Text moved = staying;
        std::rotate(moved.begin() + 100, moved.begin() + 103, moved.begin() + 110);
        moved[300] = 100'000;
        const Edits expected = slow::count_edits(moved, staying, 10);
        CHECK_EQUAL(as_numbers(expected), (std::vector<std::int64_t>{0, 0, 1, 1}));
        CHECK_EQUAL(as_numbers(search.count(moved, staying, 100'001, 10)), as_numbers(expected));
        CHECK(slow::are_equal(search.trace(moved, staying, 100'001, 10), slow::trace(moved, staying, 10)));
    }
}

TEST(a_row_has_the_reference_with_the_fewest_edits_and_the_mean_length) {
    const Text candidate{1, 2, 3, 4}, far{5, 6}, near{1, 3, 4, 2, 9}, as_near{3, 4, 1, 2, 9, 9};
    const std::string texts[] = {as_text(candidate), as_text(far), as_text(as_near), as_text(near)};
    TextCorpus corpus(Tokenizer::whitespace);
    corpus.candidates = {texts[0]};
    corpus.references = {texts[1], texts[2], texts[3]};
    corpus.grouping.first.push_back(3);
    std::vector<std::int64_t> row(TER_WIDTH);
    count_ter(corpus, {}, row.data(), 1);
    CHECK_EQUAL(row, (std::vector<std::int64_t>{4, 13 * LENGTH_PARTS / 3, 1, 0, 0, 1}));

    count_ter(corpus, {true, 9, false}, row.data(), 1);
    const Edits swapped = slow::count_edits(near, candidate, 9);
    CHECK_EQUAL(as_numbers(as_edits(row.data())),
                (std::vector<std::int64_t>{swapped.deletions, swapped.insertions, swapped.substitutions, swapped.shifts}));
}

TEST(an_empty_candidate_costs_what_is_asked_for) {
    TextCorpus corpus(Tokenizer::whitespace);
    corpus.candidates = {"", " ", ""};
    corpus.references = {"a b", "a b", "\t"};
    corpus.grouping.first = {0, 1, 2, 3};
    std::vector<std::int64_t> rows(3 * TER_WIDTH);
    count_ter(corpus, {}, rows.data(), 1);
    CHECK_EQUAL(as_edits(rows.data()).insertions, 2);
    CHECK_EQUAL(as_edits(rows.data() + 12).total(), 0);
    count_ter(corpus, {true, 9, true}, rows.data(), 1);
    CHECK_EQUAL(as_edits(rows.data() + 6).total(), 0);
}

TEST(more_references_than_lengths_can_be_averaged_of_are_refused) {
    TextCorpus corpus(Tokenizer::whitespace);
    corpus.candidates = {"a"};
    std::vector<std::int64_t> row(TER_WIDTH);
    for (const std::size_t count : {0, 17}) {
        corpus.references.assign(count, "a");
        corpus.grouping.first = {0, count};
        bool refused = false;
        try {
            count_ter(corpus, {}, row.data(), 1);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

TEST(rows_become_scores_by_one_division) {
    const std::int64_t rows[] = {5, 3 * LENGTH_PARTS, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    double scores[3];
    score_ter_rows(rows, 3, scores);
    CHECK_EQUAL(scores[0], 100.0 * (2.0 / 3.0));
    CHECK_EQUAL(scores[1], 100.0);
    CHECK_EQUAL(scores[2], 0.0);
    const std::int64_t large[] = {5, 3 * LENGTH_PARTS, std::int64_t{1} << 60, 0, 1, 0};
    bool refused = false;
    try {
        score_ter_rows(large, 1, scores);
    } catch (const std::overflow_error&) {
        refused = true;
    }
    CHECK(refused);
}

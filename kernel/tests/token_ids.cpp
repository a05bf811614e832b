// token_ids.hpp: arrays of every type and layout, and pairs within groups.
#include "../token_ids.hpp"

#include <limits>
#include <random>

#include "../engine.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

using IdKeys = std::vector<std::uint64_t>;

IdKeys ids_of(const IdTexts& texts, std::size_t which) {
    IdKeys keys;
    texts.read(which, [&](std::uint64_t key) { keys.push_back(key); });
    return keys;
}

template <class Id>
IdArray id_array(const std::vector<Id>& ids, std::vector<std::size_t> shape, std::vector<std::int64_t> strides) {
    return {reinterpret_cast<const char*>(ids.data()), std::move(shape), std::move(strides)};
}

template <class Id>
IdKeys ids_between(const std::vector<Id>& ids, const RowEnds& ends) {
    IdTexts texts;
    texts.add_rows<Id>(id_array(ids, {ids.size()}, {1}), {}, ends, false);
    return ids_of(texts, 0);
}

TEST(rows_are_read_by_their_strides) {
    const std::vector<std::int16_t> ids{1, 2, 3, 4, 5, 6, -7, 8};
    IdTexts texts;
    texts.add_rows<std::int16_t>(id_array(ids, {2, 2, 2}, {4, 1, 2}), {}, {}, false);
    CHECK(texts.size() == 4);
    CHECK(texts.tokens() == 8);
    CHECK(ids_of(texts, 1) == (IdKeys{2, 4}));
    CHECK(ids_of(texts, 2) == (IdKeys{5, static_cast<std::uint64_t>(-7)}));
    CHECK(texts.has_negative() && !texts.has_huge());
    IdTexts behind;
    behind.add_rows<std::int16_t>({reinterpret_cast<const char*>(ids.data() + 3), {4}, {-1}}, {}, {}, false);
    CHECK(ids_of(behind, 0) == (IdKeys{4, 3, 2, 1}));
    CHECK(!behind.has_negative());
}

TEST(rows_end_where_pads_and_ends_say) {
    const std::vector<std::uint8_t> ids{0, 0, 7, 0, 8, 0, 2, 9, 0};
    CHECK(ids_between(ids, {}).size() == 9);
    CHECK(ids_between(ids, {0, {}}) == (IdKeys{7, 0, 8, 0, 2, 9}));
    CHECK(ids_between(ids, {{}, 2}) == (IdKeys{0, 0, 7, 0, 8, 0}));
    CHECK(ids_between(ids, {0, 2}) == (IdKeys{7, 0, 8}));
    CHECK(ids_between(ids, {0, 0}) == (IdKeys{7}));
    CHECK(ids_between(ids, {-1, 256}).size() == 9);  // which no byte can be
    CHECK(ids_between(std::vector<std::uint8_t>{0, 0}, {0, 0}).empty());
    CHECK(ids_between(std::vector<std::uint64_t>{~std::uint64_t{0}}, {-1, -1}).size() == 1);
}

TEST(lengths_are_taken_as_given) {
    const std::vector<std::int64_t> ids{0, 1, 2, 3}, lengths{2, 0};
    IdTexts texts;
    texts.add_rows<std::int64_t>(id_array(ids, {2, 2}, {2, 1}), lengths, {0, 0}, false);
    CHECK(ids_of(texts, 0) == (IdKeys{0, 1}));
    CHECK(ids_of(texts, 1).empty());
    for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{3}}) {
        const std::vector<std::int64_t> given{0, wrong};
        bool refused = false;
        try {
            texts.add_rows<std::int64_t>(id_array(ids, {2, 2}, {2, 1}), given, {}, false);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

TEST(copied_rows_stay_as_they_were) {
    std::vector<std::uint32_t> ids{1, 2, 0x80000000};
    IdTexts copied, seen;
    copied.add_key(7);
    copied.end();
    copied.add_rows<std::uint32_t>(id_array(ids, {3}, {1}), {}, {}, true);
    seen.add_rows<std::uint32_t>(id_array(ids, {3}, {1}), {}, {}, false);
    CHECK(copied.bits() == (seen.bits() | 7));
    ids[0] = 9;
    CHECK(ids_of(copied, 0) == (IdKeys{7}));
    CHECK(ids_of(copied, 1) == (IdKeys{1, 2, 0x80000000}));
    CHECK(ids_of(seen, 0) == (IdKeys{9, 2, 0x80000000}));
    CHECK(!seen.has_negative() && !seen.has_huge());
}

TEST(every_type_is_read_as_it_is) {
    const auto read = [](auto lowest, auto highest) {
        const std::vector<decltype(lowest)> ids{lowest, highest, 1};
        return ids_between(ids, {});
    };
    const auto both = [&](auto number) {
        using Id = decltype(number);
        constexpr Id low = std::numeric_limits<Id>::min(), high = std::numeric_limits<Id>::max();
        const auto key = [](Id id) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(id)); };
        CHECK(read(low, high) == (IdKeys{key(low), key(high), 1}));
    };
    both(std::int8_t{});
    both(std::int16_t{});
    both(std::int32_t{});
    both(std::int64_t{});
    both(std::uint8_t{});
    both(std::uint16_t{});
    both(std::uint32_t{});
    both(std::uint64_t{});
}

TEST(a_small_range_of_ids_has_a_place_for_each) {
    CHECK(direct_bound(0, 1) == 1);
    CHECK(direct_bound(7, 1) == 8);
    CHECK(direct_bound(8, 1) == 0);
    CHECK(direct_bound((1 << 20) - 1, 1 << 30) == 1 << 20);
    CHECK(direct_bound(1 << 20, 1 << 30) == 0);
    CHECK(direct_bound(~std::uint64_t{0}, 1 << 30) == 0);
    DirectTable table;
    for (int round = 0; round < 3; ++round) {
        table.clear(8);
        CHECK(table.find(5) == 0);
        CHECK(table.add(5) == 1);
        CHECK(table.add(3) == 2);
        CHECK(table.add(5) == 1);
        CHECK(table.find(3) == 2);
        CHECK(table.find(0) == 0);
    }
    table.clear(16);
    CHECK(table.find(3) == 0);
    CHECK(table.add(8 + 16) == 1);  // changed by somebody else: taken for another, and nothing beside the table is touched
}

TEST(numbers_of_a_direct_table_begin_anew_before_they_run_out) {
    DirectTable table;
    table.clear(2);
    table.count_from(DirectTable::LAST_FIRST);
    for (int round = 0; round < 4; ++round) {
        CHECK(table.find(0) == 0 && table.find(1) == 0);
        CHECK(table.add(1) == 1 && table.add(0) == 2);
        table.clear(2);
    }
}

TEST(pairs_are_segments_of_two_texts) {
    std::mt19937 chance(5);
    for (int round = 0; round < 50; ++round) {
        const std::size_t group = 1 + chance() % 4, groups = chance() % 3, length = chance() % 90;
        std::vector<std::int32_t> ids(groups * group * length);
        for (std::int32_t& id : ids) id = static_cast<std::int32_t>(chance() % 5);
        const IdArray array = id_array(ids, {groups, group, length},
                                       {static_cast<std::int64_t>(group * length), static_cast<std::int64_t>(length), 1});
        IdTexts texts;
        texts.add_rows<std::int32_t>(array, {}, {}, false);
        const IdPairs pairs(texts, group);
        IdCorpus corpus;
        for (std::size_t pair = 0; pair < groups * group * group; ++pair) {
            for (const std::uint64_t key : ids_of(texts, pair / group)) corpus.candidates.add_key(key);
            corpus.candidates.end();
            for (const std::uint64_t key : ids_of(texts, pair / group / group * group + pair % group)) {
                corpus.references.add_key(key);
            }
            corpus.references.end();
            corpus.grouping.first.push_back(pair + 1);
        }
        CHECK(pairs.size() == corpus.size());
        std::vector<std::int64_t> expected(corpus.size() * row_width(4)), found(expected);
        count_segments(corpus, Counting{}, expected.data(), 1);
        count_segments(pairs, Counting{}, found.data(), 2);
        CHECK(found == expected);
    }
}

}  // namespace

// token_ids.hpp: arrays of every type and layout, and pairs within groups.
#include "../token_ids.hpp"

#include <random>

#include "../engine.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

using IdKeys = std::vector<std::uint64_t>;

IdKeys ids_of(const IdTexts& texts, std::size_t which) {
    IdKeys keys;
    texts.sequences().read(which, [&](std::uint64_t key) { keys.push_back(key); });
    return keys;
}

template <class Id>
IdArray id_array(const std::vector<Id>& ids, std::vector<std::size_t> shape, std::vector<std::int64_t> strides) {
    return {reinterpret_cast<const char*>(ids.data()), std::move(shape), std::move(strides)};
}

template <class Id>
IdKeys ids_between(const std::vector<Id>& ids, const RowEnds& ends) {
    IdTexts texts;
    texts.add_rows<Id>(id_array(ids, {ids.size()}, {1}), {}, ends);
    return ids_of(texts, 0);
}

TEST(rows_are_read_by_their_strides) {
    const std::vector<std::int16_t> ids{1, 2, 3, 4, 5, 6, -7, 8};
    IdTexts texts;
    texts.add_rows<std::int16_t>(id_array(ids, {2, 2, 2}, {4, 1, 2}), {}, {});
    CHECK(texts.size() == 4);
    CHECK(ids_of(texts, 1) == (IdKeys{2, 4}));
    CHECK(ids_of(texts, 2) == (IdKeys{5, static_cast<std::uint64_t>(-7)}));
    CHECK(texts.has_negative() && !texts.has_huge());
    IdTexts behind;
    behind.add_rows<std::int16_t>({reinterpret_cast<const char*>(ids.data() + 3), {4}, {-1}}, {}, {});
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
    texts.add_rows<std::int64_t>(id_array(ids, {2, 2}, {2, 1}), lengths, {0, 0});
    CHECK(ids_of(texts, 0) == (IdKeys{0, 1}));
    CHECK(ids_of(texts, 1).empty());
    for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{3}}) {
        const std::vector<std::int64_t> given{0, wrong};
        bool refused = false;
        try {
            texts.add_rows<std::int64_t>(id_array(ids, {2, 2}, {2, 1}), given, {});
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
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
        texts.add_rows<std::int32_t>(array, {}, {});
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

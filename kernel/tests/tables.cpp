// hashing.hpp and interning.hpp: equal things get equal numbers, whatever their hashes.
#include <deque>
#include <map>
#include <random>
#include <set>

#include "../interning.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

constexpr Secret KNOWN{0x0123456789ABCDEF, 0xFEDCBA9876543211};

template <class Key>
Interner<Key> make_table(Secret secret = KNOWN, std::size_t slots = 0) {
    Interner<Key> table(secret);
    table.clear(slots);
    return table;
}

std::string word_of(std::uint64_t value) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &value, 8);
    return bytes;
}

}  // namespace

TEST(folding_keeps_both_halves_of_the_product) {
    CHECK_EQUAL(fold(0, 12345), std::uint64_t{0});
    CHECK_EQUAL(fold(3, 5), std::uint64_t{15});
    CHECK_EQUAL(fold(std::uint64_t{1} << 63, 2), std::uint64_t{1});
    CHECK_EQUAL(fold(~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{0});  // (2^64 - 2) ^ 1
}

TEST(secrets_differ_and_the_second_half_is_odd) {
    const Secret one = Secret::random(), other = Secret::random();
    CHECK(one.first != other.first);
    CHECK(one.second % 2 == 1 && other.second % 2 == 1);
    CHECK_EQUAL(&process_secret(), &process_secret());
}

TEST(the_hash_of_a_token_depends_on_every_byte_and_on_its_length) {
    for (std::size_t size = 1; size <= 40; ++size) {
        const std::string text(size, 'a');
        const std::uint64_t hash = TextKey(text).hash(KNOWN);
        for (std::size_t place = 0; place < size; ++place) {
            std::string changed = text;
            changed[place] = 'b';
            CHECK(TextKey(changed).hash(KNOWN) != hash);
            CHECK(!(TextKey(changed) == TextKey(text)));
        }
        CHECK(TextKey(text + "a").hash(KNOWN) != hash);
        CHECK(TextKey(std::string(size, '\0')).hash(KNOWN) != TextKey(std::string(size + 1, '\0')).hash(KNOWN));
    }
}

TEST(one_byte_tokens_have_different_hashes) {
    std::set<std::uint64_t> hashes;
    for (int byte = 0; byte < 256; ++byte) hashes.insert(TextKey(std::string(1, static_cast<char>(byte))).hash(KNOWN));
    CHECK_EQUAL(hashes.size(), std::size_t{256});
}

TEST(equal_texts_are_equal_keys_wherever_they_lie) {
    for (std::size_t size = 0; size <= 40; ++size) {
        const std::string text(size, 'x'), copy = "yy" + text;
        CHECK(TextKey(text) == TextKey(std::string_view(copy).substr(2)));
        CHECK_EQUAL(TextKey(text).hash(KNOWN), TextKey(std::string_view(copy).substr(2)).hash(KNOWN));
    }
}

TEST(tokens_are_numbered_in_the_order_in_which_they_come) {
    auto table = make_table<TextKey>();
    CHECK_EQUAL(table.add(std::string_view("b")), 1u);
    CHECK_EQUAL(table.add(std::string_view("")), 2u);
    CHECK_EQUAL(table.add(std::string_view("b")), 1u);
    CHECK_EQUAL(table.find(std::string_view("")), 2u);
    CHECK_EQUAL(table.find(std::string_view("a")), 0u);
    CHECK_EQUAL(table.size(), 2u);
}

TEST(a_table_grows_and_keeps_every_number) {
    auto table = make_table<TextKey>();
    std::deque<std::string> texts;
    for (std::uint32_t number = 0; number < 20'000; ++number) {
        texts.push_back("token " + std::to_string(number));
        CHECK_EQUAL(table.add(std::string_view(texts.back())), number + 1);
    }
    for (std::uint32_t number = 0; number < texts.size(); ++number) {
        CHECK_EQUAL(table.find(std::string_view(texts[number])), number + 1);
    }
    CHECK_EQUAL(table.size(), 20'000u);
}

TEST(a_cleared_table_has_forgotten_everything_and_counts_from_1) {
    auto table = make_table<std::uint64_t>();
    std::mt19937_64 chance(1);
    for (int round = 0; round < 100; ++round) {
        std::map<std::uint64_t, std::uint32_t> known;
        const std::uint64_t keys = chance() % 700;
        for (std::uint64_t key = 0; key < keys; ++key) {
            const std::uint64_t drawn = chance() % 500;
            const auto number = static_cast<std::uint32_t>(known.size() + 1);
            CHECK_EQUAL(table.add(drawn), known.emplace(drawn, number).first->second);
        }
        for (std::uint64_t key = 0; key < 500; ++key) {
            CHECK_EQUAL(table.find(key), known.count(key) ? known[key] : 0);
        }
        table.clear();
        CHECK_EQUAL(table.size(), 0u);
        CHECK_EQUAL(table.find(std::uint64_t{3}), 0u);
    }
}

TEST(tokens_with_equal_hashes_stay_apart) {
    auto table = make_table<TextKey>();
    std::deque<std::string> texts;
    for (std::uint64_t number = 0; number < 60; ++number) {  // too few for the table to draw another secret
        texts.push_back(word_of(KNOWN.first) + word_of(number));
        CHECK_EQUAL(TextKey(texts.back()).hash(KNOWN), std::uint64_t{0});
        CHECK_EQUAL(table.add(std::string_view(texts.back())), static_cast<std::uint32_t>(number + 1));
    }
    for (std::uint32_t number = 0; number < texts.size(); ++number) {
        CHECK_EQUAL(table.find(std::string_view(texts[number])), number + 1);
    }
}

TEST(a_table_under_attack_draws_another_secret_and_keeps_every_number) {
    auto table = make_table<TextKey>();
    std::deque<std::string> texts;
    for (std::uint64_t number = 0; number < 5000; ++number) {
        texts.push_back(word_of(KNOWN.first) + word_of(number));
        CHECK_EQUAL(table.add(std::string_view(texts.back())), static_cast<std::uint32_t>(number + 1));
    }
    CHECK(table.steps() < 16 * texts.size());
    for (std::uint32_t number = 0; number < texts.size(); ++number) {
        CHECK_EQUAL(table.find(std::string_view(texts[number])), number + 1);
    }
}

TEST(numbers_in_strides_crowd_a_table_under_no_secret) {
    std::mt19937_64 chance(1);
    for (int round = 0; round < 200; ++round) {
        const Secret secret{chance(), chance() | 1};
        for (const int shift : {0, 20, 32}) {
            auto table = make_table<std::uint64_t>(secret, 8000);
            for (std::uint64_t number = 0; number < 2000; ++number) table.add(number << shift);
            CHECK(table.steps() < 2000);
        }
    }
}

TEST(numbers_with_equal_places_do_not_make_a_table_slow) {
    auto table = make_table<std::uint64_t>();
    std::vector<std::uint64_t> keys;
    for (std::uint64_t key = 0; keys.size() < 3000; ++key) {
        if ((hash_key(key, KNOWN) & 0x3FF) == 0) keys.push_back(key);
    }
    for (std::uint32_t number = 0; number < keys.size(); ++number) CHECK_EQUAL(table.add(keys[number]), number + 1);
    CHECK(table.steps() < 16 * keys.size());
}

TEST(a_table_of_fixed_size_numbers_tokens_that_share_a_slot) {
    Interner<TextKey, std::uint8_t, 512> table(KNOWN);
    std::deque<std::string> words;
    for (int round = 0; round < 2; ++round) {
        table.clear();
        for (std::uint64_t number = 0; number < 64; ++number) {
            const TextKey key(words.emplace_back(word_of(KNOWN.first) + word_of(number)));
            CHECK_EQUAL(table.find(key), 0u);
            CHECK_EQUAL(table.add(key), static_cast<std::uint32_t>(number + 1));
            CHECK_EQUAL(table.add(key), static_cast<std::uint32_t>(number + 1));
            CHECK_EQUAL(table.find(key), static_cast<std::uint32_t>(number + 1));
        }
    }
}

// tokenizers.hpp and what it includes, and lowering.hpp: worked cases, and bytes that are no UTF-8.
#include <memory>
#include <random>

#include "../lowering.hpp"
#include "../tokenizers.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

using Tokens = std::vector<std::string>;

/// Tokens of a text that lies alone in its memory, so that a sanitizer sees a read beyond its end.
Tokens split(Tokenizer tokenizer, std::string_view text) {
    const std::unique_ptr<char[]> alone(new char[text.size()]);
    std::copy(text.begin(), text.end(), alone.get());
    Tokens tokens;
    std::string buffer;
    tokenize(tokenizer, std::string_view(alone.get(), text.size()), buffer,
             [&](std::string_view token) { tokens.emplace_back(token); });
    return tokens;
}

constexpr Tokenizer ALL[] = {Tokenizer::whitespace, Tokenizer::western_13a, Tokenizer::intl, Tokenizer::zh,
                             Tokenizer::character, Tokenizer::zh_corrected};

}  // namespace

TEST(what_13a_replaces_is_found_wherever_it_stands) {
    for (std::size_t size = 0; size < 100; ++size) {
        const std::unique_ptr<char[]> alone(new char[size]);
        const std::string_view text(alone.get(), size);
        std::fill_n(alone.get(), size, 'x');
        CHECK(!has_entities(text));
        for (std::size_t place = 0; place < size; ++place) {
            for (const char byte : {'&', '<', '\n'}) {
                alone[place] = byte;
                CHECK(has_entities(text));
            }
            alone[place] = 'x';
        }
    }
    CHECK(!has_entities({}));
}

TEST(utf8_is_what_python_decodes) {
    using namespace std::literals;
    for (const auto good : {""sv, "abcdefgh"sv, "abcdefghi"sv, "h\xC3\xA9"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv, "\xEE\x80\x80"sv,
                            "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv, "a\0b"sv}) {
        CHECK(is_utf8(good));
    }
    for (const auto bad : {"\x80"sv, "\xC0\xAF"sv, "\xC3"sv, "abcdefgh\xFF"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv, "\xE2\x82"sv,
                           "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xC3\x28"sv, "\xF0\x90\x80"sv}) {
        CHECK(!is_utf8(bad));
    }
}

TEST(tokenizers_are_found_by_name) {
    CHECK(find_tokenizer("13a") == Tokenizer::western_13a);
    CHECK(find_tokenizer("char") == Tokenizer::character);
    CHECK(!find_tokenizer("13"));
    CHECK(!find_tokenizer(""));
}

TEST(characters_of_one_to_four_bytes_are_read) {
    const std::string_view text = "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80";
    const std::uint32_t expected[][3] = {{0, 'a', 1}, {1, 0xE9, 2}, {3, 0x4E2D, 3}, {6, 0x1F600, 4}};
    for (const auto& [place, code, size] : expected) {
        CHECK_EQUAL(read_character(text, place).code, code);
        CHECK_EQUAL(read_character(text, place).size, size);
    }
}

TEST(a_character_that_is_cut_off_reads_as_a_stray_byte) {
    for (const std::string_view text : {"\xC3", "\xE4", "\xE4\xB8", "\xF0", "\xF0\x9F", "\xF0\x9F\x98", "\x80", "\xFF"}) {
        const Character character = read_character(text, 0);
        CHECK(character.size <= text.size());
        CHECK(character.size >= 1);
    }
}

TEST(white_space_is_what_python_takes_for_it) {
    int found = 0;
    for (std::uint32_t code = 0; code < 0x110000; ++code) found += is_space(code);
    CHECK_EQUAL(found, 29);
    for (const std::uint32_t code : {0x09, 0x0D, 0x1C, 0x1F, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x200A, 0x2028, 0x3000}) {
        CHECK(is_space(code));
    }
    for (const std::uint32_t code : {0x00, 0x08, 0x0E, 0x1B, 0x21, 0x200B, 0x180E, 0xFEFF}) CHECK(!is_space(code));
}

TEST(texts_are_stripped_of_all_white_space) {
    CHECK_EQUAL(strip_right("a \t\xC2\xA0\xE3\x80\x80"), "a");
    CHECK_EQUAL(strip_left("\xE3\x80\x80 a "), "a ");
    CHECK_EQUAL(strip_right(" \xE2\x80\xA8"), "");
    CHECK_EQUAL(strip_left("\xC2\x85"), "");
    CHECK_EQUAL(strip_right("a\xA0"), "a\xA0");  // a stray byte is no space
    CHECK_EQUAL(strip_right("\x80\x80\x80\x80\x80\x80"), "\x80\x80\x80\x80\x80\x80");
}

TEST(whitespace_splits_at_white_space) {
    CHECK_EQUAL(split(Tokenizer::whitespace, " the  cat.\xE3\x80\x80sat\n"), (Tokens{"the", "cat.", "sat"}));
    CHECK_EQUAL(split(Tokenizer::whitespace, std::string_view("a\0b\x1C"
                                                              "c", 5)), (Tokens{std::string("a\0b", 3), "c"}));
    CHECK_EQUAL(split(Tokenizer::whitespace, ""), Tokens{});
    CHECK_EQUAL(split(Tokenizer::whitespace, " \t "), Tokens{});
}

TEST(characters_stand_alone) {
    CHECK_EQUAL(split(Tokenizer::character, "a \xE4\xB8\xAD" "b"), (Tokens{"a", "\xE4\xB8\xAD", "b"}));
}

TEST(thirteen_a_keeps_numbers_whole_and_sets_marks_apart) {
    const auto words = [](std::string_view text) { return split(Tokenizer::western_13a, text); };
    CHECK_EQUAL(words("Hello, world."), (Tokens{"Hello", ",", "world", "."}));
    CHECK_EQUAL(words("3.5 12,400 1990s."), (Tokens{"3.5", "12,400", "1990s", "."}));
    CHECK_EQUAL(words("3-4 a-b"), (Tokens{"3", "-", "4", "a-b"}));
    CHECK_EQUAL(words("5. .5 ..5"), (Tokens{"5", ".", ".", "5", ".", ".5"}));
    CHECK_EQUAL(words("(x!)"), (Tokens{"(", "x", "!", ")"}));
    CHECK_EQUAL(words("don't"), (Tokens{"don't"}));
    CHECK_EQUAL(words("&quot;a&amp;lt;b&quot;"), (Tokens{"\"", "a", "<", "b", "\""}));
    CHECK_EQUAL(words("<skipped>a-\nb\nc"), (Tokens{"ab", "c"}));
    CHECK_EQUAL(words("a-\n"), (Tokens{"a-"}));
}

TEST(intl_sets_unicode_punctuation_and_symbols_apart) {
    const auto words = [](std::string_view text) { return split(Tokenizer::intl, text); };
    CHECK_EQUAL(words("\xE2\x80\x9Cso\xE2\x80\x9D"), (Tokens{"\xE2\x80\x9C", "so", "\xE2\x80\x9D"}));
    CHECK_EQUAL(words("a\xE2\x82\xAC" "5"), (Tokens{"a", "\xE2\x82\xAC", "5"}));
    CHECK_EQUAL(words("1.5 2023."), (Tokens{"1.5", "2023."}));
    CHECK_EQUAL(words("a.b"), (Tokens{"a", ".", "b"}));
}

TEST(zh_sets_chinese_characters_apart) {
    CHECK_EQUAL(split(Tokenizer::zh, " \xE4\xB8\xAD\xE6\x96\x87" "ab, 1.5\xE3\x80\x82"),
                (Tokens{"\xE4\xB8\xAD", "\xE6\x96\x87", "ab", ",", "1.5", "\xE3\x80\x82"}));
    CHECK(is_sacrebleu_chinese(0x4E00) && is_sacrebleu_chinese(0x2001) && !is_sacrebleu_chinese(0x2000));
    CHECK(is_sacrebleu_chinese(0xFFEF) && !is_sacrebleu_chinese(0xFFF0) && !is_sacrebleu_chinese(0x20000));
}

TEST(zh_corrected_knows_quotation_marks_from_rare_ideographs) {
    CHECK_EQUAL(split(Tokenizer::zh_corrected, "a\xE2\x80\x94" "b\xF0\xA0\x80\x80\xF0\xA0\x80\x81" "c"),
                (Tokens{"a\xE2\x80\x94" "b", "\xF0\xA0\x80\x80", "\xF0\xA0\x80\x81", "c"}));
    CHECK(is_corrected_chinese(0x2A6D6) && !is_corrected_chinese(0x2A6D7) && is_corrected_chinese(0x2F800));
    CHECK(!is_corrected_chinese(0x201C) && !is_corrected_chinese(0x2192) && is_corrected_chinese(0x2600));
}

TEST(unicode_classes_are_those_of_the_ranges) {
    const UnicodeClasses& classes = unicode_classes();
    CHECK(classes.of('7') == CharacterClass::number);
    CHECK(classes.of('.') == CharacterClass::punctuation);
    CHECK(classes.of(0x20AC) == CharacterClass::symbol);
    CHECK(classes.of('a') == CharacterClass::other);
    CHECK(classes.of(0x10FFFF) == CharacterClass::other);
    CHECK(classes.of(0xFFFFFFFF) == CharacterClass::other);
    for (const auto& [first, last] : PUNCTUATION_RANGES) {
        CHECK(classes.of(first) == CharacterClass::punctuation && classes.of(last) == CharacterClass::punctuation);
    }
}

TEST(any_bytes_at_all_are_split_within_their_bounds) {
    std::mt19937 chance(5);
    const std::string_view awkward = "\xC2\x85\xA0\xE2\x80\xA8\xE3\x80\x80\xF0\x9F\xEF\xBF\xFF.,-19 &<a\n";
    for (int round = 0; round < 800; ++round) {
        std::string text;
        for (unsigned size = chance() % 140; text.size() < size;) text += awkward[chance() % awkward.size()];
        for (const Tokenizer tokenizer : ALL) {
            std::size_t bytes = 0;
            for (const std::string& token : split(tokenizer, text)) {
                CHECK(!token.empty());
                bytes += token.size();
            }
            CHECK(bytes <= text.size());
        }
    }
}

TEST(letters_are_lowered_where_their_lower_case_is_known) {
    Lowering lowering;
    std::string buffer;
    CHECK_EQUAL(lowering.lower("AZ@[`az \xC3\x84 A bit longer than SIXTEEN bytes", buffer), "az@[`az \xC3\x84 a bit longer than sixteen bytes");
    lowering.set(0xC4, 0xE4);
    lowering.set(0x130, 0);
    CHECK_EQUAL(lowering.lower("\xC3\x84\xC4\xB0", buffer), "\xC3\xA4\xC4\xB0");
    CHECK(lowering.can_lower("\xC3\x84 \xE2\x80\x9E\xE4\xB8\xAD"));
    CHECK(!lowering.can_lower("\xC4\xB0") && !lowering.can_lower("\xE2\x84\xAA") && !lowering.can_lower("\xF0\x90\x90\x80"));
}

TEST(any_bytes_at_all_are_lowered_within_their_bounds) {
    std::mt19937 chance(6);
    Lowering lowering;
    lowering.set(0xC4, 0xE4);
    std::string buffer;
    for (int round = 0; round < 400; ++round) {
        const std::size_t size = chance() % 140;
        const std::unique_ptr<char[]> alone(new char[size]);
        for (std::size_t place = 0; place < size; ++place) alone[place] = "A\xC3\x84\xC4\xF0 z"[chance() % 7];
        const std::string_view text(alone.get(), size);
        lowering.can_lower(text);
        CHECK_EQUAL(lowering.lower(text, buffer).size(), size);
    }
}

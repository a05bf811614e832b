// characters.hpp, place_sets.hpp, ngrams.hpp, chrf_formula.hpp and chrf.hpp, against a slow count.
#include "../chrf.hpp"

#include <map>
#include <random>

#include "check.hpp"

using namespace bleuprint;

namespace {

using Codes = std::vector<std::uint32_t>;
using Numbers = std::vector<std::int64_t>;

template <class Token>
std::map<std::vector<Token>, std::int64_t> count_ngrams(const std::vector<Token>& tokens, std::size_t order) {
    std::map<std::vector<Token>, std::int64_t> counts;
    for (auto from = tokens.begin(); tokens.end() - from >= static_cast<std::ptrdiff_t>(order); ++from) {
        ++counts[{from, from + static_cast<std::ptrdiff_t>(order)}];
    }
    return counts;
}

template <class Token>
Numbers match_slowly(const std::vector<Token>& candidate, const std::vector<Token>& reference, std::size_t orders) {
    Numbers matches;
    for (std::size_t order = 1; order <= orders; ++order) {
        const auto limits = count_ngrams(reference, order);
        matches.push_back(0);
        for (const auto& [gram, count] : count_ngrams(candidate, order)) {
            if (const auto limit = limits.find(gram); limit != limits.end()) {
                matches.back() += std::min(count, limit->second);
            }
        }
    }
    return matches;
}

/// Tokens from 1 on, every one of which occurs; a reference may have others, which are 0.
Codes make_tokens(std::mt19937& chance, std::size_t length, std::uint32_t distinct) {
    Codes made;
    for (std::size_t place = 0; place < length; ++place) {
        made.push_back(place < distinct ? static_cast<std::uint32_t>(place) + 1 : 1 + chance() % distinct);
    }
    return made;
}

Numbers count_one(const ChrfCounting& counting, std::string_view candidate, std::vector<std::string_view> references) {
    TextCorpus corpus;
    corpus.candidates.push_back(candidate);
    corpus.references = std::move(references);
    corpus.grouping.first.push_back(corpus.references.size());
    Numbers row(chrf_width(counting.orders()));
    count_chrf(corpus, counting, row.data(), 1);
    return row;
}

Codes read_all(WhiteSpace rule, std::string_view text) {
    Codes codes;
    CharacterReader(rule).read(text, codes);
    return codes;
}

}  // namespace

TEST(sets_of_places_and_tables_of_ngrams_count_as_a_slow_count_does) {
    std::mt19937 chance(11);
    PlaceSets places;
    MatchCounter tables;
    for (const std::size_t length : {0, 1, 5, 63, 64, 65, 127, 128, 129, 200, 256, 257, 300, 384, 385, 700, 1024, 1500}) {
        for (const std::uint32_t distinct : {1u, 2u, 7u, 300u}) {
            for (const int order : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
                const Codes candidate = make_tokens(chance, length, distinct);
                const std::size_t known = std::min<std::size_t>(length, distinct);
                tables.begin();
                for (const std::uint32_t token : candidate) tables.add_token(token);
                const bool is_short = PlaceSets::can_count(length, order);
                if (is_short) places.begin(candidate, known, order);
                for (const std::size_t other : {std::size_t{0}, std::size_t{3}, length + 7}) {
                    Codes reference(candidate.begin(), candidate.begin() + static_cast<std::ptrdiff_t>(length / 2));
                    for (std::size_t place = 0; place < other; ++place) {
                        const std::uint32_t token = chance() % (distinct + 1);
                        reference.push_back(token <= known ? token : 0);
                    }
                    const Numbers expected = match_slowly(candidate, reference, static_cast<std::size_t>(order));
                    const std::size_t size = reference.size();
                    reference.resize(size + static_cast<std::size_t>(order));
                    Numbers matches(static_cast<std::size_t>(order), -1);
                    tables.forget_references();
                    for (std::size_t place = 0; place < size; ++place) tables.add_reference_token(reference[place]);
                    tables.end_reference();
                    tables.count(matches.data(), order);
                    CHECK_EQUAL(matches, expected);
                    if (!is_short) continue;
                    matches.assign(matches.size(), -1);
                    places.match(reference.data(), size, matches.data());
                    CHECK_EQUAL(matches, expected);
                }
            }
        }
    }
}

TEST(characters_are_numbered_in_the_order_in_which_they_come) {
    CharacterNumbers numbers;
    for (int round = 0; round < 2; ++round) {
        CHECK_EQUAL(numbers.add('b'), 1u);
        CHECK_EQUAL(numbers.add(0x10FFFF), 2u);
        CHECK_EQUAL(numbers.add('b'), 1u);
        CHECK_EQUAL(numbers.find(0x10FFFF), 2u);
        CHECK_EQUAL(numbers.find(0x10FFFE), 0u);
        CHECK_EQUAL(numbers.find(0x4E2D), 0u);
        CHECK_EQUAL(numbers.size(), std::size_t{2});
        numbers.clear();
    }
    CHECK_EQUAL(numbers.find('b'), 0u);
}

TEST(there_is_a_number_for_every_character_whatever_comes_first) {
    CharacterNumbers numbers;
    for (const bool rare_first : {true, false}) {
        std::uint32_t expected = 0;
        const auto add_rare = [&] {
            for (std::uint32_t code = 0x4E00; code < 0x5200; ++code) CHECK_EQUAL(numbers.add(code), ++expected);
        };
        if (rare_first) add_rare();
        for (std::uint32_t code = 0; code < 256; ++code) CHECK_EQUAL(numbers.add(code), ++expected);
        CHECK_EQUAL(numbers.add(0xFF), expected);
        if (!rare_first) add_rare();
        CHECK_EQUAL(numbers.size(), std::size_t{0x500});
        numbers.clear();
        for (std::uint32_t code = 0; code < 0x5200; ++code) CHECK_EQUAL(numbers.find(code), 0u);
    }
}

TEST(white_space_goes_as_the_rule_says) {
    const std::string_view text = "\xC2\xA0 a\x1C\tb \xE3\x80\x80" "c \n";
    CHECK_EQUAL(read_all(WhiteSpace::removed, text), (Codes{'a', 'b', 'c'}));
    CHECK_EQUAL(read_all(WhiteSpace::removed_unicode, text), (Codes{'a', 0x1C, 'b', 'c'}));
    CHECK_EQUAL(read_all(WhiteSpace::spaces_removed, text), (Codes{'a', 0x1C, '\t', 'b', 0x3000, 'c'}));
    CHECK_EQUAL(read_all(WhiteSpace::kept, text).size(), std::size_t{11});
    CHECK_EQUAL(read_all(WhiteSpace::removed, " \xE3\x80\x80"), Codes{});
}

TEST(bytes_that_are_no_utf8_are_counted_somehow) {
    CHECK_EQUAL(count_one({}, "\xFF\xFF\xFF\xFF", {"\xFF\xFF\xFF\xFF\xFC"})[2], std::int64_t{1});
}

TEST(one_sign_of_punctuation_is_parted_from_a_word) {
    std::vector<std::string> words;
    split_chrf_words("(hi) \"x\" -- . \xC3\xA9. a,b \xE2\x80\x9C", [&](std::string_view word) { words.emplace_back(word); });
    CHECK_EQUAL(words, (std::vector<std::string>{"(hi", ")", "\"x", "\"", "-", "-", ".", "\xC3\xA9", ".", "a,b",
                                                 "\xE2\x80\x9C"}));
}

TEST(the_first_of_the_best_references_makes_the_row) {
    ChrfCounting counting;
    counting.char_order = 1;
    CHECK_EQUAL(count_one(counting, "ab", {"xyz", "abxx", "xabx"}), (Numbers{2, 4, 2, 2, 4}));
    CHECK_EQUAL(count_one(counting, "ab", {"xyz", "x"}), (Numbers{2, 3, 0, 2, 3}));
    counting.drop_unmatched_reference = true;
    CHECK_EQUAL(count_one(counting, "ab", {"xyz", "x"}), (Numbers{2, 3, 0, 2, 0}));
    CHECK_EQUAL(count_one(counting, "ab", {""}), (Numbers{2, 0, 0, 0, 0}));
    counting.count_candidate_always = true;
    CHECK_EQUAL(count_one(counting, "ab", {""}), (Numbers{2, 0, 0, 2, 0}));
}

TEST(rows_do_not_depend_on_the_number_of_threads) {
    std::mt19937 chance(5);
    std::vector<std::string> texts(90);
    for (std::string& text : texts) {
        for (std::size_t left = chance() % 200; left; --left) text += "abc ."[chance() % 5];
    }
    TextCorpus corpus;
    for (std::size_t place = 0; place + 2 < texts.size(); place += 3) {
        corpus.candidates.push_back(texts[place]);
        corpus.references.push_back(texts[place + 1]);
        corpus.references.push_back(texts[place + 2]);
        corpus.grouping.first.push_back(corpus.references.size());
    }
    ChrfCounting counting;
    counting.word_order = 2;
    Numbers expected(corpus.size() * chrf_width(counting.orders())), found(expected.size());
    count_chrf(corpus, counting, expected.data(), 1);
    count_chrf(corpus, counting, found.data(), 4);
    CHECK_EQUAL(found, expected);
    const std::size_t width = chrf_width(counting.orders());
    for (std::size_t which = 0; which < corpus.size(); ++which) {
        const Numbers alone = count_one(counting, corpus.candidates[which],
                                        {corpus.references[2 * which], corpus.references[2 * which + 1]});
        const auto from = expected.begin() + static_cast<std::ptrdiff_t>(which * width);
        CHECK_EQUAL(alone, Numbers(from, from + static_cast<std::ptrdiff_t>(width)));
    }
}

TEST(orders_are_averaged_as_the_recipe_says) {
    // One order matches 1 of 2 and 1 of 4; of the other the candidate has no n-gram.
    const Numbers counts{1, 0, 2, 0, 4, 3};
    auto score = [&](Averaging averaging) { return ChrfFormula{2.0, averaging}.score_counts(counts.data(), 2); };
    const double f = 5.0 * 0.5 * 0.25 / (4.0 * 0.5 + 0.25);
    CHECK_EQUAL(score(Averaging::effective_order), 100.0 * f);
    CHECK_EQUAL(score(Averaging::each_order), 100.0 * f / 2.0);
    CHECK_EQUAL(score(Averaging::each_order_nltk), 100.0 * (f + 1e-16) / 2.0);
    CHECK_EQUAL(score(Averaging::each_order_eps), 100.0 * (f + 5.0 * 1e-16 * 0.0 / (4.0 * 1e-16)) / 2.0);
}

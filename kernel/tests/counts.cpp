// ngrams.hpp, reference_length.hpp, stats.hpp, segments.hpp and engine.hpp, against a slow count.
#include <deque>
#include <map>
#include <memory>
#include <random>

#include "../engine.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

using Words = std::vector<std::string>;
using Counts = std::map<Words, std::int64_t>;
using Numbers = std::vector<std::int64_t>;

Counts count_slowly(const Words& words, std::size_t order) {
    Counts counts;
    for (std::size_t place = 0; place + order <= words.size(); ++place) {
        ++counts[Words(words.begin() + static_cast<std::ptrdiff_t>(place),
                       words.begin() + static_cast<std::ptrdiff_t>(place + order))];
    }
    return counts;
}

/// The row of a segment, straight from the definition.
Numbers row_slowly(const Words& candidate, const std::vector<Words>& references, const Counting& counting) {
    Numbers lengths;
    for (const Words& reference : references) lengths.push_back(static_cast<std::int64_t>(reference.size()));
    const auto length = static_cast<std::int64_t>(candidate.size());
    Numbers row{length, choose_length(counting.rule, length, lengths)}, totals;
    for (int n = 1; n <= counting.order; ++n) {
        Counts limits;
        for (const Words& reference : references) {
            for (const auto& [gram, count] : count_slowly(reference, static_cast<std::size_t>(n))) {
                limits[gram] = std::max(limits[gram], count);
            }
        }
        std::int64_t matches = 0;
        for (const auto& [gram, count] : count_slowly(candidate, static_cast<std::size_t>(n))) {
            matches += std::min(count, limits[gram]);
        }
        row.push_back(matches);
        totals.push_back(std::max<std::int64_t>(counting.at_least_one, length - n + 1));
    }
    row.insert(row.end(), totals.begin(), totals.end());
    return row;
}

/// Per order, how many n-grams of the candidate a reference has at all.
Numbers plain_slowly(const Words& candidate, const std::vector<Words>& references, int order) {
    Numbers plain;
    for (std::size_t n = 1; n <= static_cast<std::size_t>(order); ++n) {
        Counts known;
        for (const Words& reference : references) known.merge(count_slowly(reference, n));
        std::int64_t matches = 0;
        for (const auto& [gram, count] : count_slowly(candidate, n)) matches += known.contains(gram) ? count : 0;
        plain.push_back(matches);
    }
    return plain;
}

struct RandomCorpus {
    std::vector<Words> candidates;
    std::vector<std::vector<Words>> references;

    explicit RandomCorpus(std::mt19937& chance) {
        const unsigned alphabet = 1 + chance() % 5;
        auto words = [&] {
            Words made(chance() % 14);
            for (std::string& word : made) word = std::string(1 + chance() % 2 * 20, static_cast<char>('a' + chance() % alphabet));
            return made;
        };
        for (unsigned segment = 1 + chance() % 4; segment; --segment) {
            references.emplace_back();
            for (unsigned reference = 1 + chance() % 4; reference; --reference) references.back().push_back(words());
            candidates.push_back(chance() % 2 ? words() : references.back().front());
        }
    }
};

std::string join(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
}

Counting random_counting(std::mt19937& chance) {
    return {static_cast<LengthRule>(chance() % 3), chance() % 2 == 1, static_cast<int>(1 + chance() % 9)};
}

}  // namespace

TEST(reference_lengths_follow_the_rules) {
    const Numbers lengths{13, 11, 20, 5};
    CHECK_EQUAL(choose_length(LengthRule::closest, 12, lengths), 11);
    CHECK_EQUAL(choose_length(LengthRule::closest_first, 12, lengths), 13);
    CHECK_EQUAL(choose_length(LengthRule::shortest, 12, lengths), 5);
    CHECK_EQUAL(choose_length(LengthRule::closest, 100, lengths), 20);
    CHECK_EQUAL(choose_length(LengthRule::closest, 0, Numbers{7}), 7);
}

TEST(rows_have_names_for_their_parts) {
    Numbers numbers{5, 6, 4, 3, 5, 4};
    const Row row{numbers.data(), 2};
    CHECK_EQUAL(row.candidate_length(), 5);
    CHECK_EQUAL(row.reference_length(), 6);
    CHECK_EQUAL(row.matches()[1], 3);
    CHECK_EQUAL(row.totals()[1], 4);
    CHECK_EQUAL(row_width(2), numbers.size());
}

TEST(rows_add_up) {
    const Numbers numbers{0, 2, 0, 0, 3, 0, 1, 3};
    CHECK_EQUAL(sum_rows(numbers, 4), (Numbers{3, 2, 1, 3}));
    const std::vector<Threshold> thresholds{{0, 1}, {0, 4}, {1, 1}};
    CHECK_EQUAL(take_census(numbers, 4, thresholds), (Numbers{1, 2, 1}));
    CHECK_EQUAL(take_census({}, 4, thresholds), (Numbers{0, 0, 0}));
    CHECK_EQUAL(sum_rows({}, 4), (Numbers{0, 0, 0, 0}));
    bool refused = false;
    try {
        take_census(numbers, 4, std::vector<Threshold>{{4, 1}});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(a_sum_beyond_64_bits_is_refused) {
    constexpr std::int64_t HALF = std::int64_t{1} << 62;
    bool refused = false;
    try {
        sum_rows(Numbers{HALF, HALF}, 1);
    } catch (const std::overflow_error&) {
        refused = true;
    }
    CHECK(refused);
    CHECK_EQUAL(sum_rows(Numbers{HALF, -HALF, HALF}, 1), Numbers{HALF});
}

TEST(totals_follow_from_the_length) {
    CHECK_EQUAL(segment_total(5, 1, false), 5);
    CHECK_EQUAL(segment_total(5, 6, false), 0);
    CHECK_EQUAL(segment_total(5, 6, true), 1);
    CHECK_EQUAL(segment_total(0, 1, true), 1);
}

TEST(tokens_of_any_length_are_copied_whole) {
    constexpr std::size_t HEAD = 16;
    TokenTexts texts;
    for (int round = 0; round < 2; ++round) {  // the second in the memory of the first
        texts.clear();
        Words given;
        for (std::size_t size = 0; size < 40; ++size) {
            // Alone in its memory behind a head, so that a sanitizer sees a read beyond either end.
            const std::unique_ptr<char[]> alone(new char[HEAD + size]);
            std::fill_n(alone.get(), HEAD, '#');
            for (std::size_t place = 0; place < size; ++place) alone[HEAD + place] = static_cast<char>('a' + (size + place) % 26);
            const std::string_view token(alone.get() + HEAD, size);
            texts.begin(2);
            texts.add_headed(token);
            texts.add(token);
            given.insert(given.end(), 2, std::string(token));
        }
        texts.end();
        Words copied;
        texts.read(0, [&](const TextKey& token) { copied.emplace_back(token.data, token.size); });
        CHECK_EQUAL(copied, given);
        CHECK_EQUAL(texts.size(), std::size_t{1});
        CHECK(texts.held_bytes() >= texts.bytes());
    }
}

TEST(random_texts_are_counted_as_by_definition) {
    std::mt19937 chance(11);
    for (int round = 0; round < 400; ++round) {
        const RandomCorpus random(chance);
        const Counting counting = random_counting(chance);
        TextCorpus texts(Tokenizer::whitespace);
        TokenCorpus<std::string_view> words;
        TokenCorpus<std::uint64_t> numbers;
        std::deque<std::string> memory;
        auto add = [&](const Words& from, std::vector<std::string_view>& into, Sequences<std::string_view>& as_words,
                       Sequences<std::uint64_t>& as_numbers) {
            into.push_back(memory.emplace_back(join(from)));
            for (const std::string& word : from) {
                as_words.tokens.push_back(word);
                as_numbers.tokens.push_back(static_cast<std::uint64_t>(word[0]) << (word.size() > 1 ? 40 : 0));
            }
            as_words.end();
            as_numbers.end();
        };
        Numbers expected, expected_plain;
        for (std::size_t which = 0; which < random.candidates.size(); ++which) {
            add(random.candidates[which], texts.candidates, words.candidates, numbers.candidates);
            for (const Words& reference : random.references[which]) {
                add(reference, texts.references, words.references, numbers.references);
            }
            for (Grouping* grouping : {&texts.grouping, &words.grouping, &numbers.grouping}) {
                grouping->first.push_back(texts.references.size());
            }
            const Numbers row = row_slowly(random.candidates[which], random.references[which], counting);
            expected.insert(expected.end(), row.begin(), row.end());
            const Numbers plain = plain_slowly(random.candidates[which], random.references[which], counting.order);
            expected_plain.insert(expected_plain.end(), plain.begin(), plain.end());
        }
        const std::size_t threads = chance() % 3;
        Numbers found(expected.size());
        count_segments(texts, counting, found.data(), threads);
        CHECK_EQUAL(found, expected);
        const auto check_with_plain = [&](const auto& corpus) {
            Numbers rows(expected.size(), -1), plain(expected_plain.size(), -1);
            count_segments(corpus, counting, rows.data(), threads, plain.data());
            CHECK_EQUAL(rows, expected);
            CHECK_EQUAL(plain, expected_plain);
        };
        check_with_plain(texts);
        check_with_plain(numbers);
        count_segments(words, counting, found.data(), threads);
        CHECK_EQUAL(found, expected);
        count_segments(numbers, counting, found.data(), threads);
        CHECK_EQUAL(found, expected);
    }
}

TEST(no_ngram_reaches_from_one_reference_into_the_next) {
    MatchCounter matches;
    matches.begin();
    for (const std::uint32_t token : {1, 2}) matches.add_token(token);
    matches.add_reference_token(1);
    CHECK_EQUAL(matches.end_reference(), 1);
    matches.add_reference_token(2);
    CHECK_EQUAL(matches.end_reference(), 1);
    Numbers found(3, -1);
    matches.count(found.data(), 3);
    CHECK_EQUAL(found, (Numbers{2, 0, 0}));
}

TEST(texts_of_few_different_tokens_are_counted_as_by_definition) {
    std::mt19937 chance(12);
    MatchCounter matches;
    for (const std::uint32_t vocabulary : {1u, 2u, 3u, 7u, 8u, 15u, 16u, 30u, 63u, 64u, 65u, 300u}) {
        for (const std::size_t length : {1u, 15u, 16u, 65u, 256u, 1023u, 1024u}) {
            const int order = 1 + static_cast<int>(chance() % 8);
            const auto word = [&] { return std::to_string(chance() % vocabulary); };
            Words candidate(length);
            for (std::string& token : candidate) token = word();
            std::map<std::string, std::uint32_t> numbers;
            matches.begin();
            for (const std::string& token : candidate) {
                matches.add_token(numbers.try_emplace(token, static_cast<std::uint32_t>(2 * numbers.size() + 1)).first->second);
            }
            std::vector<Words> references(1 + chance() % 3);
            for (Words& reference : references) {
                reference = candidate;
                for (std::string& token : reference) token = chance() % 4 ? token : word() + "x" + word();
                for (std::string& token : reference) token = chance() % 4 ? token : word();
                reference.resize(chance() % (length + 3), "0");
                for (const std::string& token : reference) {
                    matches.add_reference_token(numbers.contains(token) ? numbers[token] : 0);
                }
                CHECK_EQUAL(matches.end_reference(), std::ssize(reference));
            }
            Numbers found(static_cast<std::size_t>(order));
            matches.count(found.data(), order);
            const Numbers row = row_slowly(candidate, references, {LengthRule::closest, false, order});
            CHECK_EQUAL(found, Numbers(row.begin() + 2, row.begin() + 2 + order));
        }
    }
}

namespace {

/// Words of one or two letters, so many of which are different, and parts of them.
Words some_words(std::mt19937& chance, std::size_t length, unsigned different) {
    Words made(length);
    for (std::string& word : made) {
        const unsigned number = chance() % different;
        word = {static_cast<char>('a' + number % 26), static_cast<char>('a' + number / 26)};
    }
    return made;
}

}  // namespace

TEST(candidates_of_every_length_are_counted_as_by_definition) {
    std::mt19937 chance(21);
    for (const std::size_t length : {63, 64, 65, 127, 128, 129, 255, 256, 257, 640}) {
        for (const unsigned different : {1u, 2u, 30u, 600u}) {
            const Words candidate = some_words(chance, length, different);
            std::vector<Words> references{some_words(chance, length, different), candidate};
            references.back().resize(length - length / 4);
            references.emplace_back(candidate.begin() + static_cast<std::ptrdiff_t>(length / 2), candidate.end());
            for (const std::size_t given : {1, 3}) {
                TextCorpus corpus(Tokenizer::whitespace);
                std::deque<std::string> memory;
                corpus.candidates.push_back(memory.emplace_back(join(candidate)));
                for (std::size_t text = 0; text < given; ++text) {
                    corpus.references.push_back(memory.emplace_back(join(references[text])));
                }
                corpus.grouping.first.push_back(given);
                for (int order = 1; order <= 5; ++order) {
                    const Counting counting{LengthRule::closest, false, order};
                    const std::vector<Words> held{references.begin(), references.begin() + static_cast<std::ptrdiff_t>(given)};
                    const Numbers expected = row_slowly(candidate, held, counting);
                    Numbers found(row_width(order)), plain(static_cast<std::size_t>(order), -1);
                    count_segments(corpus, counting, found.data(), 1);
                    CHECK_EQUAL(found, expected);
                    std::ranges::fill(found, -1);
                    count_segments(corpus, counting, found.data(), 1, plain.data());
                    CHECK_EQUAL(found, expected);
                    CHECK_EQUAL(plain, plain_slowly(candidate, held, order));
                }
            }
        }
    }
}

TEST(lists_of_places_are_given_up_where_a_text_repeats_itself) {
    ListedMatches lists;
    Numbers found(4);
    std::vector<std::uint32_t> tokens(1000);
    const std::vector<std::size_t> ends{tokens.size()};
    std::ranges::fill(tokens, 1);
    CHECK(!lists.count(tokens, 1, tokens, ends, found.data(), 4));
    for (std::uint32_t place = 0; place < tokens.size(); ++place) tokens[place] = place < 900 ? 1 : place - 898;
    CHECK(!lists.count(tokens, 101, tokens, ends, found.data(), 4));
    for (std::uint32_t place = 0; place < tokens.size(); ++place) tokens[place] = place + 1;
    CHECK(lists.count(tokens, 1000, tokens, ends, found.data(), 4));
    CHECK_EQUAL(found, (Numbers{1000, 999, 998, 997}));
    CHECK(!lists.count(tokens, 1000, tokens, ends, found.data(), 5));
    CHECK(lists.count(tokens, 1000, {}, {}, found.data(), 4));
    CHECK_EQUAL(found, (Numbers{0, 0, 0, 0}));
}

TEST(lists_of_places_are_given_up_where_references_are_many_and_short) {
    ListedMatches lists;
    Numbers found(4);
    std::vector<std::uint32_t> tokens(4000), apart, twice;
    std::vector<std::size_t> ends;
    for (std::uint32_t place = 0; place < tokens.size(); ++place) {
        tokens[place] = place + 1;
        apart.insert(apart.end(), {place + 1, 0});
        ends.push_back(apart.size() - 1);
    }
    CHECK(!lists.count(tokens, 4000, apart, ends, found.data(), 4));
    for (int time = 0; time < 2; ++time) {
        twice.insert(twice.end(), tokens.begin(), tokens.end());
        twice.push_back(0);
    }
    CHECK(lists.count(tokens, 4000, twice, std::vector<std::size_t>{4000, 8001}, found.data(), 4));
    CHECK_EQUAL(found, (Numbers{4000, 3999, 3998, 3997}));
}

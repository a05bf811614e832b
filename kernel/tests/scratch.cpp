// scratch.hpp: a thread keeps little between calls, and nobody's memory is given out twice.
#include <string>

#include "../scratch.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

using TextLease = Lease<Scratch<TextCorpus>>;

/// Count a candidate against itself in leased memory.
std::vector<std::int64_t> count_leased(const std::string& text, Tokenizer tokenizer = Tokenizer::western_13a) {
    TextLease scratch;
    scratch->corpus.begin(tokenizer);
    scratch->corpus.candidates.push_back(text);
    scratch->corpus.references.push_back(text);
    scratch->corpus.grouping.first.push_back(1);
    count_segment(scratch->corpus, 0, Counting{}, scratch->row(4), scratch->space);
    return scratch->numbers;
}

std::string many_words(std::size_t words) {
    std::string text;
    for (std::size_t word = 0; word < words; ++word) text += "w" + std::to_string(word) + " ";
    return text;
}

}  // namespace

TEST(one_huge_text_does_not_stay_in_a_thread) {
    const std::string huge = many_words(200'000), short_words = "&amp; " + std::string(8'000'000, 'x');
    count_leased("a b c");
    const std::size_t before = TextLease::kept_bytes();
    CHECK(before < 1 << 16);
    for (const std::string& text : {huge, short_words}) {
        count_leased(text);
        CHECK(TextLease::kept_bytes() <= TextLease::MOST);
        CHECK_EQUAL(count_leased("a b c d"), (std::vector<std::int64_t>{4, 4, 4, 3, 2, 1, 4, 3, 2, 1}));
        CHECK(TextLease::kept_bytes() < 1 << 16);
    }
}

TEST(an_ordinary_text_leaves_its_tables_for_the_next) {
    count_leased(many_words(5'000));
    const std::size_t kept = TextLease::kept_bytes();
    CHECK(kept > 1 << 17);
    count_leased("a b c");
    CHECK_EQUAL(TextLease::kept_bytes(), kept);
}

TEST(who_comes_while_memory_is_leased_gets_his_own) {
    TextLease outer;
    outer->numbers = {1, 2, 3};
    outer->corpus.begin(Tokenizer::intl);
    outer->corpus.candidates.push_back("kept");
    CHECK_EQUAL(count_leased("a b c d"), (std::vector<std::int64_t>{4, 4, 4, 3, 2, 1, 4, 3, 2, 1}));
    CHECK_EQUAL(outer->numbers, (std::vector<std::int64_t>{1, 2, 3}));
    CHECK_EQUAL(outer->corpus.candidates.size(), std::size_t{1});
}

TEST(many_references_do_not_stay_either) {
    {
        TextLease scratch;
        scratch->corpus.references.assign(1'000'000, "a");
        CHECK(scratch->bytes() > TextLease::MOST);
    }
    CHECK(TextLease::kept_bytes() < 1 << 16);
}

TEST(a_thread_keeps_the_largest_memory_that_comes_back_and_is_not_huge) {
    using Corpus = TokenCorpus<std::uint64_t>;
    using Kept = Spare<Corpus>;
    const auto give_back = [](std::size_t numbers) {
        Corpus corpus;
        corpus.candidates.tokens.resize(numbers);
        Kept::give_back(std::move(corpus));
    };
    Kept::take();
    CHECK(Kept::kept_bytes() < 1 << 10);
    for (const std::size_t numbers : {1'000, 2'000, 10, 1'000'000}) give_back(numbers);
    CHECK(Kept::kept_bytes() >= 16'000 && Kept::kept_bytes() < 17'000);
    const Corpus taken = Kept::take();
    CHECK(taken.bytes() >= 16'000);
    CHECK(Kept::kept_bytes() < 1 << 10);
}

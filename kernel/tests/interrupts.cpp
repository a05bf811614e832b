// interrupts.hpp: every long call asks whether it is still wanted, and ends where it is not.
#include <numeric>
#include <random>
#include <stdexcept>

#include "../among_themselves.hpp"
#include "../arrow_strings.hpp"
#include "../pairs.hpp"
#include "../resampling.hpp"
#include "../ter.hpp"
#include "check.hpp"

using namespace bleuprint;

namespace {

struct Unwanted : std::runtime_error {
    Unwanted() : std::runtime_error("not wanted any more") {}
};

/// How often `work` asks, if nobody objects; and whether it ends where somebody objects to going on, each time.
template <class Work>
int asks_in(Work work) {
    int asked = 0;
    {
        const Watch watch([&] { ++asked; }, {});
        work();
    }
    for (const int last : {1, asked / 2, asked}) {
        int left = last;
        bool ended = false;
        try {
            const Watch watch([&] { if (--left <= 0) throw Unwanted(); }, {});
            work();
        } catch (const Unwanted&) {
            ended = true;
        }
        CHECK(ended);
        CHECK_EQUAL(left, 0);
    }
    return asked;
}

}  // namespace

TEST(long_calls_ask_between_their_parts) {
    const std::string text = "a b c d e";
    const std::vector<std::string_view> texts(2000, text);
    Grouping grouping;
    for (std::size_t place = 1; place <= texts.size(); ++place) grouping.first.push_back(place);
    TextCorpus corpus(Tokenizer::whitespace);
    corpus.candidates = corpus.references = texts;
    corpus.grouping = grouping;
    const Counting counting;
    const Formula formula{{0.25, 0.25, 0.25, 0.25}, {}, {}, {}, {}};
    std::vector<std::int64_t> rows(texts.size() * row_width(4));
    std::vector<double> scores(texts.size() * 200);

    CHECK(asks_in([&] { count_segments(corpus, counting, rows.data(), 1); }) >= 60);
    std::vector<std::int64_t> edits(texts.size() * TER_WIDTH);
    CHECK(asks_in([&] { count_ter(corpus, {}, edits.data(), 1); }) >= 500);
    CHECK(asks_in([&] { score_ter_rows(edits.data(), texts.size(), scores.data()); }) >= 7);
    const Tables tables{{rows, rows}, row_width(4)};
    CHECK(asks_in([&] { bootstrap(tables, BleuScorer(formula), 1, 400, scores.data(), 1); }) >= 100);
    CHECK(asks_in([&] { randomise(tables, BleuScorer(formula), 1, 400, 0.0, 1); }) >= 25);
    CHECK(asks_in([&] { score_rows(rows.data(), texts.size(), 4, formula, scores.data()); }) >= 7);
    CHECK(asks_in([&] { score_among_themselves(texts, Tokenizer::whitespace, counting, formula, scores.data(), 1); }) >= 4000);
    const std::vector<std::string_view> few(texts.begin(), texts.begin() + 200);
    CHECK(asks_in([&] {
        score_pairs(few, texts, grouping, Tokenizer::whitespace, counting, formula, scores.data(), 1);
    }) >= 4000);
}

TEST(only_the_thread_that_was_called_asks) {
    const std::thread::id called = std::this_thread::get_id();
    bool elsewhere = false;
    const Watch watch([&] { elsewhere = elsewhere || std::this_thread::get_id() != called; }, {});
    share_out(20'000, 4, 1, [] { return 0; }, [](int, std::size_t) {});
    CHECK(!elsewhere);
}

TEST(a_call_within_a_call_has_a_watch_of_its_own) {
    int outer = 0, inner = 0;
    const Watch watch([&] { ++outer; }, {});
    {
        const Watch another([&] { ++inner; }, {});
        Watch::look();
    }
    CHECK_EQUAL(inner, 1);
    CHECK_EQUAL(outer, 0);
    Watch::look();
    CHECK_EQUAL(outer, 1);
}

TEST(a_watch_is_not_asked_by_what_it_calls) {
    int asked = 0;
    const Watch watch([&] {
        if (++asked < 100) Watch::look();
    }, {});
    Watch::look();
    CHECK_EQUAL(asked, 1);
    Watch::look();
    CHECK_EQUAL(asked, 2);
}

TEST(the_clock_decides_how_often_is_asked) {
    int asked = 0;
    const Watch watch([&] { ++asked; }, std::chrono::hours(1));
    for (int look = 0; look < 1000; ++look) Watch::look();
    CHECK_EQUAL(asked, 0);
}

TEST(a_single_long_text_asks_while_its_shifts_are_tried) {
    std::vector<int> words(3'000);
    std::iota(words.begin(), words.end(), 0);
    const auto write = [&] {
        std::string text;
        for (const int word : words) text += "w" + std::to_string(word) + " ";
        return text;
    };
    const std::string text = write();
    std::shuffle(words.begin(), words.end(), std::mt19937(1));
    const std::string shuffled = write();
    TextCorpus corpus(Tokenizer::whitespace);
    corpus.candidates = {shuffled};
    corpus.references = {text};
    corpus.grouping.first.push_back(1);
    std::vector<std::int64_t> row(TER_WIDTH);
    CHECK(asks_in([&] { count_ter(corpus, {}, row.data(), 1); }) >= 100);
}

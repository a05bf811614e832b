// The door between WebAssembly's host and the kernel, for the engine that runs in a browser. Texts come as UTF-8 one after
// the other, with a zero behind the last and their sizes beside them, in characters: so the host can write them down at
// once. Numbers come as they lie in memory; names are as Python says them, each with a zero behind. The host has checked
// what is given, writes only into room that it asked for, and calls one function at a time.
//
// Nothing is caught here: what is thrown is written down, and the instance stops. Its host reads that, and starts another.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "../among_themselves.hpp"
#include "../choices.hpp"
#include "../pairs.hpp"
#include "../resampling.hpp"
#include "../ter.hpp"

using namespace bleuprint;

#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))

namespace {

constexpr std::size_t ALONE = 1;  // threads

char failure[512];

/// Where so many characters end. Behind them is another one, or a zero.
const char* skip_characters(const char* from, std::size_t characters) {
    constexpr std::size_t BLOCK = 16;
    const auto begins = [](char byte) { return (byte & 0xC0) != 0x80; };
    while (characters >= BLOCK) {  // they have as many bytes at least; the compiler looks at all at once
        std::uint8_t found = 0;
        for (std::size_t place = 0; place < BLOCK; ++place) found = static_cast<std::uint8_t>(found + begins(from[place]));
        characters -= found;
        from += BLOCK;
    }
    while (characters) characters -= begins(*from++);
    while (!begins(*from)) ++from;
    return from;
}

/// Texts as they lie in memory: those of the candidates, then those of every entry of references.
TextCorpus view_corpus(const char* bytes, const std::uint32_t* sizes, std::size_t candidates,
                       const std::uint32_t* references_of_each, std::size_t entries, Tokenizer tokenizer) {
    TextCorpus corpus(tokenizer);
    const auto next = [&] {
        const char* const start = bytes;
        bytes = skip_characters(start, *sizes++);
        return std::string_view(start, bytes);
    };
    corpus.candidates.reserve(candidates);
    corpus.grouping.first.reserve(entries + 1);
    for (std::size_t text = 0; text < candidates; ++text) corpus.candidates.push_back(next());
    for (std::size_t entry = 0; entry < entries; ++entry) {
        if (!references_of_each[entry]) throw std::invalid_argument("every segment needs a reference");
        for (std::uint32_t text = 0; text < references_of_each[entry]; ++text) corpus.references.push_back(next());
        corpus.grouping.first.push_back(corpus.references.size());
    }
    return corpus;
}

/// Tables of as many rows each, one behind the other.
Tables view_tables(const std::int64_t* numbers, std::size_t tables, std::size_t rows, std::size_t width) {
    Tables found{{}, width};
    for (std::size_t table = 0; table < tables; ++table) found.numbers.emplace_back(numbers + table * rows * width, rows * width);
    return found;
}

/// Columns and bounds in turn.
std::vector<Threshold> view_thresholds(const std::int64_t* pairs, std::size_t count) {
    std::vector<Threshold> thresholds;
    for (std::size_t which = 0; which < count; ++which) {
        thresholds.push_back({static_cast<std::size_t>(pairs[2 * which]), pairs[2 * which + 1]});
    }
    return thresholds;
}

/// WebAssembly's 64-bit numbers are none of JavaScript's usual ones.
std::uint64_t join(std::uint32_t low, std::uint32_t high) { return (std::uint64_t{high} << 32) | low; }

}  // namespace

/// The logarithms of the Python beside it in the place of the standard library's: a score has the same last bit in both.
extern "C" {
__attribute__((import_module("python"), import_name("log"))) double python_log(double value);
__attribute__((import_module("python"), import_name("exp"))) double python_exp(double value);
double log(double value) { return python_log(value); }
double exp(double value) { return python_exp(value); }
}

/// In the place of the standard library's: kinds of failure and their words are kept, and the instance stops.
extern "C" {
void* __cxa_allocate_exception(std::size_t size) noexcept { return std::malloc(size); }
void __cxa_free_exception(void* thrown) noexcept { std::free(thrown); }
[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void (*)(void*)) {
    const std::string_view kind(type->name()), words(static_cast<std::exception*>(thrown)->what());
    const std::size_t kept = std::min(kind.size(), sizeof failure / 2);
    std::memcpy(failure, kind.data(), kept);
    failure[kept] = ' ';
    std::memcpy(failure + kept + 1, words.data(), std::min(words.size(), sizeof failure - kept - 2));
    __builtin_trap();
}
}

EXPORTED(make_room) char* make_room(std::size_t bytes) { return static_cast<char*>(std::malloc(bytes)); }
EXPORTED(give_back) void give_back(char* room) { std::free(room); }
EXPORTED(failure_text) const char* failure_text() { return failure; }

// BLEU.

EXPORTED(make_formula) Formula* new_formula(const double* weights, std::size_t order, const char* smoothing, double value,
                                            const char* absent, const char* unmatched, const char* nothing) {
    return new Formula(make_formula({weights, weights + order}, smoothing, value, absent, unmatched, nothing));
}
EXPORTED(drop_formula) void drop_formula(Formula* formula) { delete formula; }

EXPORTED(count_texts) void count_texts(const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                                       const std::uint32_t* references_of_each, const char* tokenizer, const char* rule,
                                       bool at_least_one, int order, std::int64_t* rows) {
    const TextCorpus corpus = view_corpus(bytes, sizes, segments, references_of_each, segments, tokenizer_named(tokenizer));
    count_segments(corpus, make_counting(rule, at_least_one, order), rows, ALONE);
}

/// The same, and beside it the sums of matches that are not clipped.
EXPORTED(count_with_plain) void count_with_plain(const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                                                 const std::uint32_t* references_of_each, const char* tokenizer,
                                                 const char* rule, bool at_least_one, int order, std::int64_t* rows,
                                                 std::int64_t* sums) {
    const TextCorpus corpus = view_corpus(bytes, sizes, segments, references_of_each, segments, tokenizer_named(tokenizer));
    const Counting counting = make_counting(rule, at_least_one, order);
    const auto orders = static_cast<std::size_t>(order);
    std::vector<std::int64_t> plain(segments * orders);
    count_segments(corpus, counting, rows, ALONE, plain.data());
    std::ranges::copy(sum_rows(plain, orders), sums);
}

EXPORTED(score_rows) void score_table(const std::int64_t* rows, std::size_t count, int order, const Formula* formula, double* scores) {
    score_rows(rows, count, order, *formula, scores);
}

EXPORTED(bootstrap) void bootstrap_bleu(const std::int64_t* numbers, std::size_t tables, std::size_t rows, int order,
                                        const Formula* formula, std::uint32_t seed_low, std::uint32_t seed_high,
                                        std::size_t resamples, double* scores) {
    bootstrap(view_tables(numbers, tables, rows, row_width(order)), BleuScorer(*formula), join(seed_low, seed_high),
              resamples, scores, ALONE);
}

EXPORTED(randomise) std::size_t randomise_bleu(const std::int64_t* numbers, std::size_t rows, int order, const Formula* formula,
                                               std::uint32_t seed_low, std::uint32_t seed_high, std::size_t trials,
                                               double threshold) {
    return randomise(view_tables(numbers, 2, rows, row_width(order)), BleuScorer(*formula), join(seed_low, seed_high), trials,
                     threshold, ALONE);
}

EXPORTED(score_pairs) void score_bleu_pairs(const char* bytes, const std::uint32_t* sizes, std::size_t candidates,
                                            const std::uint32_t* references_of_each, std::size_t entries,
                                            const char* tokenizer, const char* rule, bool at_least_one,
                                            const Formula* formula, double* scores) {
    const Tokenizer chosen = tokenizer_named(tokenizer);
    const TextCorpus corpus = view_corpus(bytes, sizes, candidates, references_of_each, entries, chosen);
    score_pairs(corpus.candidates, corpus.references, corpus.grouping, chosen,
                make_counting(rule, at_least_one, formula->order()), *formula, scores, ALONE);
}

EXPORTED(score_among_themselves) void score_bleu_among_themselves(const char* bytes, const std::uint32_t* sizes,
                                                                  std::size_t texts, const char* tokenizer,
                                                                  const char* rule, bool at_least_one,
                                                                  const Formula* formula, double* scores) {
    const Tokenizer chosen = tokenizer_named(tokenizer);
    const TextCorpus corpus = view_corpus(bytes, sizes, texts, nullptr, 0, chosen);
    score_among_themselves(corpus.candidates, chosen, make_counting(rule, at_least_one, formula->order()), *formula, scores,
                           ALONE);
}

// Rows of any metric.

EXPORTED(sum_rows) void sum_table(const std::int64_t* numbers, std::size_t count, std::size_t width, std::int64_t* sums) {
    std::ranges::copy(sum_rows({numbers, count}, width), sums);
}

EXPORTED(take_census) void take_table_census(const std::int64_t* numbers, std::size_t count, std::size_t width,
                                             const std::int64_t* pairs, std::size_t thresholds, std::int64_t* census) {
    std::ranges::copy(take_census({numbers, count}, width, view_thresholds(pairs, thresholds)), census);
}

EXPORTED(sum_groups) void sum_table_groups(const std::int64_t* numbers, std::size_t rows, std::size_t width,
                                           const std::int64_t* pairs, std::size_t thresholds, const std::int64_t* groups,
                                           std::size_t count, std::int64_t* sums, std::int64_t* census) {
    sum_groups({numbers, rows * width}, width, view_thresholds(pairs, thresholds), {groups, rows}, count, sums, census);
}

EXPORTED(bootstrap_sums) void sum_bootstrap(const std::int64_t* numbers, std::size_t tables, std::size_t rows,
                                            std::size_t width, std::uint32_t seed_low, std::uint32_t seed_high,
                                            std::size_t start, std::size_t resamples, std::int64_t* sums) {
    bootstrap_sums(view_tables(numbers, tables, rows, width), join(seed_low, seed_high), start, resamples, sums, ALONE);
}

EXPORTED(swap_sums) void sum_swaps(const std::int64_t* numbers, std::size_t rows, std::size_t width, std::uint32_t seed_low,
                                   std::uint32_t seed_high, std::size_t start, std::size_t trials, std::int64_t* sums) {
    swap_sums(view_tables(numbers, 2, rows, width), join(seed_low, seed_high), start, trials, sums, ALONE);
}

// chrF.

EXPORTED(make_chrf) ChrfCounting* new_chrf(int char_order, int word_order, const char* white_space, const char* candidate_totals,
                                           const char* unmatched_segment, double beta, const char* averaging) {
    return new ChrfCounting(
        make_chrf_counting(char_order, word_order, white_space, candidate_totals, unmatched_segment, beta, averaging));
}
EXPORTED(drop_chrf) void drop_chrf(ChrfCounting* chrf) { delete chrf; }

EXPORTED(count_chrf) void count_chrf_texts(const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                                           const std::uint32_t* references_of_each, const ChrfCounting* chrf,
                                           std::int64_t* rows) {
    count_chrf(view_corpus(bytes, sizes, segments, references_of_each, segments, Tokenizer::whitespace), *chrf, rows, ALONE);
}

EXPORTED(count_plain_chrf) void count_plain_texts(const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                                                  const std::uint32_t* references_of_each, const ChrfCounting* chrf,
                                                  std::int64_t* known) {
    const TextCorpus corpus = view_corpus(bytes, sizes, segments, references_of_each, segments, Tokenizer::whitespace);
    count_plain_chrf(corpus, *chrf, known, ALONE);
}

EXPORTED(score_chrf_rows) void score_chrf_table(const std::int64_t* rows, std::size_t count, const ChrfCounting* chrf,
                                                double* scores) {
    score_chrf_rows(rows, count, chrf->orders(), chrf->formula, scores);
}

EXPORTED(bootstrap_chrf) void bootstrap_chrf(const std::int64_t* numbers, std::size_t tables, std::size_t rows,
                                             const ChrfCounting* chrf, std::uint32_t seed_low, std::uint32_t seed_high,
                                             std::size_t resamples, double* scores) {
    bootstrap(view_tables(numbers, tables, rows, chrf_width(chrf->orders())), ChrfScorer{chrf->formula, chrf->orders()},
              join(seed_low, seed_high), resamples, scores, ALONE);
}

EXPORTED(randomise_chrf) std::size_t randomise_chrf(const std::int64_t* numbers, std::size_t rows, const ChrfCounting* chrf,
                                                    std::uint32_t seed_low, std::uint32_t seed_high, std::size_t trials,
                                                    double threshold) {
    return randomise(view_tables(numbers, 2, rows, chrf_width(chrf->orders())), ChrfScorer{chrf->formula, chrf->orders()},
              join(seed_low, seed_high), trials, threshold, ALONE);
}

EXPORTED(score_chrf_pairs) void pair_chrf(const char* bytes, const std::uint32_t* sizes, std::size_t candidates,
                                          const std::uint32_t* references_of_each, std::size_t entries,
                                          const ChrfCounting* chrf, double* scores) {
    score_chrf_pairs(view_corpus(bytes, sizes, candidates, references_of_each, entries, Tokenizer::whitespace), *chrf, scores,
                     ALONE);
}

EXPORTED(score_chrf_among_themselves) void pair_chrf_among_themselves(const char* bytes, const std::uint32_t* sizes,
                                                                      std::size_t texts, const ChrfCounting* chrf,
                                                                      double* scores) {
    score_chrf_among_themselves(view_corpus(bytes, sizes, texts, nullptr, 0, Tokenizer::whitespace).candidates, *chrf, scores,
                                ALONE);
}

// TER.

EXPORTED(count_ter) void count_ter_texts(const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                                         const std::uint32_t* references_of_each, bool shift_references,
                                         std::size_t longest_shift, bool free_empty_candidate, std::int64_t* rows) {
    count_ter(view_corpus(bytes, sizes, segments, references_of_each, segments, Tokenizer::whitespace),
              {shift_references, longest_shift, free_empty_candidate}, rows, ALONE);
}

/// Trace a search between words that the host has numbered below `distinct`. Given is room that the host gives back: how many
/// shifts and steps there are, the edits before any shift, the moves that were tried, then four numbers for each shift, then
/// one for each step.
EXPORTED(trace_ter) std::int64_t* trace_ter(const std::uint32_t* moved, std::size_t words, const std::uint32_t* staying,
                                            std::size_t others, std::uint32_t distinct, std::size_t longest_shift) {
    const auto numbered = [&](std::uint32_t word) { return word < distinct; };
    if (longest_shift > MOST_MOVED) throw std::invalid_argument("shifts of up to 1,000 words are due here");
    if (distinct > words + others || !std::all_of(moved, moved + words, numbered) ||
        !std::all_of(staying, staying + others, numbered)) {
        throw std::invalid_argument("words are numbered from 0 on, without a gap");
    }
    ShiftSearch search;
    const SearchTrace found = search.trace({moved, words}, {staying, others}, distinct, longest_shift);
    const std::size_t size = 4 + 4 * found.shifts.size() + found.steps.size();
    auto* const room = static_cast<std::int64_t*>(std::malloc(size * sizeof(std::int64_t)));
    if (!room) throw std::bad_alloc();
    std::int64_t* to = room;
    for (const std::int64_t number : {static_cast<std::int64_t>(found.shifts.size()), static_cast<std::int64_t>(found.steps.size()),
                                      found.left, static_cast<std::int64_t>(found.tried)}) {
        *to++ = number;
    }
    for (const MadeShift& shift : found.shifts) {
        for (const std::int64_t number : {std::int64_t{shift.start}, std::int64_t{shift.length}, std::int64_t{shift.to}, shift.left}) {
            *to++ = number;
        }
    }
    for (const EditStep step : found.steps) *to++ = static_cast<std::int64_t>(step);
    return room;
}

EXPORTED(score_ter_rows) void score_ter_table(const std::int64_t* rows, std::size_t count, double* scores) {
    score_ter_rows(rows, count, scores);
}

EXPORTED(bootstrap_ter) void bootstrap_ter(const std::int64_t* numbers, std::size_t tables, std::size_t rows,
                                           std::uint32_t seed_low, std::uint32_t seed_high, std::size_t resamples,
                                           double* scores) {
    bootstrap(view_tables(numbers, tables, rows, TER_WIDTH), TerScorer{}, join(seed_low, seed_high), resamples, scores, ALONE);
}

EXPORTED(randomise_ter) std::size_t randomise_ter(const std::int64_t* numbers, std::size_t rows, std::uint32_t seed_low,
                                                  std::uint32_t seed_high, std::size_t trials, double threshold) {
    return randomise(view_tables(numbers, 2, rows, TER_WIDTH), TerScorer{}, join(seed_low, seed_high), trials, threshold, ALONE);
}

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
#include <variant>
#include <vector>

#include "../metrics.hpp"

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

/// Texts as they lie in memory: those of the candidates, then those of every segment's references.
TextCorpus view_corpus(const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                       const std::uint32_t* references_of_each, Tokenizer tokenizer) {
    TextCorpus corpus(tokenizer);
    const auto next = [&] {
        const char* const start = bytes;
        bytes = skip_characters(start, *sizes++);
        return std::string_view(start, bytes);
    };
    corpus.candidates.reserve(segments);
    corpus.grouping.first.reserve(segments + 1);
    for (std::size_t which = 0; which < segments; ++which) corpus.candidates.push_back(next());
    for (std::size_t which = 0; which < segments; ++which) {
        if (!references_of_each[which]) throw std::invalid_argument("every segment needs a reference");
        for (std::uint32_t text = 0; text < references_of_each[which]; ++text) corpus.references.push_back(next());
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

using Metric = std::variant<BleuKernel, ChrfKernel, TerKernel>;

template <class Kernel>
Metric* make(const char* names, std::size_t count, const double* numbers, std::size_t size) {
    Names read;
    for (std::size_t name = 0; name < count; ++name) {
        read.emplace_back(names);
        names += read.back().size() + 1;
    }
    return new Metric(Kernel(read, {numbers, numbers + size}));
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

// The metrics.

EXPORTED(make_bleu) Metric* make_bleu(const char* names, std::size_t count, const double* numbers, std::size_t size) {
    return make<BleuKernel>(names, count, numbers, size);
}
EXPORTED(make_chrf) Metric* make_chrf(const char* names, std::size_t count, const double* numbers, std::size_t size) {
    return make<ChrfKernel>(names, count, numbers, size);
}
EXPORTED(make_ter) Metric* make_ter(const char* names, std::size_t count, const double* numbers, std::size_t size) {
    return make<TerKernel>(names, count, numbers, size);
}
EXPORTED(drop_metric) void drop_metric(Metric* metric) { delete metric; }

EXPORTED(row_width_of) std::size_t row_width_of(const Metric* metric) {
    return std::visit([](const auto& kernel) { return kernel.width(); }, *metric);
}

EXPORTED(count) void count_texts(const Metric* metric, const char* bytes, const std::uint32_t* sizes, std::size_t segments,
                                 const std::uint32_t* references_of_each, std::int64_t* rows) {
    std::visit(
        [&]<class Kernel>(const Kernel& kernel) {
            const TextCorpus corpus = view_corpus(bytes, sizes, segments, references_of_each, kernel.tokenizer());
            check_references<Kernel>(corpus.grouping);
            kernel.count(corpus, rows, ALONE);
        },
        *metric);
}

/// The same, and the sums of matches that are not clipped. Gives how many orders these have.
EXPORTED(count_with_plain) std::size_t count_with_plain(const Metric* metric, const char* bytes, const std::uint32_t* sizes,
                                                        std::size_t segments, const std::uint32_t* references_of_each,
                                                        std::int64_t* rows, std::int64_t* sums) {
    return std::visit(
        [&](const auto& kernel) -> std::size_t {
            if constexpr (requires { kernel.orders(); }) {
                const TextCorpus corpus = view_corpus(bytes, sizes, segments, references_of_each, kernel.tokenizer());
                std::vector<std::int64_t> plain(segments * kernel.orders());
                kernel.count(corpus, rows, ALONE, plain.data());
                std::ranges::copy(sum_rows(plain, kernel.orders()), sums);
                return kernel.orders();
            }
            return 0;
        },
        *metric);
}

EXPORTED(score_rows) void score_table(const Metric* metric, const std::int64_t* rows, std::size_t count, std::size_t width,
                                      double* scores) {
    std::visit([&](const auto& kernel) { kernel.score_rows(rows, count, width, scores); }, *metric);
}

EXPORTED(bootstrap) void bootstrap_tables(const Metric* metric, const std::int64_t* numbers, std::size_t tables, std::size_t rows,
                                          std::size_t width, std::uint32_t seed_low, std::uint32_t seed_high,
                                          std::size_t resamples, double* scores) {
    std::visit(
        [&](const auto& kernel) {
            bootstrap(view_tables(numbers, tables, rows, width), kernel.scorer(width), join(seed_low, seed_high), resamples,
                      scores, ALONE);
        },
        *metric);
}

EXPORTED(randomise) std::size_t randomise_tables(const Metric* metric, const std::int64_t* numbers, std::size_t rows,
                                                 std::size_t width, std::uint32_t seed_low, std::uint32_t seed_high,
                                                 std::size_t trials, double threshold) {
    return std::visit(
        [&](const auto& kernel) {
            return randomise(view_tables(numbers, 2, rows, width), kernel.scorer(width), join(seed_low, seed_high), trials,
                             threshold, ALONE);
        },
        *metric);
}

/// Trace a search between words that the host has numbered below `distinct`. Given is room that the host gives back: how many
/// shifts and steps there are, the edits before any shift, the moves that were tried, then four numbers for each shift, then
/// one for each step.
EXPORTED(trace) std::int64_t* trace_words(const Metric* metric, const std::uint32_t* moved, std::size_t words,
                                          const std::uint32_t* staying, std::size_t others, std::uint32_t distinct) {
    const SearchTrace found = std::get_if<TerKernel>(metric)->trace({moved, words}, {staying, others}, distinct);
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

// BLEU's whole numbers for rows of token ids, as plainly as can be: n-grams in sorted maps, one row after the other.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

using Tokens = std::vector<std::int64_t>;
using Counts = std::map<Tokens, std::int64_t>;

static Tokens cut(const std::int64_t* ids, std::int64_t columns, std::int64_t length, const std::int64_t* pad,
                  const std::int64_t* eos) {
    if (length >= 0) return Tokens(ids, ids + length);
    Tokens tokens(ids, ids + columns);
    if (pad) {
        tokens.erase(tokens.begin(), std::find_if(tokens.begin(), tokens.end(), [&](auto id) { return id != *pad; }));
    }
    if (eos) tokens.erase(std::find(tokens.begin(), tokens.end(), *eos), tokens.end());
    while (pad && !tokens.empty() && tokens.back() == *pad) tokens.pop_back();
    return tokens;
}

static Counts count_ngrams(const Tokens& tokens, std::size_t order) {
    Counts counts;
    for (std::size_t end = order; end <= tokens.size(); ++end) {
        ++counts[Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(end - order), tokens.begin() + static_cast<std::ptrdiff_t>(end))];
    }
    return counts;
}

// Rows (rows, columns) against references (rows, most, reference_columns); a negative length asks for pad and eos.
extern "C" void count_rows(const std::int64_t* candidates, std::int64_t columns, const std::int64_t* lengths,
                           const std::int64_t* references, std::int64_t most, std::int64_t reference_columns,
                           const std::int64_t* reference_lengths, const std::int64_t* reference_counts,
                           std::int64_t first, std::int64_t last, std::int64_t order, const std::int64_t* pad,
                           const std::int64_t* eos, std::int64_t* statistics) {
    for (std::int64_t row = first; row < last; ++row) {
        const Tokens candidate = cut(candidates + row * columns, columns, lengths[row], pad, eos);
        std::vector<Tokens> texts;
        for (std::int64_t which = 0; which < reference_counts[row]; ++which) {
            const std::int64_t place = row * most + which;
            texts.push_back(cut(references + place * reference_columns, reference_columns, reference_lengths[place], pad, eos));
        }
        std::int64_t* const out = statistics + row * (2 + 2 * order);
        const auto length = static_cast<std::int64_t>(candidate.size());
        out[0] = length;
        out[1] = -1;
        for (const Tokens& text : texts) {
            const auto other = static_cast<std::int64_t>(text.size());
            const std::int64_t far = std::abs(other - length), kept = std::abs(out[1] - length);
            if (out[1] < 0 || far < kept || (far == kept && other < out[1])) out[1] = other;
        }
        for (std::int64_t n = 1; n <= order; ++n) {
            Counts limits;
            for (const Tokens& text : texts) {
                for (const auto& [ngram, count] : count_ngrams(text, static_cast<std::size_t>(n))) {
                    limits[ngram] = std::max(limits[ngram], count);
                }
            }
            std::int64_t matches = 0;
            for (const auto& [ngram, count] : count_ngrams(candidate, static_cast<std::size_t>(n))) {
                const auto found = limits.find(ngram);
                if (found != limits.end()) matches += std::min(count, found->second);
            }
            out[1 + n] = matches;
            out[1 + order + n] = std::max<std::int64_t>(0, length - n + 1);
        }
    }
}

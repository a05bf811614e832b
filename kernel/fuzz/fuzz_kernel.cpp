// A fuzz target for libFuzzer: any bytes are split and counted as the slow definitions below would do it.
//
// The first bytes choose tokenizer, order and length rule; the rest is a candidate and its references, with 0x00
// between them. Bytes that are no UTF-8 must stay within their bounds; texts that are UTF-8 must give equal tokens.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../formula.hpp"
#include "../pairs.hpp"
#include "../prepared.hpp"

using namespace bleuprint;

namespace {

using Codes = std::u32string;
using Tokens = std::vector<std::string>;

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "differs: %s\n", what);
    std::abort();
}

// The tokenizers as chains of substitutions over code points, each over the whole text, as the Python ones are.

bool decode(std::string_view text, Codes& codes) {
    for (std::size_t place = 0; place < text.size();) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[place + at]); };
        const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
        if ((byte(0) >= 0x80 && byte(0) < 0xC2) || byte(0) > 0xF4 || text.size() - place < size) return false;
        char32_t code = size == 1 ? byte(0) : byte(0) & (0xFF >> (size + 1));
        for (std::size_t at = 1; at < size; ++at) {
            if ((byte(at) & 0xC0) != 0x80) return false;
            code = code << 6 | (byte(at) & 0x3F);
        }
        constexpr char32_t SMALLEST[] = {0, 0, 0x80, 0x800, 0x10000};
        if (code < SMALLEST[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
        codes += code;
        place += size;
    }
    return true;
}

std::string encode(const Codes& codes) {
    std::string text;
    for (const char32_t code : codes) {
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
        } else if (code < 0x10000) {
            text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                     static_cast<char>(0x80 | (code & 0x3F))};
        } else {
            text += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
                     static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
        }
    }
    return text;
}

template <class Is>
Codes surround(const Codes& text, Is is) {
    Codes made;
    for (const char32_t code : text) made += is(code) ? Codes{U' ', code, U' '} : Codes{code};
    return made;
}

/// Take characters in pairs from the left; `write` puts a pair that matches, and both are then used up.
template <class First, class Second, class Write>
Codes replace_pairs(const Codes& text, First first, Second second, Write write) {
    Codes made;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if (place + 1 < text.size() && first(text[place]) && second(text[place + 1])) {
            made += write(text[place], text[place + 1]);
            ++place;
        } else {
            made += text[place];
        }
    }
    return made;
}

Codes replace_text(const Codes& text, const Codes& from, const Codes& to) {
    Codes made;
    for (std::size_t place = 0; place < text.size();) {
        if (text.compare(place, from.size(), from) == 0) {
            made += to;
            place += from.size();
        } else {
            made += text[place++];
        }
    }
    return made;
}

Tokens split_spaces(const Codes& text) {
    Tokens tokens;
    Codes token;
    for (const char32_t code : text + U" ") {
        if (!is_space(code)) {
            token += code;
        } else if (!token.empty()) {
            tokens.push_back(encode(token));
            token.clear();
        }
    }
    return tokens;
}

Codes strip(Codes text, bool left) {
    while (!text.empty() && is_space(text.back())) text.pop_back();
    while (left && !text.empty() && is_space(text.front())) text.erase(0, 1);
    return text;
}

const auto after = [](char32_t a, char32_t b) { return Codes{a, U' ', b, U' '}; };
const auto before = [](char32_t a, char32_t b) { return Codes{U' ', a, U' ', b}; };

Codes western(Codes text) {
    const auto digit = [](char32_t code) { return code >= U'0' && code <= U'9'; };
    const auto other = [&](char32_t code) { return !digit(code); };
    const auto stop = [](char32_t code) { return code == U'.' || code == U','; };
    const auto mark = [](char32_t code) {
        return code > 0x20 && code < 0x7F && Codes(U".,-'").find(code) == Codes::npos &&
               !(code >= U'0' && code <= U'9') && !(code >= U'A' && code <= U'Z') && !(code >= U'a' && code <= U'z');
    };
    text = surround(text, mark);
    text = replace_pairs(text, other, stop, after);
    text = replace_pairs(text, stop, other, before);
    return replace_pairs(text, digit, [](char32_t code) { return code == U'-'; }, after);
}

bool in_ranges(const auto& ranges, char32_t code) {
    for (const auto& [first, last] : ranges) {
        if (code >= first && code <= last) return true;
    }
    return false;
}

Tokens split_slowly(Tokenizer tokenizer, Codes text) {
    switch (tokenizer) {
        case Tokenizer::whitespace:
            return split_spaces(text);
        case Tokenizer::character:
            return split_spaces(surround(text, [](char32_t) { return true; }));
        case Tokenizer::zh:
            return split_spaces(western(surround(strip(text, true), is_sacrebleu_chinese)));
        case Tokenizer::zh_corrected:
            return split_spaces(western(surround(strip(text, true), is_corrected_chinese)));
        case Tokenizer::western_13a:
            text = strip(text, false);
            for (const auto& [from, to] : std::vector<std::pair<Codes, Codes>>{{U"<skipped>", U""},
                                                                               {U"-\n", U""},
                                                                               {U"\n", U" "},
                                                                               {U"&quot;", U"\""},
                                                                               {U"&amp;", U"&"},
                                                                               {U"&lt;", U"<"},
                                                                               {U"&gt;", U">"}}) {
                text = replace_text(text, from, to);
            }
            return split_spaces(western(U" " + text + U" "));
        case Tokenizer::intl: {
            const auto other = [](char32_t code) { return !in_ranges(NUMBER_RANGES, code); };
            const auto stop = [](char32_t code) { return in_ranges(PUNCTUATION_RANGES, code); };
            text = replace_pairs(strip(text, false), other, stop, after);
            text = replace_pairs(text, stop, other, before);
            return split_spaces(surround(text, [](char32_t code) { return in_ranges(SYMBOL_RANGES, code); }));
        }
    }
    return {};
}

/// Split a text that lies alone in its memory, so that a read beyond its end is seen.
Tokens split(Tokenizer tokenizer, std::string_view text) {
    const std::unique_ptr<char[]> alone(new char[text.size()]);
    std::copy(text.begin(), text.end(), alone.get());
    Tokens tokens;
    std::string buffer;
    tokenize(tokenizer, std::string_view(alone.get(), text.size()), buffer,
             [&](std::string_view token) { tokens.emplace_back(token); });
    Codes codes;
    const bool valid = decode(text, codes);
    if (is_utf8(std::string_view(alone.get(), text.size())) != valid) fail("what is UTF-8");
    if (valid && tokens != split_slowly(tokenizer, codes)) fail("tokens");
    return tokens;
}

std::map<Tokens, std::int64_t> count_slowly(const Tokens& tokens, std::ptrdiff_t order) {
    std::map<Tokens, std::int64_t> counts;
    for (std::ptrdiff_t place = 0; place + order <= std::ssize(tokens); ++place) {
        ++counts[Tokens(tokens.begin() + place, tokens.begin() + place + order)];
    }
    return counts;
}

std::vector<std::int64_t> row_slowly(const Tokens& candidate, const std::vector<Tokens>& references,
                                     const Counting& counting) {
    std::vector<std::int64_t> lengths, row, totals;
    for (const Tokens& reference : references) lengths.push_back(std::ssize(reference));
    row = {std::ssize(candidate), choose_length(counting.rule, std::ssize(candidate), lengths)};
    for (int n = 1; n <= counting.order; ++n) {
        std::map<Tokens, std::int64_t> limits;
        for (const Tokens& reference : references) {
            for (const auto& [gram, count] : count_slowly(reference, n)) limits[gram] = std::max(limits[gram], count);
        }
        row.push_back(0);
        for (const auto& [gram, count] : count_slowly(candidate, n)) row.back() += std::min(count, limits[gram]);
        totals.push_back(std::max<std::int64_t>(counting.at_least_one, std::ssize(candidate) - n + 1));
    }
    row.insert(row.end(), totals.begin(), totals.end());
    return row;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const auto tokenizer = static_cast<Tokenizer>(data[0] % 6);
    const Counting counting{static_cast<LengthRule>(data[1] % 3), data[1] >= 128, 1 + data[2] % 6};
    std::vector<std::string> texts{{}};
    for (std::size_t place = 3; place < size; ++place) {
        if (data[place]) {
            texts.back() += static_cast<char>(data[place]);
        } else {
            texts.emplace_back();
        }
    }
    if (texts.size() < 2) texts.emplace_back();

    std::vector<Tokens> tokens;
    for (const std::string& text : texts) tokens.push_back(split(tokenizer, text));
    const std::vector<Tokens> reference_tokens(tokens.begin() + 1, tokens.end());
    const std::vector<std::int64_t> expected = row_slowly(tokens[0], reference_tokens, counting);

    TextCorpus corpus(tokenizer);
    corpus.candidates = {texts[0]};
    corpus.references.assign(texts.begin() + 1, texts.end());
    corpus.grouping.first.push_back(corpus.references.size());
    std::vector<std::int64_t> found(expected.size());
    count_segments(corpus, counting, found.data(), 1);
    if (found != expected) fail("counts");

    PreparedReferences prepared(tokenizer);
    for (const std::string_view text : corpus.references) prepared.add_text(text);
    prepared.end_segment();
    std::fill(found.begin(), found.end(), -1);
    prepared.count_segments(corpus.candidates, counting, found.data(), 1);
    if (found != expected) fail("counts with prepared references");

    Formula formula;
    formula.weights.assign(static_cast<std::size_t>(counting.order), 0.25);
    formula.smoothing = {static_cast<SmoothingKind>(data[2] / 6 % 7), 0.5};
    formula.absent = static_cast<AbsentOrder>(data[1] / 3 % 3);
    double score = 0, pair = 0;
    score_rows(expected.data(), 1, counting.order, formula, &score);
    score_pairs(corpus.candidates, corpus.references, corpus.grouping, tokenizer, counting, formula, &pair, 1);
    if (pair != score) fail("scores of pairs");
    std::vector<double> among(texts.size());
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    score_among_themselves(views, tokenizer, counting, formula, among.data(), 1);
    if (among[0] != score) fail("scores among themselves");
    return 0;
}

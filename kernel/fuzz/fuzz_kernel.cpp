// A fuzz target for libFuzzer: any bytes are split and counted as the slow definitions below would do it.
//
// The first bytes choose tokenizer, order and length rule; the rest is a candidate and its references, with 0x00
// between them. Bytes that are no UTF-8 must stay within their bounds; texts that are UTF-8 must give equal tokens. Edits are
// counted between the same texts, split at white space.
// Then the same bytes are an array of Arrow with odd offsets, views, lists and indices, in buffers exactly as large as the
// format says: it is refused, or read without leaving them.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../among_themselves.hpp"
#include "../arrow_strings.hpp"
#include "../chrf.hpp"
#include "../formula.hpp"
#include "../pairs.hpp"
#include "../tests/slow_ter.hpp"

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

/// Hands out the bytes of an input one by one, and zeros when they are used up.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    std::uint8_t next() { return place_ < size_ ? data_[place_++] : 0; }

    /// Mostly a small number, such as offsets are, at times any at all.
    template <class Number>
    Number number() {
        const std::uint8_t kind = next();
        if (kind < 0xE0) return static_cast<Number>(kind % 24);
        Number made = 0;
        for (std::size_t byte = 0; byte < sizeof made; ++byte) made = static_cast<Number>(made << 7 << 1 | next());
        return made;
    }

private:
    const std::uint8_t* data_;
    std::size_t size_, place_ = 0;
};

/// An array and all that it points to, each buffer alone in its memory.
struct OddArray {
    ArrowSchema schema{};
    ArrowArray array{};
    std::vector<std::unique_ptr<char[]>> memory;
    std::vector<const void*> buffers;
    std::string format;
    std::unique_ptr<OddArray> below;
    ArrowSchema* child_schema = nullptr;
    ArrowArray* child_array = nullptr;

    /// Add a buffer of so many numbers; give them.
    template <class Number>
    Number* add(std::int64_t count) {
        char* const bytes = memory.emplace_back(new char[static_cast<std::size_t>(count) * sizeof(Number)]).get();
        buffers.push_back(bytes);
        return reinterpret_cast<Number*>(bytes);
    }

    template <class Number>
    void fill(Bytes& bytes, std::int64_t count) {
        Number* const numbers = add<Number>(count);
        for (std::int64_t place = 0; place < count; ++place) numbers[place] = bytes.number<Number>();
    }

    /// Add offsets, and as many bytes of text as the last of them says.
    template <class Offset>
    void fill_texts(Bytes& bytes, std::int64_t rows) {
        fill<Offset>(bytes, rows + 1);
        Offset& last = reinterpret_cast<Offset*>(memory.back().get())[rows];
        last = std::min<Offset>(last, 4096);
        fill_text(bytes, std::max<Offset>(last, 0));
    }

    void fill_text(Bytes& bytes, std::int64_t size) {
        char* const text = add<char>(size);
        for (std::int64_t place = 0; place < size; ++place) text[place] = static_cast<char>(bytes.next());
    }
};

std::unique_ptr<OddArray> make_odd(Bytes& bytes, std::int64_t length, bool may_be_list) {
    static constexpr const char* TEXTS[] = {"u", "Z", "vu", "n"};
    static constexpr const char* LISTS[] = {"+l", "+L", "+vl", "+vL", "+w:2", "+w:9223372036854775807"};
    static constexpr const char* INDICES[] = {"c", "S", "i", "L"};
    auto made = std::make_unique<OddArray>();
    const std::uint8_t kind = bytes.next();
    made->array.length = length;
    made->array.offset = bytes.next() % 3;
    const std::int64_t rows = made->array.length + made->array.offset;
    if (bytes.next() % 2 && kind % 4 != 3) {
        made->fill_text(bytes, rows / 8 + 1);
    } else {
        made->buffers.push_back(nullptr);
    }
    if (may_be_list && kind >= 128) {
        made->format = LISTS[kind % 6];
        if (kind % 6 == 0) made->fill<std::int32_t>(bytes, rows + 1);
        if (kind % 6 == 1) made->fill<std::int64_t>(bytes, rows + 1);
        for (int buffer = 0; kind % 6 == 2 && buffer < 2; ++buffer) made->fill<std::int32_t>(bytes, rows);
        for (int buffer = 0; kind % 6 == 3 && buffer < 2; ++buffer) made->fill<std::int64_t>(bytes, rows);
        made->below = make_odd(bytes, bytes.next() % 8, false);
        made->child_schema = &made->below->schema;
        made->child_array = &made->below->array;
        made->schema.n_children = made->array.n_children = bytes.next() == 255 ? 0 : 1;
        made->schema.children = &made->child_schema;
        made->array.children = &made->child_array;
    } else if (kind % 8 >= 4) {
        made->format = INDICES[kind % 4];
        if (kind % 4 == 0) made->fill<std::int8_t>(bytes, rows);
        if (kind % 4 == 1) made->fill<std::uint16_t>(bytes, rows);
        if (kind % 4 == 2) made->fill<std::int32_t>(bytes, rows);
        if (kind % 4 == 3) made->fill<std::uint64_t>(bytes, rows);
        made->below = make_odd(bytes, bytes.next() % 8, false);
        made->schema.dictionary = &made->below->schema;
        made->array.dictionary = &made->below->array;
    } else {
        made->format = TEXTS[kind % 4];
        if (kind % 4 == 0) made->fill_texts<std::int32_t>(bytes, rows);
        if (kind % 4 == 1) made->fill_texts<std::int64_t>(bytes, rows);
        if (kind % 4 == 2) {
            made->fill<std::int32_t>(bytes, rows * 4);
            const std::int64_t sizes[] = {bytes.next() % 64, bytes.next() % 64};
            for (const std::int64_t size : sizes) made->fill_text(bytes, size);
            std::copy_n(sizes, 2, made->add<std::int64_t>(2));
        }
    }
    made->schema.format = made->format.c_str();
    made->array.buffers = made->buffers.data();
    made->array.n_buffers = static_cast<std::int64_t>(made->buffers.size());
    return made;
}

void read_odd_arrays(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::int64_t length = bytes.next() % 6;
    const auto candidates = make_odd(bytes, length, false), references = make_odd(bytes, length, true);
    try {
        std::vector<ReferenceColumn> columns;
        columns.emplace_back(references->schema, references->array);
        TextCorpus corpus(Tokenizer::whitespace);
        read_rows(StringColumn(candidates->schema, candidates->array), columns, corpus);
        std::vector<std::int64_t> rows(corpus.size() * row_width(2));
        count_segments(corpus, Counting{LengthRule::closest, false, 2}, rows.data(), 1);
    } catch (const std::invalid_argument&) {
        // Refused.
    }
}

/// chrF's row, straight from its definition. Texts are UTF-8.
std::vector<std::int64_t> chrf_row_slowly(const std::vector<Codes>& texts, const ChrfCounting& counting) {
    const auto split_chrf = [&](Codes text) {
        Tokens characters, words;
        for (const std::string& word : split_spaces(text)) {
            const bool last = word.size() > 1 && ispunct(static_cast<unsigned char>(word.back()));
            const bool first = word.size() > 1 && !last && ispunct(static_cast<unsigned char>(word.front()));
            const std::size_t cut = last ? word.size() - 1 : first ? 1 : word.size();
            words.push_back(word.substr(0, cut));
            if (cut < word.size()) words.push_back(word.substr(cut));
        }
        if (counting.white_space == WhiteSpace::spaces_removed) text = strip(text, true);
        for (const char32_t code : text) {
            if (!is_dropped(code, counting.white_space)) characters.push_back(encode({code}));
        }
        return std::pair(characters, words);
    };
    const auto [characters, words] = split_chrf(texts[0]);
    std::vector<std::int64_t> best;
    double best_score = -1.0;
    for (std::size_t which = 1; which < texts.size(); ++which) {
        const auto [others, other_words] = split_chrf(texts[which]);
        std::vector<std::int64_t> row{std::ssize(characters), std::ssize(others)}, own, reference;
        for (int n = 1; n <= static_cast<int>(counting.orders()); ++n) {
            const bool of_words = n > counting.char_order;
            const int order = of_words ? n - counting.char_order : n;
            const auto limits = count_slowly(of_words ? other_words : others, order);
            const auto counts = count_slowly(of_words ? words : characters, order);
            std::int64_t matches = 0, total = 0, other_total = 0;
            for (const auto& [gram, count] : counts) {
                total += count;
                if (const auto limit = limits.find(gram); limit != limits.end()) matches += std::min(count, limit->second);
            }
            for (const auto& [gram, count] : limits) other_total += count;
            row.push_back(matches);
            own.push_back(other_total || counting.count_candidate_always ? total : 0);
            reference.push_back(other_total);
        }
        row.insert(row.end(), own.begin(), own.end());
        row.insert(row.end(), reference.begin(), reference.end());
        const double score = counting.formula.score({row.data(), counting.orders()});
        if (score > best_score + (counting.drop_unmatched_reference ? 1e-12 : 0.0)) {  // a tie, as in metrics/chrf/counts.py
            best_score = score;
            best = row;
        }
    }
    const auto from = best.begin() + 2, to = from + static_cast<std::ptrdiff_t>(counting.orders());
    if (counting.drop_unmatched_reference && std::all_of(from, to, [](std::int64_t n) { return n == 0; })) {
        std::fill(best.end() - static_cast<std::ptrdiff_t>(counting.orders()), best.end(), 0);
    }
    return best;
}

/// Count texts, each alone in its memory, for chrF; at times long enough for tables of n-grams.
void count_odd_chrf(const std::vector<std::string>& texts, std::uint8_t first, std::uint8_t second) {
    ChrfCounting counting;
    counting.char_order = 1 + first % 9;
    counting.word_order = first / 9 % 4;
    counting.white_space = static_cast<WhiteSpace>(second % 4);
    counting.count_candidate_always = second & 4;
    counting.drop_unmatched_reference = second & 8;
    counting.formula = {static_cast<double>(second >> 6), static_cast<Averaging>(second >> 4 & 3)};
    const std::size_t times = first == 255 ? 30 : 1;
    std::vector<std::unique_ptr<char[]>> alone;
    std::vector<Codes> codes(texts.size());
    TextCorpus corpus;
    bool valid = true;
    for (std::size_t which = 0; which < texts.size(); ++which) {
        std::string text;
        for (std::size_t time = 0; time < times; ++time) text += texts[which];
        char* const memory = alone.emplace_back(new char[text.size()]).get();
        std::copy(text.begin(), text.end(), memory);
        (which ? corpus.references : corpus.candidates).emplace_back(memory, text.size());
        valid = decode(text, codes[which]) && valid;
    }
    corpus.grouping.first.push_back(corpus.references.size());
    std::vector<std::int64_t> found(chrf_width(counting.orders()));
    count_chrf(corpus, counting, found.data(), 1);
    if (valid && found != chrf_row_slowly(codes, counting)) fail("chrF's counts");
}

/// Count the edits of the first text against the others, up to 16 of them; the words are what white space parts.
void count_edits(const std::vector<std::string>& texts, const TerCounting& counting) {
    std::map<std::string, std::uint32_t> numbers;
    std::vector<slow::Text> words;
    TextCorpus corpus(Tokenizer::whitespace);
    for (std::size_t place = 0; place < std::min(texts.size(), 1 + MOST_REFERENCES); ++place) {
        words.emplace_back();
        for (const std::string& word : split(Tokenizer::whitespace, texts[place])) {
            words.back().push_back(numbers.try_emplace(word, numbers.size()).first->second);
        }
        (place ? corpus.references : corpus.candidates).push_back(texts[place]);
    }
    corpus.grouping.first.push_back(corpus.references.size());
    std::vector<std::int64_t> expected(TER_WIDTH), found(TER_WIDTH);
    for (std::size_t place = 1; place < words.size(); ++place) {
        if (words[0].size() * words[place].size() > 900) return;  // the slow search would take seconds
        const slow::Text& moved = counting.shift_references ? words[place] : words[0];
        const slow::Text& staying = counting.shift_references ? words[0] : words[place];
        ShiftSearch search;
        const auto distinct = static_cast<std::uint32_t>(numbers.size());
        const SearchTrace told = slow::trace(moved, staying, counting.longest_shift);
        if (!slow::are_equal(search.trace(moved, staying, distinct, counting.longest_shift), told)) fail("a trace");
        Edits edits = slow::count_edits(told);
        if (counting.shift_references) std::swap(edits.insertions, edits.deletions);
        if (counting.free_empty_candidate && words[0].empty()) edits = {};
        expected[1] += std::ssize(words[place]) * (LENGTH_PARTS / std::ssize(corpus.references));
        if (place == 1 || edits.total() < expected[2] + expected[3] + expected[4] + expected[5]) {
            expected = {std::ssize(words[0]), expected[1], edits.insertions, edits.deletions, edits.substitutions, edits.shifts};
        }
    }
    count_ter(corpus, counting, found.data(), 1);
    if (found != expected) fail("edits");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    read_odd_arrays(data, size);
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
    count_odd_chrf(texts, data[0], data[1]);

    count_edits(texts, {data[1] % 2 == 1, data[2] % 11u, data[1] >= 128});

    // Bytes that are no UTF-8 never come this far, and are parted otherwise where characters are numbered than where they are cut out.
    const bool has_meaning = tokenizer != Tokenizer::character || std::all_of(texts.begin(), texts.end(), is_utf8);
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
    if (has_meaning && found != expected) fail("counts");

    Formula formula;
    formula.weights.assign(static_cast<std::size_t>(counting.order), 0.25);
    formula.smoothing = {static_cast<SmoothingKind>(data[2] / 6 % 7), 0.5};
    formula.absent = static_cast<AbsentOrder>(data[1] / 3 % 3);
    double score = 0, pair = 0;
    score_rows(expected.data(), 1, counting.order, formula, &score);
    score_pairs(corpus.candidates, corpus.references, corpus.grouping, tokenizer, counting, formula, &pair, 1);
    if (has_meaning && pair != score) fail("scores of pairs");
    std::vector<double> among(texts.size());
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    score_among_themselves(views, tokenizer, counting, formula, among.data(), 1);
    if (has_meaning && among[0] != score) fail("scores among themselves");
    return 0;
}

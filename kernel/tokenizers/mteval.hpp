// 13a, its western substitutions, and intl, each in one pass over the text, 64 bytes at a time.
//
// The definition (tokenizers/mteval.py) is a chain of substitutions, each of which goes over the whole text. What the
// chain does to a run of stops (for 13a: full stops and commas, for intl: punctuation) follows from the run's length
// and its two neighbours. The first substitution takes characters in pairs, (neighbour, stop) if the neighbour is no
// number, then (stop, stop); both get their own place. A stop that is left over at the end of the run is cut off from
// what follows by the second substitution, unless a number follows; and it is cut off from what precedes it unless it
// is the only one, after a number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>

#include "byte_blocks.hpp"
#include "unicode_classes.hpp"
#include "utf8.hpp"

namespace bleuprint {

/// How a run of stops falls apart.
struct StopRun {
    std::size_t alone;   // so many stops, from the left, are tokens of their own
    bool joins_left;     // the stop after them goes on with the token before the run
    bool joins_right;    // it goes on with what follows the run; if it does neither, it is a token of its own
};

/// `after_number` is also true where nothing precedes the run, as then no pair can be made with a neighbour.
inline StopRun part_stops(std::size_t length, bool after_number, bool at_start, bool before_number, bool at_end) {
    const bool one_left = after_number ? length % 2 == 1 : length % 2 == 0;
    if (!one_left) return {length, false, false};
    const bool only = length == 1 && !at_start;
    if (before_number) return {length - 1, only, true};
    if (at_end && only) return {length - 1, true, false};
    return {length, false, false};
}

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
inline bool is_stop(char byte) { return byte == '.' || byte == ','; }

/// What a character beyond ASCII is to a tokenizer that sets some of them apart.
enum class WideKind { word, space, mark };

/// Set stops apart that have no other stop beside them: all but those between two numbers. `next`: whether a stop and
/// whether a number follows the block. Gives the stops that are left, and must be looked at one by one.
inline std::uint64_t part_lone_stops(std::uint64_t stops, std::uint64_t numbers, bool after_number, bool next_stop,
                                     bool next_number, std::uint64_t special, Cuts& cuts) {
    const std::uint64_t neighbours = stops << 1 | stops >> 1 | static_cast<std::uint64_t>(next_stop) << 63;
    const std::uint64_t lone = stops & ~neighbours & ~special;
    const std::uint64_t after = numbers << 1 | static_cast<std::uint64_t>(after_number);
    const std::uint64_t before = numbers >> 1 | static_cast<std::uint64_t>(next_number) << 63;
    cuts.part(lone & ~(after & before));
    return stops & ~lone;
}

/// Cuts before every character from one place of a text up to another, which may lie blocks away.
struct RowOfCuts {
    std::size_t end = 0;  // behind the last cut

    /// Begin in the block at `base`; `characters` are the places where one begins.
    void begin(std::size_t base, std::size_t place, std::size_t stop, std::uint64_t characters, Cuts& cuts) {
        cuts.cuts |= characters & first_places(stop - base) & ~first_places(place - base);
        end = stop;
    }
    void go_on(std::size_t base, std::uint64_t characters, Cuts& cuts) const {
        if (end > base) cuts.cuts |= characters & first_places(end - base);
    }
};

enum WesternKind : std::size_t { SPACES, MARKS, STOPS, HYPHENS, DIGITS, WIDE, HAN };

/// Sixteen bytes as the western substitutions see them; a wide character may be more than a part of a word. Of Chinese
/// characters those that begin with E5 to E8 stand alone, all of them.
template <bool chinese>
struct LookWestern {
    std::array<SixteenBytes, chinese ? 7 : 6> operator()(SixteenBytes bytes) const {
        const SixteenBytes spaces = bytes.are_within(0x09, 0x0D) | bytes.are_within(0x1C, 0x20);
        const SixteenBytes stops = bytes.are(',') | bytes.are('.'), hyphens = bytes.are('-');
        const SixteenBytes digits = bytes.are_within('0', '9'), letters = bytes.with_bits(0x20).are_within('a', 'z');
        const SixteenBytes no_marks = stops | hyphens | digits | letters | bytes.are('\'');
        const SixteenBytes marks = bytes.are_within('!', '~').without(no_marks);
        if constexpr (chinese) {
            const SixteenBytes han = bytes.are_within(0xE5, 0xE8);
            const SixteenBytes wide = bytes.are(0xC2) | bytes.are_within(0xE1, 0xF0).without(han);
            return {spaces, marks, stops, hyphens, digits, wide, han};
        } else {
            return {spaces, marks, stops, hyphens, digits, bytes.are(0xC2) | bytes.are_within(0xE1, 0xE3)};
        }
    }
};

/// Split by the western substitutions. `padded`: a space stands before and after the text, as 13a puts it there.
/// `kind_of` tells which characters beyond ASCII are white space, or stand alone (for zh).
template <bool padded, bool chinese, class KindOf, class Sink>
void split_western(std::string_view text, KindOf kind_of, Sink&& sink) {
    constexpr std::uint64_t ANY_BYTE = ~std::uint64_t{0};
    const std::size_t end = text.size();
    TokenCutter cutter(text);
    Cuts cuts;
    RowOfCuts row;
    std::size_t resume = 0;  // stops before this place are dealt with
    bool after_digit = false;
    for (std::size_t base = 0; base < end; base += BLOCK_BYTES, cuts.advance()) {
        const auto found = look_at(text, base, LookWestern<chinese>());
        const std::size_t left = end - base;
        const char next = left > BLOCK_BYTES ? text[base + BLOCK_BYTES] : ' ';
        cuts.spaces |= found[SPACES];
        row.go_on(base, ANY_BYTE, cuts);
        cuts.part(found[MARKS] | (found[HYPHENS] & (found[DIGITS] << 1 | static_cast<std::uint64_t>(after_digit))));
        const std::uint64_t stops = found[STOPS] & ~first_places(std::max(resume, base) - base);
        std::uint64_t ends = 0;  // the first and the last place of the text, where it is not padded
        if constexpr (!padded) ends = std::uint64_t{base == 0} | (left <= BLOCK_BYTES ? std::uint64_t{1} << (left - 1) : 0);
        std::uint64_t runs = part_lone_stops(stops, found[DIGITS], after_digit, is_stop(next), is_digit(next), ends, cuts);
        while (runs) {
            const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(runs));
            resume = place + 1;
            while (resume < end && is_stop(text[resume])) ++resume;
            const bool at_start = !padded && place == 0, at_end = !padded && resume == end;
            const StopRun run = part_stops(resume - place, at_start || (place && is_digit(text[place - 1])), at_start,
                                           resume < end && is_digit(text[resume]), at_end);
            if (run.alone || !run.joins_left) row.begin(base, place, place + run.alone + 1, ANY_BYTE, cuts);
            runs &= ~first_places(resume - base);
        }
        for (std::uint64_t wide = found[WIDE]; wide; wide &= wide - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(wide));
            const Character character = read_character(text, base + place);
            const WideKind kind = kind_of(character.code);
            if (kind == WideKind::mark) {
                cuts.part(place, character.size);
            } else if (kind == WideKind::space) {
                cuts.add_space(place, character.size);
            }
        }
        if constexpr (chinese) cuts.part_threes(found[HAN]);
        after_digit = found[DIGITS] >> 63;
        cutter.cut(base, cuts.spaces, cuts.cuts, sink);
    }
    cutter.finish(sink);
}

inline WideKind space_or_word(std::uint32_t code) { return is_space(code) ? WideKind::space : WideKind::word; }

inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::size_t found = text.find(from);
    if (found == std::string::npos) return;
    std::string replaced;
    std::size_t kept = 0;
    for (; found != std::string::npos; found = text.find(from, kept)) {
        replaced.append(text, kept, found - kept).append(to);
        kept = found + from.size();
    }
    text = replaced.append(text, kept);
}

/// So many bytes behind the text in a buffer may be read.
inline constexpr std::size_t BUFFER_MARGIN = 8;

/// Whether 13a puts anything else in the place of a part of the text.
inline bool has_entities(std::string_view text) {
    return has_any(text, [](SixteenBytes bytes) { return bytes.are('&') | bytes.are('<') | bytes.are('\n'); });
}

/// Split as 13a does. `buffer` holds the text if entities or line ends change it; tokens then point into it.
template <class Sink>
void split_13a(std::string_view text, std::string& buffer, Sink&& sink) {
    if (has_entities(text)) {
        buffer = std::string(strip_right(text));  // a copy: the text may lie in the buffer
        replace_all(buffer, "<skipped>", "");
        replace_all(buffer, "-\n", "");
        replace_all(buffer, "\n", " ");
        replace_all(buffer, "&quot;", "\"");
        replace_all(buffer, "&amp;", "&");
        replace_all(buffer, "&lt;", "<");
        replace_all(buffer, "&gt;", ">");
        const std::size_t size = buffer.size();
        buffer.append(BUFFER_MARGIN, '\0');
        text = std::string_view(buffer).substr(0, size);
    }
    split_western<true, false>(text, space_or_word, sink);
}

enum IntlKind : std::size_t { INTL_SPACES, SYMBOLS, PUNCTUATION, NUMBERS, BEYOND_ASCII };

/// Sixteen bytes as intl sees them. Characters that begin with D0, D1 or E5 to E9 are letters, all of them.
struct LookIntl {
    std::array<SixteenBytes, 5> operator()(SixteenBytes bytes) const {
        const SixteenBytes spaces = bytes.are_within(0x09, 0x0D) | bytes.are_within(0x1C, 0x20);
        const SixteenBytes digits = bytes.are_within('0', '9'), letters = bytes.with_bits(0x20).are_within('a', 'z');
        const SixteenBytes symbols = bytes.are('$') | bytes.are('+') | bytes.are_within('<', '>') | bytes.are('^') |
                                     bytes.are('`') | bytes.are('|') | bytes.are('~');
        return {spaces, symbols, bytes.are_within('!', '~').without(digits | letters | symbols), digits,
                bytes.are_within(0xC2, 0xF4).without(bytes.are_within(0xE5, 0xE9) | bytes.with_bits(1).are(0xD1))};
    }
};

/// Bytes with which no character begins.
struct LookInsideCharacters {
    std::array<SixteenBytes, 1> operator()(SixteenBytes bytes) const { return {bytes.are_within(0x80, 0xBF)}; }
};

/// Characters of punctuation in a row.
struct PunctuationRun {
    std::size_t end;
    std::size_t cuts_end;  // before every character of it up to this place a token ends; 0: before none
};

inline PunctuationRun read_punctuation(std::string_view text, std::size_t place, bool after_number,
                                       const UnicodeClasses& classes) {
    std::size_t length = 0, last = place, after = place;
    CharacterClass following = CharacterClass::other;
    while (after < text.size()) {
        const Character stop = read_character(text, after);
        following = classes.of(stop.code);
        if (following != CharacterClass::punctuation) break;
        last = after;
        after += stop.size;
        ++length;
    }
    const bool at_end = after == text.size();
    const StopRun run =
        part_stops(length, after_number, place == 0, !at_end && following == CharacterClass::number, at_end);
    const std::size_t alone_end = run.alone == length ? after : last;
    return {after, run.alone || !run.joins_left ? alone_end + 1 : 0};
}

/// Split as intl does: punctuation unless between numbers, and all symbols, by the package's Unicode table.
template <class Sink>
void split_intl(std::string_view text, Sink&& sink) {
    text = strip_right(text);
    const UnicodeClasses& classes = unicode_classes();
    const std::size_t end = text.size();
    TokenCutter cutter(text);
    Cuts cuts;
    RowOfCuts row;
    std::size_t resume = 0;            // punctuation before this place is dealt with
    bool after_number = true;          // also at the start, where no pair can be made with a neighbour
    std::uint64_t rest_of_number = 0;  // in this block, of a character that began in the one before
    for (std::size_t base = 0; base < end; base += BLOCK_BYTES, cuts.advance()) {
        const auto found = look_at(text, base, LookIntl());
        const std::size_t left = end - base;
        std::uint64_t punctuation = found[PUNCTUATION], numbers = found[NUMBERS] | rest_of_number;
        rest_of_number = 0;
        cuts.spaces |= found[INTL_SPACES];
        cuts.part(found[SYMBOLS]);
        for (std::uint64_t wide = found[BEYOND_ASCII]; wide; wide &= wide - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(wide));
            const Character character = read_character(text, base + place);
            const CharacterClass kind = classes.of(character.code);
            const std::uint64_t bytes = first_places(character.size) << place;
            if (kind == CharacterClass::punctuation) {
                punctuation |= bytes;
            } else if (kind == CharacterClass::symbol) {
                cuts.part(place, character.size);
            } else if (kind == CharacterClass::number) {
                numbers |= bytes;
                if (place + character.size > BLOCK_BYTES) rest_of_number = first_places(place + character.size - BLOCK_BYTES);
            } else if (is_space(character.code)) {
                cuts.add_space(place, character.size);
            }
        }
        CharacterClass next = CharacterClass::other;
        if (punctuation >> 63 && left > BLOCK_BYTES) next = classes.of(read_character(text, base + BLOCK_BYTES).code);
        const std::uint64_t ends = std::uint64_t{base == 0} | (left <= BLOCK_BYTES ? std::uint64_t{1} << (left - 1) : 0);
        const std::uint64_t special = ends | found[BEYOND_ASCII];
        std::uint64_t runs = part_lone_stops(punctuation & ~first_places(std::max(resume, base) - base), numbers, after_number,
                                             next == CharacterClass::punctuation, next == CharacterClass::number, special, cuts);
        if (runs || row.end > base) {
            const std::uint64_t characters = ~look_at(text, base, LookInsideCharacters())[0];
            row.go_on(base, characters, cuts);
            while (runs) {
                const auto place = static_cast<std::size_t>(std::countr_zero(runs));
                const bool number_before = (numbers << 1 | static_cast<std::uint64_t>(after_number)) >> place & 1;
                const PunctuationRun run = read_punctuation(text, base + place, number_before, classes);
                if (run.cuts_end) row.begin(base, base + place, run.cuts_end, characters, cuts);
                resume = std::max(run.end, base + place + 1);  // bytes that are no UTF-8 may be no punctuation after all
                runs &= ~first_places(resume - base);
            }
        }
        after_number = numbers >> 63;
        cutter.cut(base, cuts.spaces, cuts.cuts, sink);
    }
    cutter.finish(sink);
}

}  // namespace bleuprint

// 13a, its western substitutions, and intl, each in one pass over the text.
//
// The definition (tokenizers/mteval.py) is a chain of substitutions, each of which goes over the whole text. What the
// chain does to a run of stops (for 13a: full stops and commas, for intl: punctuation) follows from the run's length
// and its two neighbours. The first substitution takes characters in pairs, (neighbour, stop) if the neighbour is no
// number, then (stop, stop); both get their own place. A stop that is left over at the end of the run is cut off from
// what follows by the second substitution, unless a number follows; and it is cut off from what precedes it unless it
// is the only one, after a number.
#pragma once

#include <array>
#include <bit>
#include <string>
#include <string_view>

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

enum class Sign : unsigned char { word, space, mark, stop, hyphen, wide };

/// ASCII as the western substitutions see it: a digit is part of a word, and asked for where it matters.
inline constexpr std::array<Sign, 256> WESTERN_SIGNS = [] {
    std::array<Sign, 256> signs{};
    for (int code = 0; code < 256; ++code) {
        const bool mark = (code >= '!' && code <= '&') || (code >= '(' && code <= '+') || code == '/' ||
                          (code >= ':' && code <= '@') || (code >= '[' && code <= '`') || (code >= '{' && code <= '~');
        const bool space = code == ' ' || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F);
        signs[static_cast<std::size_t>(code)] = mark                         ? Sign::mark
                                                : space                      ? Sign::space
                                                : code == '.' || code == ',' ? Sign::stop
                                                : code == '-'                ? Sign::hyphen
                                                                             : Sign::word;
    }
    for (const int lead : {0xC2, 0xE1, 0xE2, 0xE3}) signs[static_cast<std::size_t>(lead)] = Sign::wide;
    return signs;
}();

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Whether a byte needs a closer look; most are parts of words and do not.
inline std::uint64_t mark_events(const char* data, std::size_t size, const std::array<Sign, 256>& signs) {
    std::uint64_t events = 0;
    for (std::size_t place = 0; place < size; ++place) {
        const bool event = signs[static_cast<unsigned char>(data[place])] != Sign::word;
        events |= std::uint64_t{event} << place;
    }
    return events;
}

/// Split by the western substitutions. `padded`: a space stands before and after the text, as 13a puts it there.
/// `is_mark` tells which characters beyond ASCII stand alone (for zh).
template <bool padded, class IsMark, class Sink>
void split_western(std::string_view text, const std::array<Sign, 256>& signs, IsMark is_mark, Sink&& sink) {
    constexpr std::size_t BLOCK = 64;
    const char* const data = text.data();
    const std::size_t end = text.size();
    std::size_t start = 0;   // of the token that is being read
    std::size_t resume = 0;  // events before this place are dealt with
    auto finish = [&](std::size_t place) {
        if (place > start) sink(std::string_view(data + start, place - start));
    };
    auto stand_alone = [&](std::size_t place, std::size_t size) {
        finish(place);
        sink(std::string_view(data + place, size));
        start = place + size;
    };
    for (std::size_t base = 0; base < end; base += BLOCK) {
        // A whole block has a fixed size, which the compiler can unroll.
        std::uint64_t events = end - base >= BLOCK ? mark_events(data + base, BLOCK, signs)
                                                   : mark_events(data + base, end - base, signs);
        for (; events; events &= events - 1) {
            const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(events));
            if (place < resume) continue;
            const Sign sign = signs[static_cast<unsigned char>(data[place])];
            if (sign == Sign::space) {
                finish(place);
                start = place + 1;
            } else if (sign == Sign::mark) {
                stand_alone(place, 1);
            } else if (sign == Sign::hyphen) {
                if (place && is_digit(data[place - 1])) stand_alone(place, 1);
            } else if (sign == Sign::wide) {
                const Character wide = read_character(text, place);
                resume = place + wide.size;
                if (is_space(wide.code)) {
                    finish(place);
                    start = resume;
                } else if (is_mark(wide.code)) {
                    stand_alone(place, wide.size);
                }
            } else {
                resume = place + 1;
                while (resume < end && signs[static_cast<unsigned char>(data[resume])] == Sign::stop) ++resume;
                const bool at_start = !padded && place == 0, at_end = !padded && resume == end;
                const StopRun run = part_stops(resume - place, at_start || (place && is_digit(data[place - 1])), at_start,
                                               resume < end && is_digit(data[resume]), at_end);
                if (run.alone || !run.joins_left) {
                    finish(place);
                    start = place + run.alone;
                }
                for (std::size_t stop = 0; stop < run.alone; ++stop) sink(std::string_view(data + place + stop, 1));
            }
        }
    }
    finish(end);
}

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

/// Split as 13a does. `buffer` holds the text if entities or line ends change it; tokens then point into it.
template <class Sink>
void split_13a(std::string_view text, std::string& buffer, Sink&& sink) {
    if (text.find('&') != text.npos || text.find('\n') != text.npos || text.find("<skipped>") != text.npos) {
        buffer = strip_right(text);
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
    split_western<true>(text, WESTERN_SIGNS, [](std::uint32_t) { return false; }, sink);
}

/// Split as intl does: punctuation unless between numbers, and all symbols, by the package's Unicode table.
template <class Sink>
void split_intl(std::string_view text, Sink&& sink) {
    text = strip_right(text);
    const UnicodeClasses& classes = unicode_classes();
    const std::size_t end = text.size();
    std::size_t start = 0, place = 0;
    bool after_number = true;  // also at the start, where no pair can be made with a neighbour
    auto finish = [&] {
        if (place > start) sink(text.substr(start, place - start));
    };
    while (place < end) {
        const Character character = read_character(text, place);
        const CharacterClass kind = classes.of(character.code);
        const std::size_t next = place + character.size;
        if (kind == CharacterClass::punctuation) {
            std::size_t length = 0, last = place, after = place;
            CharacterClass following = CharacterClass::other;
            while (after < end) {
                const Character stop = read_character(text, after);
                following = classes.of(stop.code);
                if (following != CharacterClass::punctuation) break;
                last = after;
                after += stop.size;
                ++length;
            }
            const bool at_end = after == end;
            const StopRun run = part_stops(length, after_number, place == 0,
                                           !at_end && following == CharacterClass::number, at_end);
            if (run.alone || !run.joins_left) finish();
            const std::size_t alone_end = run.alone == length ? after : last;
            for (std::size_t stop = place; stop < alone_end;) {
                const std::size_t size = read_character(text, stop).size;
                sink(text.substr(stop, size));
                stop += size;
            }
            if (run.alone || !run.joins_left) start = alone_end;
            place = after;
            after_number = false;
            continue;
        }
        const bool space = is_space(character.code);
        if (space || kind == CharacterClass::symbol) {
            finish();
            if (!space) sink(text.substr(place, character.size));
            start = next;
        }
        after_number = kind == CharacterClass::number;
        place = next;
    }
    finish();
}

}  // namespace bleuprint

// UTF-8: one character at a time, and what Python calls white space.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bleuprint {

struct Character {
    std::uint32_t code;
    std::uint32_t size;  // in bytes
};

/// Read the character at `place`. The text is valid UTF-8; should it not be, a stray byte reads as a character.
inline Character read_character(std::string_view text, std::size_t place) {
    auto byte = [&](std::size_t offset) -> std::uint32_t { return static_cast<unsigned char>(text[place + offset]); };
    const std::uint32_t first = byte(0);
    const std::size_t left = text.size() - place;
    if (first < 0xC0 || left < 2) return {first, 1};
    if (first < 0xE0) return {(first & 0x1F) << 6 | (byte(1) & 0x3F), 2};
    if (left < 3) return {first, 1};
    if (first < 0xF0) return {(first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
    if (left < 4) return {first, 1};
    return {(first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

/// The size of the character at `place`, if it is UTF-8 as Python decodes it: no stray bytes, no longer forms than
/// needed, no surrogates; otherwise 0.
inline std::size_t check_character(std::string_view text, std::size_t place) {
    const auto first = static_cast<unsigned char>(text[place]);
    if (first < 0x80) return 1;
    const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4 || text.size() - place < size) return 0;
    for (std::size_t next = 1; next < size; ++next) {
        if ((static_cast<unsigned char>(text[place + next]) & 0xC0) != 0x80) return 0;
    }
    if (size == 2) return size;
    const std::uint32_t code = read_character(text, place).code;
    if (size == 3) return code < 0x800 || (code >= 0xD800 && code <= 0xDFFF) ? 0 : size;
    return code < 0x10000 || code > 0x10FFFF ? 0 : size;
}

/// Whether a text is UTF-8. ASCII is passed over eight bytes at a time.
inline bool is_utf8(std::string_view text) {
    constexpr std::uint64_t HIGH = 0x8080808080808080u;
    std::size_t place = 0;
    while (place < text.size()) {
        if (text.size() - place >= 8) {
            std::uint64_t word;
            std::memcpy(&word, text.data() + place, sizeof word);
            if (!(word & HIGH)) {
                place += 8;
                continue;
            }
            if constexpr (std::endian::native == std::endian::little) {
                place += static_cast<std::size_t>(std::countr_zero(word & HIGH)) / 8;
            }
        }
        const std::size_t size = check_character(text, place);
        if (!size) return false;
        place += size;
    }
    return true;
}

/// White space as `str.split` knows it.
inline bool is_space(std::uint32_t code) {
    if (code <= 0x20) return code == 0x20 || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F);
    if (code < 0x1680) return code == 0x85 || code == 0xA0;
    return code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
           code == 0x205F || code == 0x3000;
}

inline std::string_view strip_right(std::string_view text) {
    std::size_t end = text.size();
    while (end) {
        std::size_t start = end - 1;
        while (start && end - start < 4 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
        const Character last = read_character(text.substr(0, end), start);
        if (start + last.size != end || !is_space(last.code)) break;
        end = start;
    }
    return text.substr(0, end);
}

inline std::string_view strip_left(std::string_view text) {
    std::size_t start = 0;
    while (start < text.size()) {
        const Character first = read_character(text, start);
        if (!is_space(first.code)) break;
        start += first.size;
    }
    return text.substr(start);
}

}  // namespace bleuprint

// Lower case, as far as it can be had without Python: ASCII, and the letters of two bytes in UTF-8 that become others of
// two bytes wherever they stand. Which these are, Python says. Texts with other letters are lowered by Python.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "tokenizers/byte_blocks.hpp"
#include "tokenizers/mteval.hpp"
#include "tokenizers/utf8.hpp"

namespace bleuprint {

class Lowering {
public:
    static constexpr std::uint32_t FIRST = 0x80, LAST = 0x7FF;  // what two bytes can hold

    /// Nothing but ASCII is lowered.
    Lowering() {
        for (std::uint32_t code = 0; code <= LAST; ++code) lowered_[code] = static_cast<std::uint16_t>(code);
    }

    /// Say that a character becomes another one, or (0) that more would have to be known.
    void set(std::uint32_t code, std::uint32_t lowered) {
        lowered_[code] = static_cast<std::uint16_t>(lowered >= FIRST && lowered <= LAST ? lowered : 0);
    }

    /// Whether all characters of a text are lowered as `lower` does it. Beyond two bytes these are common ones that have no
    /// case: general punctuation, superscripts and currencies, and from U+3000 to U+9FFF.
    bool can_lower(std::string_view text) const {
        for (std::size_t base = 0; base < text.size(); base += BLOCK_BYTES) {
            for (std::uint64_t leads = look_at(text, base, LookLeads())[0]; leads; leads &= leads - 1) {
                const Character character = read_character(text, base + static_cast<std::size_t>(std::countr_zero(leads)));
                const std::uint32_t code = character.code;
                const bool known = code <= LAST ? lowered_[code] != 0
                                                : (code >= 0x2000 && code < 0x20C0) || (code >= 0x3000 && code < 0xA000);
                if (!known) return false;
            }
        }
        return true;
    }

    /// Put a text into `buffer`, lowered; give where it lies there. What cannot be lowered stays as it is.
    std::string_view lower(std::string_view text, std::string& buffer) const {
        if (buffer.size() < text.size() + BUFFER_MARGIN) buffer.resize(text.size() + BUFFER_MARGIN);
        char* const to = buffer.data();
        std::size_t place = 0;
        std::uint64_t beyond_ascii = 0;
        for (; place + SixteenBytes::SIZE <= text.size(); place += SixteenBytes::SIZE) {
            const SixteenBytes bytes = SixteenBytes::read(text.data() + place);
            bytes.with_bits(0x20, bytes.are_within('A', 'Z')).write(to + place);
            beyond_ascii |= bytes.places();
        }
        for (; place < text.size(); ++place) {
            const auto byte = static_cast<unsigned char>(text[place]);
            to[place] = static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte);
            beyond_ascii |= byte >> 7;
        }
        const std::string_view lowered(to, text.size());
        if (beyond_ascii) lower_letters(lowered, to);
        return lowered;
    }

private:
    struct LookLeads {
        std::array<SixteenBytes, 1> operator()(SixteenBytes bytes) const { return {bytes.are_within(0xC2, 0xF4)}; }
    };
    struct LookLeadsOfTwo {
        std::array<SixteenBytes, 1> operator()(SixteenBytes bytes) const { return {bytes.are_within(0xC2, 0xDF)}; }
    };

    void lower_letters(std::string_view text, char* to) const {
        for (std::size_t base = 0; base < text.size(); base += BLOCK_BYTES) {
            for (std::uint64_t leads = look_at(text, base, LookLeadsOfTwo())[0]; leads; leads &= leads - 1) {
                const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(leads));
                const Character character = read_character(text, place);
                if (character.size != 2 || !lowered_[character.code]) continue;
                to[place] = static_cast<char>(0xC0 | lowered_[character.code] >> 6);
                to[place + 1] = static_cast<char>(0x80 | (lowered_[character.code] & 0x3F));
            }
        }
    }

    std::array<std::uint16_t, LAST + 1> lowered_{};
};

}  // namespace bleuprint

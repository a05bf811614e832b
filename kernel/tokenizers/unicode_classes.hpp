// The Unicode classes N, P and S: the ranges of tokenizers/unicode_classes.py as a table with one entry per character.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "unicode_ranges.hpp"

namespace bleuprint {

enum class CharacterClass : unsigned char { other, number, punctuation, symbol };

/// Two steps to the class of a character: which page its block of 256 uses, then its place on that page.
class UnicodeClasses {
public:
    UnicodeClasses() {
        std::vector<CharacterClass> all(BLOCKS * 256, CharacterClass::other);
        auto paint = [&](const auto& ranges, CharacterClass kind) {
            for (const auto& [first, last] : ranges) {
                for (std::uint32_t code = first; code <= last; ++code) all[code] = kind;
            }
        };
        paint(NUMBER_RANGES, CharacterClass::number);
        paint(PUNCTUATION_RANGES, CharacterClass::punctuation);
        paint(SYMBOL_RANGES, CharacterClass::symbol);
        for (std::size_t block = 0; block < BLOCKS; ++block) {
            Page page;
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(block * 256), 256, page.begin());
            const auto known = std::find(pages_.begin(), pages_.end(), page);
            page_of_[block] = static_cast<std::uint16_t>(known - pages_.begin());
            if (known == pages_.end()) pages_.push_back(page);
        }
    }

    CharacterClass of(std::uint32_t code) const {
        return code < BLOCKS * 256 ? pages_[page_of_[code >> 8]][code & 0xFF] : CharacterClass::other;
    }

private:
    using Page = std::array<CharacterClass, 256>;
    static constexpr std::size_t BLOCKS = 0x1100;

    std::array<std::uint16_t, BLOCKS> page_of_;
    std::vector<Page> pages_;
};

inline const UnicodeClasses& unicode_classes() {
    static const UnicodeClasses classes;
    return classes;
}

}  // namespace bleuprint

// Characters: a text as code points, with white space treated as a recipe says, and small numbers for characters.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "interning.hpp"
#include "tokenizers/utf8.hpp"

namespace bleuprint {

/// What happens to white space: all of it goes (what `str.split` splits at, or what Unicode calls so), or spaces do
/// after the ends were stripped, or nothing.
enum class WhiteSpace { removed, removed_unicode, spaces_removed, kept };

inline bool is_dropped(std::uint32_t code, WhiteSpace rule) {
    switch (rule) {
        case WhiteSpace::removed: return is_space(code);
        case WhiteSpace::removed_unicode: return is_space(code) && !(code >= 0x1C && code <= 0x1F);
        case WhiteSpace::spaces_removed: return code == 0x20;
        case WhiteSpace::kept: return false;
    }
    return false;
}

/// Reads texts, all with white space treated alike.
class CharacterReader {
public:
    explicit CharacterReader(WhiteSpace rule) : rule_(rule) {
        for (std::uint32_t code = 0; code < stays_.size(); ++code) stays_[code] = !is_dropped(code, rule);
    }

    WhiteSpace rule() const { return rule_; }

    /// Put the code points of a text into `codes`.
    void read(std::string_view text, std::vector<std::uint32_t>& codes) const {
        if (rule_ == WhiteSpace::spaces_removed) text = strip_left(strip_right(text));
        codes.resize(text.size());
        std::uint32_t* to = codes.data();
        for (std::size_t place = 0; place < text.size();) {
            const auto byte = static_cast<unsigned char>(text[place]);
            if (byte < 0x80) {
                *to = byte;
                to += stays_[byte];  // no branch: where words end nobody can guess
                ++place;
                continue;
            }
            const Character character = read_character(text, place);
            *to = character.code;
            to += !is_dropped(character.code, rule_);
            place += character.size;
        }
        codes.resize(static_cast<std::size_t>(to - codes.data()));
    }

private:
    WhiteSpace rule_;
    std::array<std::uint8_t, 128> stays_{};
};

/// Numbers for the characters of a candidate, from 1 on in the order in which they come; 0 is any other character.
/// A table of tables, so that nothing is hashed and no text can be chosen to be slow.
class CharacterNumbers {
public:
    CharacterNumbers() : page_of_(PAGES), pages_(1) {}

    void clear() {
        for (const std::uint32_t code : known_) pages_[page_of_[code / SIZE]][code % SIZE] = 0;
        known_.clear();
    }

    /// How many characters have a number.
    std::size_t size() const { return known_.size(); }

    std::uint32_t find(std::uint32_t code) const { return pages_[page_of_[code / SIZE]][code % SIZE]; }

    std::uint32_t add(std::uint32_t code) {
        const std::uint32_t found = find(code);
        return found ? found : add_new(code);
    }

    std::size_t bytes() const { return bytes_of(page_of_) + bytes_of(pages_) + bytes_of(known_); }

private:
    /// Room for all 21 bits that four bytes can hold, whether or not they are UTF-8.
    static constexpr std::uint32_t SIZE = 256, PAGES = 0x200000 / SIZE;
    using Page = std::array<std::uint32_t, SIZE>;

    std::uint32_t add_new(std::uint32_t code) {
        std::uint32_t& page = page_of_[code / SIZE];
        if (page == 0) {
            page = static_cast<std::uint32_t>(pages_.size());
            pages_.emplace_back();
        }
        known_.push_back(code);
        return pages_[page][code % SIZE] = static_cast<std::uint32_t>(known_.size());
    }

    std::vector<std::uint32_t> page_of_;
    std::vector<Page> pages_;  // the first one stays empty
    std::vector<std::uint32_t> known_;
};

}  // namespace bleuprint

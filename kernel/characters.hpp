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
        read(text, codes, [](std::uint32_t code) { return code; });
    }

    /// Put the numbers of the characters of a text into `numbers`. White space that goes is asked for a number, too.
    template <class Number>
    void read(std::string_view text, std::vector<std::uint32_t>& numbers, Number&& number) const {
        if (rule_ == WhiteSpace::spaces_removed) text = strip_left(strip_right(text));
        numbers.resize(text.size());
        std::uint32_t* to = numbers.data();
        for (std::size_t place = 0; place < text.size();) {
            const auto byte = static_cast<unsigned char>(text[place]);
            if (byte < 0x80) {
                *to = number(byte);
                to += stays_[byte];  // no branch: where words end nobody can guess
                ++place;
                continue;
            }
            const Character character = read_character(text, place);
            *to = number(character.code);
            to += !is_dropped(character.code, rule_);
            place += character.size;
        }
        numbers.resize(static_cast<std::size_t>(to - numbers.data()));
    }

private:
    WhiteSpace rule_;
    std::array<std::uint8_t, 128> stays_{};
};

/// Numbers for the characters of a candidate, from 1 on in the order in which they come; 0 is any other character.
/// Tables, so that nothing is hashed and no text can be chosen to be slow.
class CharacterNumbers {
public:
    CharacterNumbers() : page_of_(PAGES), pages_(1), known_(2 * SIZE) {}

    void clear() {
        for (std::size_t place = 0; place < size_; ++place) number_of(known_[place]) = 0;
        size_ = 0;
    }

    /// How many characters have a number.
    std::size_t size() const { return size_; }

    std::uint32_t find(std::uint32_t code) const {
        return code < SIZE ? first_[code] : pages_[page_of_[code / SIZE]][code % SIZE];
    }

    /// The number of a character, which is added if it is new. Among the first ones that decides no branch, as a processor
    /// could not guess it.
    std::uint32_t add(std::uint32_t code) {
        if (code >= SIZE) return add_rare(code);
        std::uint32_t& number = first_[code];
        known_[size_] = code;
        const bool is_new = number == 0;
        size_ += is_new;
        return number = is_new ? static_cast<std::uint32_t>(size_) : number;
    }

    std::size_t bytes() const { return bytes_of(page_of_) + bytes_of(pages_) + bytes_of(known_); }

private:
    /// Room for all 21 bits that four bytes can hold, whether or not they are UTF-8.
    static constexpr std::uint32_t SIZE = 256, PAGES = 0x200000 / SIZE;
    using Page = std::array<std::uint32_t, SIZE>;

    std::uint32_t& number_of(std::uint32_t code) {
        return code < SIZE ? first_[code] : pages_[page_of_[code / SIZE]][code % SIZE];
    }

    std::uint32_t add_rare(std::uint32_t code) {
        std::uint32_t& page = page_of_[code / SIZE];
        if (page == 0) {
            page = static_cast<std::uint32_t>(pages_.size());
            pages_.emplace_back();
        }
        std::uint32_t& number = pages_[page][code % SIZE];
        if (number) return number;
        known_[size_++] = code;
        if (size_ + SIZE >= known_.size()) known_.resize(2 * known_.size());  // also for all that come without a look
        return number = static_cast<std::uint32_t>(size_);
    }

    Page first_{};  // of the characters that most texts are made of
    std::vector<std::uint32_t> page_of_;
    std::vector<Page> pages_;           // the first one stays empty
    std::vector<std::uint32_t> known_;  // the first `size_` are in use, and there is room for all first characters behind
    std::size_t size_ = 0;
};

}  // namespace bleuprint

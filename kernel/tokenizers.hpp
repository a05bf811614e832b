// Tokens: the tokenizers that run inside the kernel, by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tokenizers/chinese.hpp"
#include "tokenizers/mteval.hpp"
#include "tokenizers/utf8.hpp"

namespace bleuprint {

enum class Tokenizer { whitespace, western_13a, intl, zh, character, zh_corrected };

inline std::optional<Tokenizer> find_tokenizer(std::string_view name) {
    if (name == "whitespace") return Tokenizer::whitespace;
    if (name == "13a") return Tokenizer::western_13a;
    if (name == "intl") return Tokenizer::intl;
    if (name == "zh") return Tokenizer::zh;
    if (name == "char") return Tokenizer::character;
    if (name == "zh-corrected") return Tokenizer::zh_corrected;
    return std::nullopt;
}

/// Split at white space and, if `characters`, between all characters.
template <bool characters, class Sink>
void split_spaces(std::string_view text, Sink&& sink) {
    const auto look = [](SixteenBytes bytes) {
        return std::array{bytes.are_within(0x09, 0x0D) | bytes.are_within(0x1C, 0x20),
                          bytes.are(0xC2) | bytes.are_within(0xE1, 0xE3), bytes.are_within(0x80, 0xBF)};
    };
    TokenCutter cutter(text);
    Cuts cuts;
    for (std::size_t base = 0; base < text.size(); base += BLOCK_BYTES, cuts.advance()) {
        const auto [spaces, wide, inside] = look_at(text, base, look);
        cuts.spaces |= spaces;
        if (characters) cuts.cuts = ~inside;
        for (std::uint64_t left = wide; left; left &= left - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(left));
            const Character character = read_character(text, base + place);
            if (is_space(character.code)) cuts.add_space(place, character.size);
        }
        cutter.cut(base, cuts.spaces, cuts.cuts, sink);
    }
    cutter.finish(sink);
}

template <class Sink>
void split_whitespace(std::string_view text, Sink&& sink) {
    split_spaces<false>(text, sink);
}

/// Hand every token of a text to `sink`. Tokens point into the text, or into `buffer` where the text had to change.
template <class Sink>
void tokenize(Tokenizer tokenizer, std::string_view text, std::string& buffer, Sink&& sink) {
    switch (tokenizer) {
        case Tokenizer::whitespace: return split_whitespace(text, sink);
        case Tokenizer::western_13a: return split_13a(text, buffer, sink);
        case Tokenizer::intl: return split_intl(text, sink);
        case Tokenizer::zh: return split_zh(text, sink);
        case Tokenizer::character: return split_spaces<true>(text, sink);
        case Tokenizer::zh_corrected: return split_zh_corrected(text, sink);
    }
}

}  // namespace bleuprint

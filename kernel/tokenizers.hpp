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

template <class Sink>
void split_whitespace(std::string_view text, Sink&& sink) {
    std::size_t start = 0, place = 0;
    while (place < text.size()) {
        const auto byte = static_cast<unsigned char>(text[place]);
        std::uint32_t size = 1;
        bool space = false;
        if (byte <= 0x20) {
            space = is_space(byte);
        } else if (may_begin_space(byte)) {
            const Character character = read_character(text, place);
            size = character.size;
            space = is_space(character.code);
        }
        if (space) {
            if (place > start) sink(text.substr(start, place - start));
            start = place + size;
        }
        place += size;
    }
    if (place > start) sink(text.substr(start, place - start));
}

template <class Sink>
void split_characters(std::string_view text, Sink&& sink) {
    for (std::size_t place = 0; place < text.size();) {
        const Character character = read_character(text, place);
        if (!is_space(character.code)) sink(text.substr(place, character.size));
        place += character.size;
    }
}

/// Hand every token of a text to `sink`. Tokens point into the text, or into `buffer` where the text had to change.
template <class Sink>
void tokenize(Tokenizer tokenizer, std::string_view text, std::string& buffer, Sink&& sink) {
    switch (tokenizer) {
        case Tokenizer::whitespace: return split_whitespace(text, sink);
        case Tokenizer::western_13a: return split_13a(text, buffer, sink);
        case Tokenizer::intl: return split_intl(text, sink);
        case Tokenizer::zh: return split_zh(text, sink);
        case Tokenizer::character: return split_characters(text, sink);
        case Tokenizer::zh_corrected: return split_zh_corrected(text, sink);
    }
}

}  // namespace bleuprint

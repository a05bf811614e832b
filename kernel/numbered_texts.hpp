// Texts whose tokens are numbered all together, so that other texts can be held against them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "interning.hpp"
#include "interrupts.hpp"
#include "segments.hpp"
#include "tokenizers.hpp"

namespace bleuprint {

class NumberedTexts {
public:
    explicit NumberedTexts(Tokenizer tokenizer) : tokenizer_(tokenizer) { tokens_.clear(); }

    /// Add a text; the text must stay where it is.
    void add(std::string_view text) {
        Watch::look();
        std::string& buffer = buffers_.emplace_back();
        tokenize(tokenizer_, text, buffer, [&](std::string_view token) { numbers_.tokens.push_back(tokens_.add(TextKey(token))); });
        numbers_.end();
        if (buffer.empty()) buffers_.pop_back();
    }

    std::size_t size() const { return numbers_.starts.size() - 1; }
    std::uint32_t distinct() const { return tokens_.size(); }

    /// The numbers of all tokens, text after text.
    const Sequences<std::uint32_t>& numbers() const { return numbers_; }

    /// Hand the number of every token of another text to `sink(number)`: 0 if no text has it.
    template <class Sink>
    void each_number(std::string_view text, std::string& buffer, Sink&& sink) const {
        tokenize(tokenizer_, text, buffer, [&](std::string_view token) { sink(tokens_.find(TextKey(token))); });
    }

private:
    Tokenizer tokenizer_;
    Interner<TextKey> tokens_;
    Sequences<std::uint32_t> numbers_;
    std::deque<std::string> buffers_;  // texts that tokenizing changed; tokens point into them
};

}  // namespace bleuprint

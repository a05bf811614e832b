// sacreBLEU's zh, and zh-corrected: every character of the listed blocks apart, the rest by the western substitutions.
#pragma once

#include <array>
#include <string_view>

#include "mteval.hpp"

namespace bleuprint {

using CodeRange = std::array<std::uint32_t, 2>;

/// The ranges of tokenizers/chinese.py, which says where they come from; a test compares the two.
inline constexpr std::array<CodeRange, 16> SACREBLEU_RANGES{{
    {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
    {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
}};
inline constexpr std::array<CodeRange, 18> CORRECTED_RANGES{{
    {0x2600, 0x27BF}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
    {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}, {0x20000, 0x2A6D6}, {0x2F800, 0x2FA1D},
}};

/// Whether one of the ranges, which are sorted, has a character.
template <const auto& RANGES>
inline bool is_in(std::uint32_t code) {
    for (const auto& [first, last] : RANGES) {
        if (code <= last) return code >= first;
    }
    return false;
}

inline bool is_sacrebleu_chinese(std::uint32_t code) { return is_in<SACREBLEU_RANGES>(code); }
inline bool is_corrected_chinese(std::uint32_t code) { return is_in<CORRECTED_RANGES>(code); }

/// What a character beyond ASCII is. Most are of the one block that is asked for first, and has no white space.
template <const auto& RANGES>
inline WideKind chinese_kind(std::uint32_t code) {
    if (code >= 0x4E00 && code <= 0x9FBB) return WideKind::mark;
    return is_space(code) ? WideKind::space : is_in<RANGES>(code) ? WideKind::mark : WideKind::word;
}

template <class Sink>
void split_zh(std::string_view text, Sink&& sink) {
    split_western<false, true>(strip_left(strip_right(text)), chinese_kind<SACREBLEU_RANGES>, sink);
}

template <class Sink>
void split_zh_corrected(std::string_view text, Sink&& sink) {
    split_western<false, true>(strip_left(strip_right(text)), chinese_kind<CORRECTED_RANGES>, sink);
}

}  // namespace bleuprint

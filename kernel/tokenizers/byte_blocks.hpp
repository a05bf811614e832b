// Blocks of 64 bytes looked at all at once: the bytes of a kind are a set of places in a machine word. Sixteen bytes are
// compared with one instruction where every processor of a kind has it (SSE2, NEON, WebAssembly's), else one by one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace bleuprint {

/// Sixteen bytes, or sixteen answers to a question about them.
class SixteenBytes {
public:
    static constexpr std::size_t SIZE = 16;

#if defined(__SSE2__) || defined(_M_X64)
    static SixteenBytes read(const char* data) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data)); }
    void write(char* data) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(data), bytes_); }
    SixteenBytes are(unsigned char byte) const { return _mm_cmpeq_epi8(bytes_, all(byte)); }
    SixteenBytes are_within(unsigned char first, unsigned char last) const {
        const __m128i offset = _mm_sub_epi8(bytes_, all(first));
        return _mm_cmpeq_epi8(_mm_min_epu8(offset, all(static_cast<unsigned char>(last - first))), offset);
    }
    SixteenBytes with_bits(unsigned char bits) const { return _mm_or_si128(bytes_, all(bits)); }
    SixteenBytes with_bits(unsigned char bits, SixteenBytes where) const {
        return _mm_or_si128(bytes_, _mm_and_si128(where.bytes_, all(bits)));
    }
    SixteenBytes operator|(SixteenBytes other) const { return _mm_or_si128(bytes_, other.bytes_); }
    SixteenBytes operator&(SixteenBytes other) const { return _mm_and_si128(bytes_, other.bytes_); }
    SixteenBytes without(SixteenBytes other) const { return _mm_andnot_si128(other.bytes_, bytes_); }
    /// The places of bytes whose highest bit is set.
    std::uint64_t places() const { return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes_)); }

private:
    using Bytes = __m128i;
    static Bytes all(unsigned char byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
#elif defined(__wasm_simd128__)
    static SixteenBytes read(const char* data) { return wasm_v128_load(data); }
    void write(char* data) const { wasm_v128_store(data, bytes_); }
    SixteenBytes are(unsigned char byte) const { return wasm_i8x16_eq(bytes_, all(byte)); }
    SixteenBytes are_within(unsigned char first, unsigned char last) const {
        return wasm_u8x16_le(wasm_i8x16_sub(bytes_, all(first)), all(static_cast<unsigned char>(last - first)));
    }
    SixteenBytes with_bits(unsigned char bits) const { return wasm_v128_or(bytes_, all(bits)); }
    SixteenBytes with_bits(unsigned char bits, SixteenBytes where) const {
        return wasm_v128_or(bytes_, wasm_v128_and(where.bytes_, all(bits)));
    }
    SixteenBytes operator|(SixteenBytes other) const { return wasm_v128_or(bytes_, other.bytes_); }
    SixteenBytes operator&(SixteenBytes other) const { return wasm_v128_and(bytes_, other.bytes_); }
    SixteenBytes without(SixteenBytes other) const { return wasm_v128_andnot(bytes_, other.bytes_); }
    std::uint64_t places() const { return static_cast<std::uint32_t>(wasm_i8x16_bitmask(bytes_)); }

private:
    using Bytes = v128_t;
    static Bytes all(unsigned char byte) { return wasm_u8x16_splat(byte); }
#elif defined(__aarch64__) && defined(__ARM_NEON)
    static SixteenBytes read(const char* data) { return vld1q_u8(reinterpret_cast<const unsigned char*>(data)); }
    void write(char* data) const { vst1q_u8(reinterpret_cast<unsigned char*>(data), bytes_); }
    SixteenBytes are(unsigned char byte) const { return vceqq_u8(bytes_, vdupq_n_u8(byte)); }
    SixteenBytes are_within(unsigned char first, unsigned char last) const {
        return vcleq_u8(vsubq_u8(bytes_, vdupq_n_u8(first)), vdupq_n_u8(static_cast<unsigned char>(last - first)));
    }
    SixteenBytes with_bits(unsigned char bits) const { return vorrq_u8(bytes_, vdupq_n_u8(bits)); }
    SixteenBytes with_bits(unsigned char bits, SixteenBytes where) const {
        return vorrq_u8(bytes_, vandq_u8(where.bytes_, vdupq_n_u8(bits)));
    }
    SixteenBytes operator|(SixteenBytes other) const { return vorrq_u8(bytes_, other.bytes_); }
    SixteenBytes operator&(SixteenBytes other) const { return vandq_u8(bytes_, other.bytes_); }
    SixteenBytes without(SixteenBytes other) const { return vbicq_u8(bytes_, other.bytes_); }
    std::uint64_t places() const {
        static constexpr unsigned char WEIGHTS[SIZE] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        const uint8x16_t highest = vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(bytes_), 7));
        const uint8x16_t weighed = vandq_u8(highest, vld1q_u8(WEIGHTS));
        return vaddv_u8(vget_low_u8(weighed)) | std::uint64_t{vaddv_u8(vget_high_u8(weighed))} << 8;
    }

private:
    using Bytes = uint8x16_t;
#else
    static SixteenBytes read(const char* data) {
        Bytes bytes;
        std::memcpy(bytes.data(), data, SIZE);
        return bytes;
    }
    void write(char* data) const { std::memcpy(data, bytes_.data(), SIZE); }
    SixteenBytes are(unsigned char byte) const {
        return made([&](std::size_t place) { return bytes_[place] == byte ? 0xFF : 0; });
    }
    SixteenBytes are_within(unsigned char first, unsigned char last) const {
        return made([&](std::size_t place) { return bytes_[place] >= first && bytes_[place] <= last ? 0xFF : 0; });
    }
    SixteenBytes with_bits(unsigned char bits) const {
        return made([&](std::size_t place) { return bytes_[place] | bits; });
    }
    SixteenBytes with_bits(unsigned char bits, SixteenBytes where) const {
        return made([&](std::size_t place) { return bytes_[place] | (where.bytes_[place] & bits); });
    }
    SixteenBytes operator|(SixteenBytes other) const {
        return made([&](std::size_t place) { return bytes_[place] | other.bytes_[place]; });
    }
    SixteenBytes operator&(SixteenBytes other) const {
        return made([&](std::size_t place) { return bytes_[place] & other.bytes_[place]; });
    }
    SixteenBytes without(SixteenBytes other) const {
        return made([&](std::size_t place) { return bytes_[place] & ~other.bytes_[place]; });
    }
    std::uint64_t places() const {
        std::uint64_t found = 0;
        for (std::size_t place = 0; place < SIZE; ++place) found |= std::uint64_t{bytes_[place]} >> 7 << place;
        return found;
    }

private:
    using Bytes = std::array<unsigned char, SIZE>;
    template <class Make>
    static SixteenBytes made(Make make) {
        Bytes bytes;
        for (std::size_t place = 0; place < SIZE; ++place) bytes[place] = static_cast<unsigned char>(make(place));
        return bytes;
    }
#endif
    SixteenBytes(Bytes bytes) : bytes_(bytes) {}

    Bytes bytes_;
};

inline constexpr std::size_t BLOCK_BYTES = 64;

/// The first so many places of a word.
inline std::uint64_t first_places(std::size_t count) {
    return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

/// Several sets of places: one for each kind of byte that somebody looks for.
template <std::size_t kinds>
using Places = std::array<std::uint64_t, kinds>;

/// Look at 64 bytes. `look` gives, for sixteen of them, an array of as many answers as there are kinds.
template <class Look>
auto look_at_block(const char* data, Look look) {
    Places<std::tuple_size_v<decltype(look(SixteenBytes::read(data)))>> found{};
    for (std::size_t place = 0; place < BLOCK_BYTES; place += SixteenBytes::SIZE) {
        const auto answers = look(SixteenBytes::read(data + place));
        for (std::size_t kind = 0; kind < answers.size(); ++kind) found[kind] |= answers[kind].places() << place;
    }
    return found;
}

/// Look at the bytes of a text from `base` on, up to 64 of them. Nothing behind the text is read, and nothing found there.
template <class Look>
auto look_at(std::string_view text, std::size_t base, Look look) {
    const std::size_t left = text.size() - base;
    if (left >= BLOCK_BYTES) return look_at_block(text.data() + base, look);
    if (text.size() >= BLOCK_BYTES) {
        auto found = look_at_block(text.data() + text.size() - BLOCK_BYTES, look);
        for (std::uint64_t& places : found) places >>= BLOCK_BYTES - left;
        return found;
    }
    std::array<char, BLOCK_BYTES> copy{};
    std::memcpy(copy.data(), text.data() + base, left);
    auto found = look_at_block(copy.data(), look);
    for (std::uint64_t& places : found) places &= first_places(left);
    return found;
}

/// Whether a text has any byte for which `look` answers yes. Nothing behind the text is read.
template <class Look>
bool has_any(std::string_view text, Look look) {
    constexpr std::size_t SIZE = SixteenBytes::SIZE;
    if (text.empty()) return false;
    if (text.size() < SIZE) {
        std::array<char, SIZE> copy{};
        std::memcpy(copy.data(), text.data(), text.size());
        return look(SixteenBytes::read(copy.data())).places() & first_places(text.size());
    }
    SixteenBytes found = look(SixteenBytes::read(text.data() + text.size() - SIZE));
    for (std::size_t place = 0; place + SIZE < text.size(); place += SIZE) {
        found = found | look(SixteenBytes::read(text.data() + place));
    }
    return found.places() != 0;
}

/// Hands out tokens, block by block.
class TokenCutter {
public:
    explicit TokenCutter(std::string_view text) : text_(text) {}

    /// Take the next block: which of its bytes are white space, and before which of them a token ends.
    template <class Sink>
    void cut(std::size_t base, std::uint64_t spaces, std::uint64_t cuts, Sink& sink) {
        const std::size_t left = text_.size() - base;
        spaces |= ~first_places(left);
        const std::uint64_t behind_spaces = spaces << 1 | static_cast<std::uint64_t>(after_space_);
        std::uint64_t starts = ~spaces & (cuts | behind_spaces), ends = ~behind_spaces & (spaces | cuts);
        // Starts and ends take turns. The start of the token that is being read was taken out before, unless it is here.
        const std::size_t first = base + static_cast<std::size_t>(std::countr_zero(starts));
        start_ = after_space_ ? first : start_;
        starts = after_space_ ? starts & (starts - 1) : starts;
        for (; ends; ends &= ends - 1) {
            const std::size_t end = base + static_cast<std::size_t>(std::countr_zero(ends));
            sink(std::string_view(text_.data() + start_, end - start_));
            start_ = base + static_cast<std::size_t>(std::countr_zero(starts));
            starts &= starts - 1;
        }
        after_space_ = spaces >> 63;
    }

    /// Hand out the token with which the text ends, if its last block is full.
    template <class Sink>
    void finish(Sink& sink) {
        if (!after_space_) sink(text_.substr(start_));
    }

private:
    std::string_view text_;
    std::size_t start_ = 0;  // of the token that is being read
    bool after_space_ = true;
};

/// Two sets of places that may reach into the next block: white space, and places before which a token ends.
struct Cuts {
    std::uint64_t spaces = 0, cuts = 0;
    std::uint64_t next_spaces = 0, next_cuts = 0;

    /// Go on to the next block.
    void advance() { *this = {next_spaces, next_cuts, 0, 0}; }

    /// Set these places of a block apart, a token each.
    void part(std::uint64_t places) {
        cuts |= places | places << 1;
        next_cuts |= places >> 63;
    }

    /// Set characters of three bytes apart, which begin at these places.
    void part_threes(std::uint64_t places) {
        cuts |= places | places << 3;
        next_cuts |= places >> 61;
    }

    /// Set a character of so many bytes apart.
    void part(std::size_t place, std::size_t size) {
        cuts |= std::uint64_t{1} << place;
        const std::size_t end = place + size;
        (end < BLOCK_BYTES ? cuts : next_cuts) |= std::uint64_t{1} << end % BLOCK_BYTES;
    }

    /// Take a character of so many bytes for white space.
    void add_space(std::size_t place, std::size_t size) {
        spaces |= first_places(size) << place;
        if (place + size > BLOCK_BYTES) next_spaces |= first_places(place + size - BLOCK_BYTES);
    }
};

}  // namespace bleuprint

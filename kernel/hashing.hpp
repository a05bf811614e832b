// Hashing with a secret. A hash only says where to look; equality is always decided by comparing what was hashed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/// For what is done with every token, and too small for a call.
#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE [[gnu::always_inline]]
#else
#define ALWAYS_INLINE
#endif

namespace bleuprint {

/// What an attacker does not know: without it nobody can prepare tokens that fall into the same place of a table.
struct Secret {
    std::uint64_t first;
    std::uint64_t second;

    static Secret random() {
        std::random_device device;
        auto word = [&] { return (std::uint64_t{device()} << 32) ^ device(); };
        return {word(), word() | 1};
    }
};

/// The secret of this process, drawn once; a table that meets too many collisions draws one of its own.
inline const Secret& process_secret() {
    static const Secret secret = Secret::random();
    return secret;
}

/// Multiply to 128 bits and fold the halves together.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
#if defined(_MSC_VER) && !defined(__clang__)
    std::uint64_t high;
    const std::uint64_t low = _umul128(a, b, &high);
    return low ^ high;
#else
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#endif
}

template <class Word>
std::uint64_t load(const char* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

inline constexpr std::uint64_t SPREAD = 0x9E3779B97F4A7C15;

/// Keys in strides would stay in strides after one multiplication, and crowd a table under one secret of fifty.
inline std::uint64_t hash_key(std::uint64_t key, const Secret& secret) {
    std::uint64_t mixed = fold(key ^ secret.first, secret.second);
    mixed = (mixed ^ (mixed >> 32)) * SPREAD;
    return mixed ^ (mixed >> 32);
}

}  // namespace bleuprint

// Sets of places in pairs of machine words: two at once where the processor has registers for two. Plain loops over the words
// make chrF a tenth slower.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bleuprint {

#if defined(__GNUC__) || defined(__clang__)
using PlacePair = std::uint64_t __attribute__((vector_size(16)));
#else
struct PlacePair {
    std::uint64_t words[2];

    std::uint64_t operator[](std::size_t word) const { return words[word]; }
    PlacePair operator&(PlacePair other) const { return {{words[0] & other.words[0], words[1] & other.words[1]}}; }
    PlacePair operator|(PlacePair other) const { return {{words[0] | other.words[0], words[1] | other.words[1]}}; }
    PlacePair operator~() const { return {{~words[0], ~words[1]}}; }
};
#endif

/// Remove the lowest place that two words have in common from the first: the bit that goes when 1 is subtracted. Of
/// several words the first borrows 1, and gives what the next one borrows.
inline std::uint64_t remove_lowest(std::uint64_t& word, std::uint64_t other, std::uint64_t borrowed) {
    const std::uint64_t open = word & other;
    word ^= open & ~(open - borrowed);
    return open < borrowed;
}

/// A set of places in so many pairs of words.
template <std::size_t pairs>
class PlaceSet {
public:
    static PlaceSet all() {
        PlaceSet made;
        for (PlacePair& pair : made.pairs_) pair = PlacePair{~std::uint64_t{0}, ~std::uint64_t{0}};
        return made;
    }

    static PlaceSet load(const std::uint64_t* words) {
        PlaceSet made;
        std::memcpy(made.pairs_.data(), words, sizeof made.pairs_);
        return made;
    }

    void keep(const PlaceSet& others) {
        for (std::size_t pair = 0; pair < pairs; ++pair) pairs_[pair] = pairs_[pair] & others.pairs_[pair];
    }

    void remove(const PlaceSet& others) {
        for (std::size_t pair = 0; pair < pairs; ++pair) pairs_[pair] = pairs_[pair] & ~others.pairs_[pair];
    }

    /// Whether there is more than one place.
    bool has_several() const {
        PlacePair any = pairs_[0], twice{0, 0};  // the places of all pairs as if they were one; those that two pairs have
        for (std::size_t pair = 1; pair < pairs; ++pair) {
            twice = twice | (any & pairs_[pair]);
            any = any | pairs_[pair];
        }
        const std::uint64_t one = any[0] | any[1];
        return ((one & (one - 1)) | (any[0] & any[1]) | twice[0] | twice[1]) != 0;
    }

    /// Remove the lowest of the places that are in both.
    void remove_lowest_of(const PlaceSet& others) {
        std::uint64_t borrowed = 1;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            std::uint64_t low = pairs_[pair][0], high = pairs_[pair][1];
            borrowed = remove_lowest(low, others.pairs_[pair][0], borrowed);
            borrowed = remove_lowest(high, others.pairs_[pair][1], borrowed);
            pairs_[pair] = PlacePair{low, high};
        }
    }

    std::int64_t count() const {
        std::int64_t places = 0;
        for (const PlacePair& pair : pairs_) places += std::popcount(std::uint64_t{pair[0]}) + std::popcount(std::uint64_t{pair[1]});
        return places;
    }

private:
    std::array<PlacePair, pairs> pairs_;
};

}  // namespace bleuprint

// N-grams of characters of a candidate against one reference after the other.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "characters.hpp"
#include "interning.hpp"
#include "ngram_index.hpp"
#include "place_sets.hpp"

namespace bleuprint {

/// Counts n-grams of characters.
class CharacterCounter {
public:
    void begin(std::string_view candidate, const CharacterReader& reader, int order) {
        numbers_.clear();
        reader.read(candidate, codes_, [&](std::uint32_t code) { return numbers_.add(code); });
        length_ = codes_.size();
        order_ = order;
        short_ = PlaceSets::can_count(length_, order);
        if (short_) {
            places_.begin(codes_, numbers_.size(), order);
        } else {
            index_.begin(codes_, numbers_.size(), order);
        }
    }

    std::int64_t candidate_length() const { return static_cast<std::int64_t>(length_); }

    /// Write the matches with a reference; give its length.
    std::int64_t match(std::string_view reference, const CharacterReader& reader, std::int64_t* matches) {
        reader.read(reference, codes_, [&](std::uint32_t code) { return numbers_.find(code); });
        const std::size_t length = codes_.size();
        codes_.resize(length + static_cast<std::size_t>(order_));  // with zeros
        if (short_) {
            places_.match(codes_.data(), length, matches);
        } else {
            index_.match(codes_.data(), length, matches);
        }
        return static_cast<std::int64_t>(length);
    }

    std::uint64_t steps() const { return index_.steps(); }
    std::size_t bytes() const { return bytes_of(codes_) + numbers_.bytes() + places_.bytes() + index_.bytes(); }

private:
    std::vector<std::uint32_t> codes_;
    CharacterNumbers numbers_;
    PlaceSets places_;
    NgramIndex index_;
    std::size_t length_ = 0;
    int order_ = 0;
    bool short_ = true;
};

}  // namespace bleuprint

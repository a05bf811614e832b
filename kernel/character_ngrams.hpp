// N-grams of the characters of a candidate against its references.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "characters.hpp"
#include "ngrams.hpp"
#include "place_sets.hpp"

namespace bleuprint {

class CharacterCounter {
public:
    /// Begin a candidate. `at_once`: matches with several references together will be asked for, or those without clipping.
    void begin(std::string_view candidate, const CharacterReader& reader, int order, bool at_once) {
        numbers_.clear();
        reader.read(candidate, codes_, [&](std::uint32_t code) { return numbers_.add(code); });
        length_ = codes_.size();
        order_ = order;
        short_ = !at_once && PlaceSets::can_count(length_, order);
        if (short_) {
            found_.resize(static_cast<std::size_t>(order));
            places_.begin(codes_, numbers_.size(), order);
        } else {
            matches_.begin();
            for (const std::uint32_t number : codes_) matches_.add_token(number);
        }
    }

    std::int64_t candidate_length() const { return static_cast<std::int64_t>(length_); }

    /// Begin with the references again, for the same candidate.
    void forget_references() { matches_.forget_references(); }

    /// Add a reference; give its length.
    std::int64_t add_reference(std::string_view reference, const CharacterReader& reader) {
        reader.read(reference, codes_, [&](std::uint32_t code) { return numbers_.find(code); });
        if (!short_) {
            for (const std::uint32_t number : codes_) matches_.add_reference_token(number);
            return matches_.end_reference();
        }
        const std::size_t length = codes_.size();
        codes_.resize(length + static_cast<std::size_t>(order_));  // with zeros
        places_.match(codes_.data(), length, found_.data());
        return static_cast<std::int64_t>(length);
    }

    /// Write the clipped matches of each order and, if there is room for them, those without clipping.
    void count(std::int64_t* matches, std::int64_t* plain = nullptr) {
        if (short_) {
            std::copy(found_.begin(), found_.end(), matches);
        } else {
            matches_.count(matches, order_, plain);
        }
    }

    std::uint64_t steps() const { return matches_.steps(); }
    std::size_t bytes() const {
        return bytes_of(codes_) + bytes_of(found_) + numbers_.bytes() + places_.bytes() + matches_.bytes();
    }

private:
    std::vector<std::uint32_t> codes_;
    std::vector<std::int64_t> found_;
    CharacterNumbers numbers_;
    PlaceSets places_;
    MatchCounter matches_;
    std::size_t length_ = 0;
    int order_ = 0;
    bool short_ = true;
};

}  // namespace bleuprint

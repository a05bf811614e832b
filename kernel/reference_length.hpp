// The reference length of a segment: which of its references the candidate's length is compared with.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>

namespace bleuprint {

enum class LengthRule { closest, closest_first, shortest };

inline std::int64_t choose_length(LengthRule rule, std::int64_t candidate, std::span<const std::int64_t> lengths) {
    std::int64_t chosen = lengths[0];
    for (const std::int64_t length : lengths.subspan(1)) {
        const std::int64_t far = std::abs(length - candidate), kept = std::abs(chosen - candidate);
        const bool better = rule == LengthRule::shortest  ? length < chosen
                            : rule == LengthRule::closest ? far < kept || (far == kept && length < chosen)
                                                          : far < kept;
        if (better) chosen = length;
    }
    return chosen;
}

}  // namespace bleuprint

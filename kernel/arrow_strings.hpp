// Strings in Arrow's memory, read where they are. The two structures are those of Arrow's C data interface, which any
// library that speaks Arrow hands out as capsules; no library of Arrow is needed to read them.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bleuprint {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

/// Refuse missing values: nothing is dropped or guessed here.
inline void refuse_missing(const ArrowArray& array) {
    const auto* const present = static_cast<const std::uint8_t*>(array.buffers[0]);
    if (!present || array.null_count == 0) return;
    for (std::int64_t row = 0; row < array.length; ++row) {
        const std::int64_t bit = array.offset + row;
        if (!(present[bit / 8] >> (bit % 8) & 1)) {
            throw std::invalid_argument("row " + std::to_string(row) + " is null");
        }
    }
}

/// `Offset` is 32 bits wide for strings and 64 bits for large strings.
template <class Offset>
void view_plain_strings(const ArrowArray& array, std::vector<std::string_view>& views) {
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
    const auto* const bytes = static_cast<const char*>(array.buffers[2]);
    for (std::int64_t row = 0; row < array.length; ++row) {
        views.emplace_back(bytes + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
    }
}

/// String views: up to 12 bytes lie in the view itself, longer ones in one of several buffers.
inline void view_string_views(const ArrowArray& array, std::vector<std::string_view>& views) {
    constexpr std::size_t WIDTH = 16, INLINE = 12;
    const auto* const entries = static_cast<const char*>(array.buffers[1]) + static_cast<std::size_t>(array.offset) * WIDTH;
    for (std::int64_t row = 0; row < array.length; ++row) {
        const char* const entry = entries + static_cast<std::size_t>(row) * WIDTH;
        std::int32_t size, place[2];  // which buffer, and where in it
        std::memcpy(&size, entry, 4);
        std::memcpy(place, entry + 8, 8);
        const char* const bytes = static_cast<std::size_t>(size) <= INLINE
                                      ? entry + 4
                                      : static_cast<const char*>(array.buffers[2 + place[0]]) + place[1];
        views.emplace_back(bytes, static_cast<std::size_t>(size));
    }
}

/// The strings of an array, as views of its memory, which must outlive them.
inline std::vector<std::string_view> view_strings(const ArrowSchema& schema, const ArrowArray& array) {
    const std::string_view format = schema.format;
    refuse_missing(array);
    std::vector<std::string_view> views;
    if (array.length == 0) return views;
    views.reserve(static_cast<std::size_t>(array.length));
    if (format == "u") {
        view_plain_strings<std::int32_t>(array, views);
    } else if (format == "U") {
        view_plain_strings<std::int64_t>(array, views);
    } else if (format == "vu") {
        view_string_views(array, views);
    } else {
        throw std::invalid_argument("an array of strings is due here, not of Arrow's type '" + std::string(format) + "'");
    }
    return views;
}

}  // namespace bleuprint

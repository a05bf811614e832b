// Strings in Arrow's memory, read where they are. The two structures are those of Arrow's C data interface, which any
// library that speaks Arrow hands out as capsules; no library of Arrow is needed to read them.
//
// The interface tells how long arrays are, but not how large their buffers: these are as large as the format says, or
// whoever knows better (engines/arrow_memory.py) has looked. Everything that can be seen from here is looked at when it is
// read: offsets that run backwards or out of the array's texts, indices that no dictionary has.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "segments.hpp"
#include "tokenizers/utf8.hpp"

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

[[noreturn]] inline void refuse_array(const std::string& why) {
    throw std::invalid_argument("an array that breaks Arrow's format (" + why + ")");
}

/// See that an array is what its schema says, as far as the two structures tell.
inline void check_array(const ArrowArray& array, std::int64_t least_buffers, std::int64_t children) {
    if (array.length < 0 || array.offset < 0 || array.offset >= INT64_MAX - array.length) {
        refuse_array("length " + std::to_string(array.length) + ", offset " + std::to_string(array.offset));
    }
    if (array.n_buffers < least_buffers || array.n_children != children) refuse_array("too few buffers or children");
}

/// Whether a row has a value. `place` counts from the beginning of the buffers, before the array's offset.
inline bool is_present(const ArrowArray& array, std::int64_t place) {
    const auto* const present = array.n_buffers ? static_cast<const std::uint8_t*>(array.buffers[0]) : nullptr;
    return !present || (present[place / 8] >> (place % 8) & 1);
}

template <class Number>
std::int64_t number_at(const ArrowArray& array, std::size_t buffer, std::int64_t place) {
    Number number;  // which may lie anywhere: files are mapped as they are
    std::memcpy(&number, static_cast<const char*>(array.buffers[buffer]) + place * std::int64_t{sizeof number}, sizeof number);
    return static_cast<std::int64_t>(number);
}

/// A column of texts: strings or bytes, with 32-bit or 64-bit offsets or as views, also by way of a dictionary.
class StringColumn {
public:
    StringColumn(const ArrowSchema& schema, const ArrowArray& array) : array_(&array) {
        const std::string_view format = schema.format;
        if (schema.dictionary) {
            read_ = find_index(format);
            check_array(array, 2, 0);
            if (!array.dictionary) refuse_array("no dictionary");
            dictionary_ = std::make_unique<StringColumn>(*schema.dictionary, *array.dictionary);
        } else if (format == "u" || format == "z") {
            read_ = &StringColumn::plain<std::int32_t>;
            find_end<std::int32_t>();
        } else if (format == "U" || format == "Z") {
            read_ = &StringColumn::plain<std::int64_t>;
            find_end<std::int64_t>();
        } else if (format == "vu" || format == "vz") {
            read_ = &StringColumn::view;
            check_array(array, 3, 0);
        } else if (format == "n") {
            read_ = &StringColumn::nothing;
            check_array(array, 0, 0);
        } else {
            throw std::invalid_argument("a column of Arrow's type '" + std::string(format) + "' in place of strings");
        }
    }

    std::int64_t size() const { return array_->length; }

    /// The text of a row, which lives as long as the array; nothing where it is null.
    std::optional<std::string_view> operator[](std::int64_t row) const {
        const std::int64_t place = array_->offset + row;
        if (!is_present(*array_, place)) return std::nullopt;
        return (this->*read_)(place);
    }

private:
    using Read = std::optional<std::string_view> (StringColumn::*)(std::int64_t) const;

    /// The last offset says where the texts end.
    template <class Offset>
    void find_end() {
        check_array(*array_, 3, 0);
        if (array_->length) end_ = number_at<Offset>(*array_, 1, array_->offset + array_->length);
    }

    template <class Offset>
    std::optional<std::string_view> plain(std::int64_t place) const {
        const std::int64_t from = number_at<Offset>(*array_, 1, place), to = number_at<Offset>(*array_, 1, place + 1);
        if (from < 0 || from > to || to > end_) {
            refuse_array("a text from byte " + std::to_string(from) + " to " + std::to_string(to) + " of " +
                         std::to_string(end_));
        }
        if (from == to) return std::string_view("");
        return std::string_view(static_cast<const char*>(array_->buffers[2]) + from, static_cast<std::size_t>(to - from));
    }

    /// Up to 12 bytes lie in the view itself, longer texts in one of several buffers, whose sizes are in the last buffer.
    std::optional<std::string_view> view(std::int64_t place) const {
        constexpr std::int64_t WIDTH = 16, INLINE = 12;
        const char* const entry = static_cast<const char*>(array_->buffers[1]) + place * WIDTH;
        std::int32_t size, where[2];  // which buffer, and where in it
        std::memcpy(&size, entry, 4);
        std::memcpy(where, entry + 8, 8);
        if (size >= 0 && size <= INLINE) return std::string_view(entry + 4, static_cast<std::size_t>(size));
        const auto last = static_cast<std::size_t>(array_->n_buffers - 1);
        const bool found = size >= 0 && where[0] >= 0 && where[1] >= 0 && where[0] < array_->n_buffers - 3 &&
                           where[1] <= number_at<std::int64_t>(*array_, last, where[0]) - size;
        if (!found) {
            refuse_array("a text of " + std::to_string(size) + " bytes at byte " + std::to_string(where[1]) + " of buffer " +
                         std::to_string(where[0]));
        }
        return std::string_view(static_cast<const char*>(array_->buffers[2 + where[0]]) + where[1],
                                static_cast<std::size_t>(size));
    }

    std::optional<std::string_view> nothing(std::int64_t) const { return std::nullopt; }

    template <class Index>
    std::optional<std::string_view> looked_up(std::int64_t place) const {
        const std::int64_t index = number_at<Index>(*array_, 1, place);
        if (index < 0 || index >= dictionary_->size()) {
            refuse_array("index " + std::to_string(index) + " of a dictionary with " + std::to_string(dictionary_->size()) +
                         " texts");
        }
        return (*dictionary_)[index];
    }

    static Read find_index(std::string_view format) {
        if (format == "c") return &StringColumn::looked_up<std::int8_t>;
        if (format == "C") return &StringColumn::looked_up<std::uint8_t>;
        if (format == "s") return &StringColumn::looked_up<std::int16_t>;
        if (format == "S") return &StringColumn::looked_up<std::uint16_t>;
        if (format == "i") return &StringColumn::looked_up<std::int32_t>;
        if (format == "I") return &StringColumn::looked_up<std::uint32_t>;
        if (format == "l" || format == "L") return &StringColumn::looked_up<std::int64_t>;
        throw std::invalid_argument("a dictionary whose indices are of Arrow's type '" + std::string(format) + "' in place of whole numbers");
    }

    const ArrowArray* array_;
    Read read_;
    std::int64_t end_ = 0;
    std::unique_ptr<StringColumn> dictionary_;
};

/// A column of references: one text per row, or a list of texts.
class ReferenceColumn {
public:
    ReferenceColumn(const ArrowSchema& schema, const ArrowArray& array)
        : array_(&array), is_list_(schema.format[0] == '+'), texts_(text_schema(schema), text_array(schema, array)) {
        const std::string_view format = schema.format;
        if (!is_list_) return;
        if (format == "+l") {
            range_ = &ReferenceColumn::listed<std::int32_t>;
        } else if (format == "+L") {
            range_ = &ReferenceColumn::listed<std::int64_t>;
        } else if (format == "+vl") {
            range_ = &ReferenceColumn::viewed<std::int32_t>;
        } else if (format == "+vL") {
            range_ = &ReferenceColumn::viewed<std::int64_t>;
        } else if (format.starts_with("+w:")) {
            const auto read = std::from_chars(format.data() + 3, format.data() + format.size(), width_);
            if (read.ec != std::errc{} || width_ < 0) refuse_array("lists of the width '" + std::string(format) + "'");
            range_ = &ReferenceColumn::fixed;
        } else {
            throw std::invalid_argument("a column of Arrow's type '" + std::string(format) +
                                        "' in place of strings or lists of strings");
        }
        check_array(array, width_ < 0 ? (format.starts_with("+v") ? 3 : 2) : 1, 1);
    }

    std::int64_t size() const { return array_->length; }

    /// Hand every text of a row to `take`, the missing ones left out.
    template <class Take>
    void read(std::int64_t row, Take&& take) const {
        if (!is_list_) {
            if (const auto text = texts_[row]) take(*text);
            return;
        }
        const std::int64_t place = array_->offset + row;
        if (!is_present(*array_, place)) return;
        const auto [from, to] = (this->*range_)(place);
        if (from < 0 || from > to || to > texts_.size()) {
            refuse_array("a list of the texts " + std::to_string(from) + " to " + std::to_string(to) + " of " +
                         std::to_string(texts_.size()));
        }
        for (std::int64_t entry = from; entry < to; ++entry) {
            if (const auto text = texts_[entry]) take(*text);
        }
    }

private:
    using Range = std::pair<std::int64_t, std::int64_t>;

    static bool has_texts_below(const ArrowSchema& schema) { return schema.format[0] == '+' && schema.n_children == 1; }
    static const ArrowSchema& text_schema(const ArrowSchema& schema) {
        return has_texts_below(schema) ? *schema.children[0] : schema;
    }
    static const ArrowArray& text_array(const ArrowSchema& schema, const ArrowArray& array) {
        if (has_texts_below(schema) && array.n_children != 1) refuse_array("a list without texts");
        return has_texts_below(schema) ? *array.children[0] : array;
    }

    template <class Offset>
    Range listed(std::int64_t place) const {
        return {number_at<Offset>(*array_, 1, place), number_at<Offset>(*array_, 1, place + 1)};
    }
    template <class Offset>
    Range viewed(std::int64_t place) const {
        const std::int64_t from = number_at<Offset>(*array_, 1, place);
        return {from, add(from, number_at<Offset>(*array_, 2, place))};
    }
    Range fixed(std::int64_t place) const {
        if (width_ && place >= texts_.size() / width_) return {0, -1};  // which is refused
        return {place * width_, (place + 1) * width_};
    }

    /// A sum that is too large for 64 bits is as wrong as a negative one.
    static std::int64_t add(std::int64_t from, std::int64_t size) {
        return from < 0 || size > INT64_MAX - from ? -1 : from + size;
    }

    const ArrowArray* array_;
    bool is_list_;
    StringColumn texts_;
    Range (ReferenceColumn::*range_)(std::int64_t) const = nullptr;
    std::int64_t width_ = -1;  // of lists that are all of one length
};

/// What can be wrong with a row, in the order in which it is looked for; `faults.py` has the words for it.
enum class FaultKind { null_candidate, broken_candidate, broken_reference, no_reference };

struct RowFault {
    std::int64_t row;
    FaultKind kind;
};

/// Put the rows into a corpus, those left out that cannot be counted; give these.
inline std::vector<RowFault> read_rows(const StringColumn& candidates, const std::vector<ReferenceColumn>& references,
                                       TextCorpus& corpus) {
    std::vector<RowFault> faults;
    const auto rows = static_cast<std::size_t>(candidates.size());
    corpus.candidates.reserve(rows);
    corpus.references.reserve(rows * references.size());
    corpus.grouping.first.reserve(rows + 1);
    for (std::int64_t row = 0; row < candidates.size(); ++row) {
        if (row % static_cast<std::int64_t>(A_WHILE) == 0) Watch::look();
        const auto candidate = candidates[row];
        const std::size_t before = corpus.references.size();
        std::optional<FaultKind> fault;
        if (!candidate) {
            fault = FaultKind::null_candidate;
        } else if (!is_utf8(*candidate)) {
            fault = FaultKind::broken_candidate;
        } else {
            for (const ReferenceColumn& column : references) {
                column.read(row, [&](std::string_view text) {
                    if (!is_utf8(text)) fault = FaultKind::broken_reference;
                    corpus.references.push_back(text);
                });
            }
            if (corpus.references.size() == before) fault = FaultKind::no_reference;
        }
        if (fault) {
            corpus.references.resize(before);
            faults.push_back({row, *fault});
            continue;
        }
        corpus.candidates.push_back(*candidate);
        corpus.grouping.first.push_back(corpus.references.size());
    }
    return faults;
}

}  // namespace bleuprint

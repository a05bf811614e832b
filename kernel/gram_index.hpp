// Texts whose n-grams are numbered all together, to be held against each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interning.hpp"
#include "interrupts.hpp"
#include "numbered_texts.hpp"

namespace bleuprint {

/// Texts as numbered tokens and n-grams. Numbers of n-grams of all orders are distinct.
class GramIndex {
public:
    GramIndex(Tokenizer tokenizer, int order) : texts_(tokenizer), order_(order) {}

    /// Add a text; the text must stay where it is.
    void add_text(std::string_view text) { texts_.add(text); }

    /// Number all n-grams, once every text is there.
    void finish() {
        std::size_t ngrams = 0;
        for (std::size_t text = 0; text < texts(); ++text) ngrams += ngrams_of(static_cast<std::size_t>(length(text)));
        grams_.tokens.resize(ngrams);
        grams_.starts.reserve(texts() + 1);
        pairs_.clear(ngrams);  // many are the same
        std::uint32_t* room = grams_.tokens.data();
        for (std::size_t text = 0; text < texts(); ++text) {
            Watch::look();
            room = number_ngrams(text, room);
            grams_.starts.push_back(static_cast<std::size_t>(room - grams_.tokens.data()));
        }
    }

    std::size_t texts() const { return texts_.size(); }
    std::int64_t length(std::size_t text) const {
        return static_cast<std::int64_t>(texts_.numbers().starts[text + 1] - texts_.numbers().starts[text]);
    }
    /// Numbers of n-grams are below this.
    std::uint32_t grams() const { return texts_.distinct() + pairs_.size() + 1; }
    int order() const { return order_; }

    /// Hand every n-gram of an indexed text to `sink(order, number)`.
    template <class Sink>
    void each_gram(std::size_t text, Sink&& sink) const {
        const std::uint32_t* gram = grams_.tokens.data() + grams_.starts[text];
        const auto size = static_cast<std::size_t>(length(text));
        for (std::size_t n = 1; n <= orders_of(size); ++n) {
            for (std::size_t place = 0; place + n <= size; ++place) sink(static_cast<int>(n), *gram++);
        }
    }

    /// Hand every n-gram of another text that is known to `sink(order, number)`; give its length.
    template <class Sink>
    std::int64_t each_known_gram(std::string_view text, std::string& buffer, std::vector<std::uint32_t>& tokens,
                                 std::vector<std::uint32_t>& run, Sink&& sink) const {
        tokens.clear();
        texts_.each_number(text, buffer, [&](std::uint32_t number) { tokens.push_back(number); });
        run = tokens;
        for (int n = 1; n <= order_; ++n) {
            bool any = false;
            for (std::size_t place = 0; place + static_cast<std::size_t>(n) <= tokens.size(); ++place) {
                std::uint32_t gram = run[place];
                if (n > 1 && gram) {
                    const std::uint32_t last = tokens[place + static_cast<std::size_t>(n) - 1];
                    gram = last ? pairs_.find(pair(gram, last)) : 0;
                    if (gram) gram += texts_.distinct();
                    run[place] = gram;
                }
                if (!gram) continue;
                any = true;
                sink(n, gram);
            }
            if (!any) break;
        }
        return static_cast<std::int64_t>(tokens.size());
    }

private:
    static std::uint64_t pair(std::uint32_t prefix, std::uint32_t token) { return std::uint64_t{prefix} << 32 | token; }

    /// The orders of which a text of so many tokens has n-grams.
    std::size_t orders_of(std::size_t size) const { return std::min(static_cast<std::size_t>(order_), size); }

    std::size_t ngrams_of(std::size_t size) const {
        const std::size_t orders = orders_of(size);
        return orders * size - orders * (orders - 1) / 2;  // 0 where both are
    }

    /// Number the n-grams of a text; give the end of what is written.
    std::uint32_t* number_ngrams(std::size_t text, std::uint32_t* to) {
        const std::uint32_t* const tokens = texts_.numbers().tokens.data() + texts_.numbers().starts[text];
        const auto size = static_cast<std::size_t>(length(text));
        const std::uint32_t* shorter = to;
        to = std::copy_n(tokens, size, to);
        for (std::size_t n = 2; n <= orders_of(size); ++n) {
            std::uint32_t* const first = to;
            const auto key = [&](std::size_t place) { return pair(shorter[place], tokens[place + n - 1]); };
            for (std::size_t place = 0; place + n <= size; ++place) pairs_.fetch(key(place));
            for (std::size_t place = 0; place + n <= size; ++place) *to++ = texts_.distinct() + pairs_.add(key(place));
            shorter = first;
        }
        return to;
    }

    NumberedTexts texts_;
    int order_;
    Interner<std::uint64_t> pairs_;
    Sequences<std::uint32_t> grams_;  // of each text, order after order
};

/// How often each n-gram of one text occurs, in the order in which they are met.
class GramCounts {
public:
    struct Counted {
        std::uint32_t gram;
        std::uint32_t count;
        int order;
    };

    void begin(std::uint32_t grams) {
        if (place_.size() < grams) place_.resize(grams);
        for (const Counted& entry : counted) place_[entry.gram] = 0;
        counted.clear();
    }

    void add(int order, std::uint32_t gram) { ++entry(order, gram).count; }

    /// Keep the higher of two counts.
    void raise(int order, std::uint32_t gram, std::uint32_t count) {
        Counted& known = entry(order, gram);
        known.count = std::max(known.count, count);
    }

    std::vector<Counted> counted;

private:
    Counted& entry(int order, std::uint32_t gram) {
        if (!place_[gram]) {
            counted.push_back({gram, 0, order});
            place_[gram] = static_cast<std::uint32_t>(counted.size());
        }
        return counted[place_[gram] - 1];
    }

    std::vector<std::uint32_t> place_;  // of each n-gram in `counted`, from 1 on
};

}  // namespace bleuprint

// N-grams of the tokens of a candidate against its references. Short candidates are counted in one way, longer ones in
// another.
#pragma once

#include <cstdint>

#include "ngrams.hpp"
#include "short_ngrams.hpp"

namespace bleuprint {

/// Counts n-grams of keys, which `Table` numbers. Texts are handed over by functions: `read(sink)` calls `sink(key)` for every
/// token.
template <class Key, class Table = Interner<Key>>
class TokenCounter {
public:
    static constexpr std::size_t LONGEST_SHORT = ShortMatchCounter<Key>::LONGEST;

    /// Begin a candidate. `room` is what the table is cleared for. `surely_long` says that there is no need to split a
    /// candidate to see that it is not short; `plain`, that matches without clipping will be asked for.
    template <class Read>
    void begin(int order, bool plain, bool surely_long, std::size_t room, Read&& read) {
        order_ = order;
        bool is_short = !surely_long;  // here, so that it stays in a register
        const auto add = [&](const Key& token) { matches_.add_token(table_.add(token)); };
        const auto begin_long = [&] {
            table_.clear(room);
            matches_.begin();
        };
        is_short ? shorts_.begin(order, plain) : begin_long();
        read([&](const Key& token) {
            if (is_short) {
                if (shorts_.add_token(token)) return;
                is_short = false;
                begin_long();
                shorts_.each_token(add);
            }
            add(token);
        });
        short_ = is_short;
    }

    std::int64_t candidate_length() const { return short_ ? shorts_.candidate_length() : matches_.candidate_length(); }

    /// Begin with the references again, for the same candidate.
    void forget_references() { short_ ? shorts_.forget_references() : matches_.forget_references(); }

    /// Add a reference; give its length.
    template <class Read>
    std::int64_t add_reference(Read&& read) {
        if (short_) {
            read([&](const Key& token) { shorts_.add_reference_token(token); });
            return shorts_.end_reference();
        }
        read([&](const Key& token) { matches_.add_reference_token(table_.find(token)); });
        return matches_.end_reference();
    }

    /// Write the clipped matches of each order and, if there is room for them, those without clipping.
    void count(std::int64_t* matches, std::int64_t* plain = nullptr) {
        short_ ? shorts_.count(matches, plain) : matches_.count(matches, order_, plain);
    }

    std::uint64_t steps() const { return table_.steps() + matches_.steps(); }
    std::size_t bytes() const { return shorts_.bytes() + table_.bytes() + matches_.bytes(); }

private:
    ShortMatchCounter<Key> shorts_;
    Table table_;
    MatchCounter matches_;
    int order_ = 0;
    bool short_ = true;
};

}  // namespace bleuprint

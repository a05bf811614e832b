// N-grams of candidates of up to 16,384 tokens: the same counts as ngrams.hpp, with tokens and places of 16 bits.
//
// Where few tokens differ, the n-grams of the first orders are so few that each has a slot of its own: they are counted
// there, and nothing else is asked of them.
//
// From the order on at which slots run short, an n-gram that the candidate has once is known by its place there. Where a
// reference has it, too, longer n-grams from there on need no table: the two texts are compared token by token, several
// in one machine word, and the longest match of each place of the candidate is kept. Other n-grams lie in a table, order
// after order, and are known by their slots; the key of one is the slot of its first n-1 tokens and the number of its last
// token. Keys are compared, or few enough for a slot of their own each. Neither whether an n-gram is new nor whether it
// matches decides a branch: a processor could not guess it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "interning.hpp"

namespace bleuprint {

class CompactMatches {
public:
    static constexpr std::size_t LONGEST = std::size_t{1} << 14;
    static constexpr int HIGHEST = 0xFFFF;

    static bool can_count(std::size_t length, int order) { return length <= LONGEST && order <= HIGHEST; }

    CompactMatches() : CompactMatches(process_secret()) {}
    explicit CompactMatches(Secret secret) : secret_(secret) {}

    /// Write the clipped matches of orders 1 to `order`. The candidate's tokens are numbers below `distinct`. References
    /// lie one after the other; `ends` says where each ends. NONE stands there, and for what the candidate does not have.
    void count(std::span<const std::uint32_t> candidate, std::uint32_t distinct,
               std::span<const std::uint32_t> references, std::span<const std::size_t> ends, std::int64_t* matches,
               int order) {
        order_ = static_cast<std::size_t>(order);
        length_ = candidate.size();
        nowhere_ = static_cast<Token>(distinct);
        width_ = std::size_t{distinct} + 1;
        std::fill(matches, matches + order_, 0);
        if (ends.empty()) return;
        narrow(candidate, PAST_CANDIDATE, candidate_);
        narrow(references, nowhere_, references_);
        make_room(own_, length_);
        make_room(keys_, length_);
        make_room(alive_, references.size());
        ends_.assign(ends.begin(), ends.end());
        if (ends.size() > 1) {
            count_orders<true>(matches);
        } else {
            count_orders<false>(matches);
        }
    }

    std::uint64_t steps() const { return steps_; }
    std::size_t bytes() const {
        return bytes_of(candidate_) + bytes_of(references_) + bytes_of(own_keys_memory_) +
               bytes_of(their_keys_memory_) + bytes_of(slots_) + bytes_of(own_) + bytes_of(keys_) +
               bytes_of(alive_) + bytes_of(ends_) + bytes_of(longest_);
    }

private:
    using Token = std::uint16_t;
    static constexpr Token PAST_CANDIDATE = 0xFFFF;  // which no reference has
    static constexpr std::size_t WORD = sizeof(std::uint64_t) / sizeof(Token), COMPARED = WORD - 1;
    static constexpr std::uint64_t HIGHEST_BIT = std::uint64_t{1} << 63;
    static constexpr std::size_t FEWEST_SLOTS = 64;
    static constexpr std::size_t SPARE = 8;  // places behind the candidate, where nothing is equal; one would be waited for

    struct Slot {
        std::uint32_t key;
        std::uint16_t count;   // in the candidate; 0: nothing lies here
        std::uint16_t limit;   // in the best reference, at most `count`
        std::uint16_t ticket;  // in this reference, at most `count`
        std::uint16_t place;   // one where the candidate has it
    };
    /// An n-gram by its slot, and where it begins.
    struct Occurrence {
        std::uint32_t place;
        std::uint32_t slot;
    };

    /// Give tokens 16 bits, NONE the number after the last; and add as many to the end as are looked at there.
    void narrow(std::span<const std::uint32_t> from, Token past, std::vector<Token>& to) const {
        to.resize(from.size() + order_ + WORD + SPARE);
        const std::uint32_t most = nowhere_;
        std::transform(from.begin(), from.end(), to.begin(),
                       [most](std::uint32_t token) { return static_cast<Token>(std::min(token, most)); });
        std::fill(to.begin() + static_cast<std::ptrdiff_t>(from.size()), to.end(), past);
    }

    template <class Value>
    static void make_room(std::vector<Value>& values, std::size_t size) {
        if (values.size() < size) values.resize(size);
    }

    template <bool several>
    void count_orders(std::int64_t* matches) {
        std::size_t n = 1, slots = width_;  // tokens lie in the slots of their numbers, and nothing in the last
        own_keys_ = candidate_.data();
        their_keys_ = references_.data();
        for (; n < std::min(order_, length_) && slots * width_ <= room_for(length_); ++n, slots *= width_) {
            matches[n - 1] = tally<several>(slots, n);
            lengthen_keys(n);
        }
        clear_slots(slots);
        own_size_ = length_ - std::min(length_, n - 1);
        for (std::size_t place = 0; place < own_size_; ++place) {
            add_to(slots_[own_keys_[place]], place);
            own_[place] = {static_cast<std::uint32_t>(place), own_keys_[place]};
        }
        longest_.assign(length_ + SPARE, 0);
        matches[n - 1] = match_keys<several>(n);
        add_longest(n, matches);
        for (++n; n <= order_ && ends_.back(); ++n) {
            extend_candidate(n);
            longest_.assign(length_ + SPARE, 0);
            matches[n - 1] += match_ngrams<several>(n);
            add_longest(n, matches);
        }
    }

    /// So many slots cost little beside so many n-grams.
    static std::size_t room_for(std::size_t ngrams) { return std::max(FEWEST_SLOTS, 4 * ngrams); }

    /// Make keys of n-grams those of longer ones. They stay below the number of slots, at most 65,536.
    void lengthen_keys(std::size_t n) {
        own_keys_ = lengthen(own_keys_, candidate_, n, own_keys_memory_);
        their_keys_ = lengthen(their_keys_, references_, n, their_keys_memory_);
    }

    const Token* lengthen(const Token* keys, const std::vector<Token>& tokens, std::size_t n,
                          std::vector<Token>& into) const {
        make_room(into, tokens.size());
        const Token* const next = tokens.data() + n;
        Token* const to = into.data();
        const auto width = static_cast<Token>(width_);
        for (std::size_t place = 0; place < tokens.size() - n; ++place) {
            to[place] = static_cast<Token>(keys[place] * width + next[place]);
        }
        return to;
    }

    /// Count the matches of n-grams with a slot of their own each, and nothing else.
    template <bool several>
    std::int64_t tally(std::size_t slots, std::size_t n) {
        clear_slots(slots);
        for (std::size_t place = 0; place + n <= length_; ++place) ++slots_[own_keys_[place]].count;
        std::int64_t matches = 0;
        std::size_t first = 0;
        for (const std::size_t end : ends_) {
            for (std::size_t place = first; place < end; ++place) matches += take_one<several>(slots_[their_keys_[place]]);
            for (std::size_t place = first; several && place < end; ++place) slots_[their_keys_[place]].ticket = 0;
            first = end + 1;
        }
        return matches;
    }

    void clear_slots(std::size_t slots) {
        used_ = slots;
        make_room(slots_, slots);
        std::memset(slots_.data(), 0, slots * sizeof(Slot));
    }

    static void add_to(Slot& slot, std::size_t place) {
        ++slot.count;
        slot.place = static_cast<std::uint16_t>(place);
    }

    /// Count an occurrence in a reference; 1 if it is a match that no reference before had.
    template <bool several>
    static bool take_one(Slot& slot) {
        const bool counts = (slot.limit < slot.count) & (!several | (slot.ticket == slot.limit));
        if (several) slot.ticket = static_cast<std::uint16_t>(slot.ticket + (slot.ticket < slot.count));
        slot.limit = static_cast<std::uint16_t>(slot.limit + counts);
        return counts;
    }

    template <bool several>
    std::int64_t match_keys(std::size_t n) {
        std::int64_t matches = 0;
        std::size_t kept = 0, place = 0;
        for (std::size_t& end : ends_) {
            const std::size_t first = kept;
            for (; place < end; ++place) matches += take<several>(their_keys_[place], place, n, kept);
            ++place;  // behind the end
            end = kept;
            if (several) forget_tickets(first, kept);
        }
        return matches;
    }

    /// Count an occurrence in a reference, and keep it if the candidate has it several times.
    template <bool several>
    bool take(std::size_t where, std::size_t place, std::size_t n, std::size_t& kept) {
        Slot& slot = slots_[where];
        const bool counts = take_one<several>(slot);
        const std::size_t own = choose(slot.count == 1, slot.place, length_ + place % SPARE);
        longest_[own] = std::max(longest_[own], common_length(own, place, n));
        alive_[kept] = {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(where)};
        kept += slot.count > 1;
        return counts;
    }

    /// One of two numbers, without a branch.
    static std::size_t choose(bool first, std::size_t one, std::size_t other) {
        return other ^ ((one ^ other) & (std::size_t{0} - first));
    }

    /// The longest n-gram, up to the order, that two places have in common, if they have one of `n` tokens.
    std::uint16_t common_length(std::size_t own, std::size_t place, std::size_t n) const {
        if (order_ - n <= COMPARED) [[likely]] {
            return static_cast<std::uint16_t>(n + equal_tokens(own + n, place + n, order_ - n));
        }
        std::size_t length = n, more;
        do {
            more = equal_tokens(own + length, place + length, std::min(COMPARED, order_ - length));
            length += more;
        } while (more == COMPARED && length < order_);
        return static_cast<std::uint16_t>(length);
    }

    /// How many of the next tokens are equal, before the first that is not; at most so many, up to three.
    std::size_t equal_tokens(std::size_t own, std::size_t place, std::size_t most) const {
        constexpr bool LITTLE = std::endian::native == std::endian::little;
        std::uint64_t mine, theirs;
        std::memcpy(&mine, candidate_.data() + own, sizeof mine);
        std::memcpy(&theirs, references_.data() + place, sizeof theirs);
        // The token behind is said to differ: otherwise a branch would ask whether any does.
        const std::uint64_t differing = (mine ^ theirs) | (LITTLE ? std::uint64_t{1} << 16 * most : HIGHEST_BIT >> 16 * most);
        return static_cast<std::size_t>(LITTLE ? std::countr_zero(differing) : std::countl_zero(differing)) / 16;
    }

    /// Add the n-grams, longer than `n`, that go on where one of `n` tokens is that the candidate has once.
    void add_longest(std::size_t n, std::int64_t* matches) const {
        for (std::size_t longer = n + 1; longer <= order_; ++longer) {
            const auto wanted = static_cast<std::uint16_t>(longer);
            std::uint16_t reached = 0;
            for (const std::uint16_t length : longest_) reached = static_cast<std::uint16_t>(reached + (length >= wanted));
            if (!reached) return;
            matches[longer - 1] += reached;
        }
    }

    void forget_tickets(std::size_t first, std::size_t end) {
        for (std::size_t which = first; which < end; ++which) slots_[alive_[which].slot].ticket = 0;
    }

    /// Find slots for the n-grams of the candidate that begin with one which it has several times, and a reference, too.
    void extend_candidate(std::size_t n) {
        std::size_t made = 0;
        for (std::size_t which = 0; which < own_size_; ++which) {
            const Occurrence one = own_[which];
            const Slot& slot = slots_[one.slot];
            own_[made] = one;
            keys_[made] = {one.slot, candidate_[one.place + n - 1]};
            made += static_cast<std::size_t>((slot.count > 1) & (slot.limit != 0) & (one.place + n <= length_));
        }
        own_size_ = made;
        const std::size_t room = room_for(made), pairs = used_ * width_;
        is_direct_ = pairs <= room;
        mask_ = std::bit_ceil(room) - 1;
        do {
            clear_slots(is_direct_ ? pairs : mask_ + 1);
        } while (!add_all());
    }

    /// An n-gram by the slot of its beginning and its last token.
    struct Key {
        std::uint32_t slot;
        std::uint32_t token;

        std::uint32_t packed() const { return slot << 16 | token; }
    };

    /// Where an n-gram lies, or where the search for it begins.
    std::size_t start(Key key) const {
        if (is_direct_) return key.slot * width_ + key.token;
        return hash_key(key.packed(), secret_) & mask_;
    }

    bool is_of_another(std::size_t where, Key key) const {
        const Slot& slot = slots_[where];
        return ((slot.key ^ key.packed()) & (std::uint32_t{0} - (slot.count != 0))) != 0;
    }

    /// Add all keys; where searches grow so long that it is no accident, give up with another secret.
    bool add_all() {
        for (std::size_t which = 0; which < own_size_; ++which) {
            const Key key = keys_[which];
            std::size_t where = start(key);
            for (std::uint32_t searched = 0; is_of_another(where, key);) {
                where = (where + 1) & mask_;
                ++steps_;
                if (is_no_accident(++searched, mask_)) {
                    secret_ = Secret::random();
                    return false;
                }
            }
            slots_[where].key = key.packed();
            add_to(slots_[where], own_[which].place);
            own_[which].slot = static_cast<std::uint32_t>(where);
        }
        return true;
    }

    template <bool several>
    std::int64_t match_ngrams(std::size_t n) {
        std::int64_t matches = 0;
        std::size_t kept = 0, which = 0;
        for (std::size_t& end : ends_) {
            const std::size_t first = kept;
            for (; which < end; ++which) {
                const auto [place, slot] = alive_[which];
                matches += take<several>(find({slot, references_[place + n - 1]}), place, n, kept);
            }
            end = kept;
            if (several) forget_tickets(first, kept);
        }
        return matches;
    }

    /// The slot of an n-gram, or an empty one.
    std::size_t find(Key key) {
        std::size_t where = start(key);
        while (is_of_another(where, key)) {
            where = (where + 1) & mask_;
            ++steps_;
        }
        return where;
    }

    Secret secret_;
    std::size_t order_ = 1, length_ = 0;
    Token nowhere_ = 0;      // the number of a token that the candidate does not have
    std::size_t width_ = 1;  // how many numbers tokens have
    std::vector<Token> candidate_, references_;
    std::vector<Token> own_keys_memory_, their_keys_memory_;
    const Token *own_keys_ = nullptr, *their_keys_ = nullptr;  // of n-grams that have a slot of their own each
    std::vector<Slot> slots_;
    std::size_t used_ = 0;                // of the slots
    std::vector<Occurrence> own_;         // n-grams of the candidate that lie in the table
    std::vector<Key> keys_;               // of these
    std::size_t own_size_ = 0;
    std::vector<Occurrence> alive_;       // n-grams of the references that the candidate has several times
    std::vector<std::size_t> ends_;       // where those of each reference end
    std::vector<std::uint16_t> longest_;  // by places of the candidate: the longest n-gram from there on that matches
    bool is_direct_ = false;
    std::size_t mask_ = 0;
    std::uint64_t steps_ = 0;
};

}  // namespace bleuprint

// N-grams: clipped matches of a candidate against its references, for all orders.
//
// An n-gram is the pair (number of its first n-1 tokens, number of its last token), interned by comparison. An n-gram
// can match only if the two shorter ones inside it did, so each order looks only at what the order before left alive:
// lists of places that grow shorter, and which are made without branches that a processor could guess wrong.
//
// Most n-grams go on in one way alone. So how an n-gram goes on is compared with how it went on where the candidate had
// it first; only where that differs is a table asked, and only about n-grams that go on in several ways.
//
// Candidates that are not very long are left to listed_ngrams.hpp, unless tokens come so often that their lists would be too
// long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "interning.hpp"
#include "listed_ngrams.hpp"

namespace bleuprint {

/// Numbers one after the other: a vector to whose end a loop may add at little cost.
class NumberList {
public:
    void clear() { size_ = 0; }
    void pop_back() { --size_; }
    void push_back(std::uint32_t number) {
        if (size_ == numbers_.size()) [[unlikely]] grow();
        numbers_[size_++] = number;
    }
    std::size_t size() const { return size_; }
    std::uint32_t operator[](std::size_t place) const { return numbers_[place]; }
    operator std::span<const std::uint32_t>() const { return {numbers_.data(), size_}; }
    std::size_t bytes() const { return bytes_of(numbers_); }

private:
    void grow() { numbers_.resize(std::max<std::size_t>(64, 2 * numbers_.size())); }

    std::vector<std::uint32_t> numbers_;
    std::size_t size_ = 0;
};

class MatchCounter {
public:
    /// Begin a segment: its candidate comes first, token by token, then its references.
    void begin() {
        candidate_.clear();
        highest_ = 0;
        forget_references();
    }

    /// Begin with the references again, for the same candidate.
    void forget_references() {
        tokens_.clear();
        ends_.clear();
    }

    /// Add a token of the candidate; equal tokens have equal numbers, from 1 on and with few gaps.
    void add_token(std::uint32_t token) {
        candidate_.push_back(token);
        highest_ = std::max<std::uint64_t>(highest_, token);
    }

    /// Add a token of the current reference by the candidate's number, or 0 if the candidate does not have it.
    void add_reference_token(std::uint32_t token) { tokens_.push_back(token); }

    /// End the current reference; give its length.
    std::int64_t end_reference() {
        const std::size_t start = ends_.empty() ? 0 : ends_.back() + 1;
        ends_.push_back(tokens_.size());
        tokens_.push_back(0);  // so that the last token of a reference and the first of the next are no neighbours
        return static_cast<std::int64_t>(ends_.back() - start);
    }

    std::int64_t candidate_length() const { return static_cast<std::int64_t>(candidate_.size()); }

    /// Write the clipped matches of orders 1 to `order` and, if there is room for them, those without clipping: every
    /// n-gram of the candidate that a reference has at all.
    void count(std::int64_t* matches, int order, std::int64_t* plain = nullptr) {
        if (!plain && listed_.count(candidate_, highest_, tokens_, ends_, matches, order)) return;
        candidate_.push_back(0);  // which no reference has
        count_in_tables(matches, order, plain);
        candidate_.pop_back();
    }

    std::uint64_t steps() const { return pairs_.steps(); }
    std::size_t bytes() const {
        return candidate_.bytes() + tokens_.bytes() + bytes_of(ends_) + bytes_of(own_) + bytes_of(alive_) +
               bytes_of(alive_starts_) + bytes_of(possible_) + bytes_of(grams_) + bytes_of(gram_at_) +
               bytes_of(pair_grams_) + pairs_.bytes() + listed_.bytes();
    }

private:
    struct Gram {
        std::uint32_t count = 0;      // in the candidate
        std::uint32_t limit = 0;      // in the best reference, at most `count`
        std::uint32_t seen = 0;       // in the reference that is being read
        std::uint32_t reference = 0;  // which one that is
        std::uint32_t place = 0;      // where the candidate has it first
        bool branches = false;        // whether it goes on there otherwise than elsewhere
    };
    /// An n-gram by its number, and where it begins.
    struct Occurrence {
        std::uint32_t place;
        std::uint32_t gram;
    };
    /// An n-gram of which only the two parts are known.
    struct Possible {
        std::uint64_t pair;
        std::uint32_t place;
    };

    void count_in_tables(std::int64_t* matches, int order, std::int64_t* plain) {
        std::fill_n(matches, order, 0);
        if (plain) std::fill_n(plain, order, 0);
        list_tokens();
        for (int n = 1; n <= order; ++n) {
            if (n > 1) {
                extend_candidate(static_cast<std::size_t>(n));
                extend_references(static_cast<std::size_t>(n));
            }
            matches[n - 1] = clip();
            if (matches[n - 1] == 0) return;  // nor can anything longer match
            if (n < order || plain) keep_matched();
            if (plain) plain[n - 1] = static_cast<std::int64_t>(own_.size());
        }
    }

    /// List the tokens of the candidate, and those of the references that it has.
    void list_tokens() {
        const std::size_t length = candidate_.size() - 1;
        pairs_.clear(4 * length);
        pair_grams_.assign(1, 0);
        grams_.assign(highest_ + 1, Gram{});
        own_.resize(length);
        gram_at_.resize(length);
        for (std::size_t place = 0; place < length; ++place) {
            const std::uint32_t token = candidate_[place];
            if (!grams_[token].count++) grams_[token].place = static_cast<std::uint32_t>(place);
            own_[place] = {static_cast<std::uint32_t>(place), token};
        }
        alive_.resize(tokens_.size());
        alive_starts_.assign(1, 0);
        std::size_t kept = 0, place = 0;
        for (const std::size_t end : ends_) {
            for (; place < end; ++place) {
                alive_[kept] = {static_cast<std::uint32_t>(place), tokens_[place]};
                kept += tokens_[place] != 0;
            }
            alive_starts_.push_back(kept);
            ++place;
        }
    }

    /// Put together the n-grams whose two (n-1)-grams are neighbours in a list; give how many there are.
    std::size_t join_neighbours(const Occurrence* from, std::size_t size, const NumberList& tokens,
                                std::size_t n) {
        if (possible_.size() < size) possible_.resize(size);
        std::size_t made = 0;
        for (std::size_t which = 0; which + 1 < size; ++which) {
            const std::uint32_t place = from[which].place;
            possible_[made] = {std::uint64_t{from[which].gram} << 32 | tokens[place + n - 1], place};
            made += from[which + 1].place == place + 1;
        }
        return made;
    }

    /// Number a new n-gram of the candidate, which begins here.
    std::uint32_t add_gram(std::size_t place) {
        grams_.emplace_back().place = static_cast<std::uint32_t>(place);
        return static_cast<std::uint32_t>(grams_.size() - 1);
    }

    void extend_candidate(std::size_t n) {
        const std::size_t made = join_neighbours(own_.data(), own_.size(), candidate_, n);
        own_.resize(made);
        for (std::size_t which = 0; which < made; ++which) {
            const auto [pair, place] = possible_[which];
            Gram& origin = grams_[pair >> 32];
            std::uint32_t gram;
            if (origin.place == place) {
                gram = add_gram(place);
            } else if (candidate_[origin.place + n - 1] == static_cast<std::uint32_t>(pair)) {
                gram = gram_at_[origin.place];
            } else {
                origin.branches = true;
                const std::uint32_t entry = pairs_.add(pair);
                if (entry == pair_grams_.size()) pair_grams_.push_back(add_gram(place));
                gram = pair_grams_[entry];
            }
            ++grams_[gram].count;
            gram_at_[place] = gram;
            own_[which] = {place, gram};
        }
    }

    /// The number that the candidate gave to an n-gram of a reference, or 0.
    std::uint32_t find_gram(std::uint64_t pair, std::size_t n) {
        const Gram& origin = grams_[pair >> 32];
        if (candidate_[origin.place + n - 1] == static_cast<std::uint32_t>(pair)) return gram_at_[origin.place];
        return origin.branches ? pair_grams_[pairs_.find(pair)] : 0;
    }

    void extend_references(std::size_t n) {
        std::size_t kept = 0, start = 0;
        for (std::size_t which = 1; which < alive_starts_.size(); ++which) {
            const std::size_t end = alive_starts_[which];
            const std::size_t made = join_neighbours(alive_.data() + start, end - start, tokens_, n);
            for (std::size_t one = 0; one < made; ++one) {
                const std::uint32_t gram = find_gram(possible_[one].pair, n);
                alive_[kept] = {possible_[one].place, gram};
                kept += gram != 0;
            }
            start = end;
            alive_starts_[which] = kept;
        }
    }

    /// Count each n-gram as often as the candidate and its best reference both have it.
    std::int64_t clip() {
        std::int64_t matches = 0;
        for (std::size_t which = 1; which < alive_starts_.size(); ++which) {
            const auto stamp = static_cast<std::uint32_t>(which);
            for (std::size_t place = alive_starts_[which - 1]; place < alive_starts_[which]; ++place) {
                Gram& gram = grams_[alive_[place].gram];
                const std::uint32_t seen = gram.reference == stamp ? gram.seen + 1 : 1;
                const bool counts = seen > gram.limit && seen <= gram.count;
                gram.reference = stamp;
                gram.seen = seen;
                gram.limit += counts;
                matches += counts;
            }
        }
        return matches;
    }

    /// Drop what no reference has.
    void keep_matched() {
        std::size_t kept = 0;
        for (std::size_t which = 0; which < own_.size(); ++which) {
            const Occurrence one = own_[which];
            own_[kept] = one;
            kept += grams_[one.gram].limit != 0;
        }
        own_.resize(kept);
    }

    NumberList candidate_;                    // its tokens
    NumberList tokens_;                       // those of all references, one after the other
    std::vector<std::size_t> ends_;           // where each of them ends
    std::vector<Occurrence> own_;             // n-grams of the candidate that may still match
    std::vector<Occurrence> alive_;           // n-grams of the references that the candidate has
    std::vector<std::size_t> alive_starts_;   // where those of each reference begin, and the end
    std::vector<Possible> possible_;
    std::vector<Gram> grams_;
    std::vector<std::uint32_t> gram_at_;      // which n-gram of the current order begins at a place of the candidate
    Interner<std::uint64_t> pairs_;           // n-grams that do not go on as where they were first
    std::vector<std::uint32_t> pair_grams_;   // their numbers
    ListedMatches listed_;
    std::uint64_t highest_ = 0;               // number of a token; of another type than they, so that it stays in a register
};

}  // namespace bleuprint

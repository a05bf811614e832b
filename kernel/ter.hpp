// TER: the fewest edits that make a candidate a reference, where moving a block of words counts as one edit.
//
// The search is tercom's as sacreBLEU has it: of all blocks that could move, the move that saves most is made, until none
// saves anything or 1,000 moves were tried. A round that reaches the limit makes no move, so its moves are counted before
// any of them is measured. A round's moves are measured in the order in which ties are decided; the first with the
// shortest distance is made, and nothing is measured that cannot be shorter.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "edit_distance.hpp"
#include "interning.hpp"
#include "segments.hpp"
#include "ter_formula.hpp"

namespace bleuprint {

/// What decides the rows, beside how texts are split.
struct TerCounting {
    bool shift_references = false;  // else the candidate's words move
    std::size_t longest_shift = 10;
    bool free_empty_candidate = false;
};

struct Edits {
    std::int64_t insertions = 0, deletions = 0, substitutions = 0, shifts = 0;

    std::int64_t total() const { return insertions + deletions + substitutions + shifts; }
};

/// A move that was made: so many words from a place on, to stand before the word at another; and the edits left after it.
struct MadeShift {
    std::uint32_t start, length, to;
    std::int64_t left;
};

/// What a search did, step by step.
struct SearchTrace {
    std::int64_t left = 0;         // edits before any shift
    std::vector<MadeShift> shifts;
    std::vector<EditStep> steps;   // what is done after the shifts, from the first words to the last
    std::size_t tried = 0;
};

inline constexpr std::uint32_t NOWHERE = 0xFFFFFFFF;

/// So many words a shift may move at once.
inline constexpr std::size_t MOST_MOVED = 1000;

/// Finds the shifts between words that move and words that stay.
class ShiftSearch {
public:
    static constexpr std::size_t FARTHEST = 50;
    static constexpr std::size_t MOST_TRIED = 1000;

    /// Count the edits; words are numbered below `distinct`.
    Edits count(Words moved, Words staying, std::uint32_t distinct, std::size_t longest_shift) {
        Edits edits;
        run(moved, staying, distinct, longest_shift, [&](EditStep step) {
            edits.insertions += step == EditStep::insertion;
            edits.deletions += step == EditStep::deletion;
            edits.substitutions += step == EditStep::substitution;
        });
        edits.shifts = std::ssize(made_);
        return edits;
    }

    /// Tell the edits, one by one.
    SearchTrace trace(Words moved, Words staying, std::uint32_t distinct, std::size_t longest_shift) {
        SearchTrace found;
        run(moved, staying, distinct, longest_shift, [&](EditStep step) { found.steps.push_back(step); });
        std::reverse(found.steps.begin(), found.steps.end());
        found.left = unshifted_;
        found.shifts = made_;
        found.tried = tried_;
        return found;
    }

    /// No order of the words comes nearer than this.
    std::int64_t least_distance(Words moved, Words staying, std::uint32_t distinct) {
        left_.assign(distinct, 0);
        for (const std::uint32_t word : staying) ++left_[word];
        std::size_t common = 0;
        for (const std::uint32_t word : moved) {
            if (left_[word]) {
                --left_[word];
                ++common;
            }
        }
        return static_cast<std::int64_t>(std::max(moved.size(), staying.size()) - common);
    }

    std::size_t bytes() const {
        std::size_t sum = bits_.bytes() + beam_.bytes() + bytes_of(moved_) + bytes_of(left_) + bytes_of(first_place_) +
                          bytes_of(next_place_) + bytes_of(cursors_) + bytes_of(aligned_) + bytes_of(next_wrong_) +
                          bytes_of(next_wrong_staying_) + bytes_of(moves_) + bytes_of(made_);
        for (const auto& moves : moves_) sum += bytes_of(moves);
        return sum;
    }

private:
    /// A block that starts at a place, to stand before the word at another.
    struct Move {
        std::uint32_t start, to;
    };

    /// Make the shifts, and hand out the steps that are left, the last one first.
    template <class Visit>
    void run(Words moved, Words staying, std::uint32_t distinct, std::size_t longest_shift, Visit&& visit) {
        moved_.assign(moved.begin(), moved.end());
        staying_ = staying;
        longest_ = longest_shift;
        tried_ = 0;
        made_.clear();
        least_ = least_distance(moved, staying, distinct);
        if (staying.size() > BitDistance::LONGEST) {
            beam_.begin(staying);
            return search(beam_, beam_.measure(moved_, 0), distinct, visit);
        }
        bits_.begin(staying, distinct);
        const std::int64_t plain = bits_.measure(moved_, 0);
        if (BitDistance::equals_beam(plain, moved.size(), staying.size())) return search(bits_, plain, distinct, visit);
        beam_.begin(staying);
        GuidedDistance guided(bits_, beam_);
        search(guided, beam_.measure(moved_, 0), distinct, visit);
    }

    template <class Distance, class Visit>
    void search(Distance& distances, std::int64_t distance, std::uint32_t distinct, Visit&& visit) {
        unshifted_ = distance;
        if (distance > least_) list_places(distinct);
        while (distance > least_) {
            Watch::look();
            align(distances);
            if (!list_moves()) break;
            MadeShift best{};
            const std::int64_t shortest = find_best(distances, distance, best);
            if (shortest >= distance) break;
            const Rotation rotation = rotation_of({best.start, best.to}, best.length);
            std::rotate(at(rotation.first), at(rotation.middle), at(rotation.last));
            distance = best.left = distances.measure(moved_, rotation.first);
            made_.push_back(best);
        }
        distances.trace(moved_, visit);
    }

    std::vector<std::uint32_t>::iterator at(std::size_t place) {
        return moved_.begin() + static_cast<std::ptrdiff_t>(place);
    }

    /// For each word the places where it stays, in ascending order.
    void list_places(std::uint32_t distinct) {
        first_place_.assign(distinct, NOWHERE);
        next_place_.resize(staying_.size());
        for (std::size_t place = staying_.size(); place-- > 0;) {
            next_place_[place] = first_place_[staying_[place]];
            first_place_[staying_[place]] = static_cast<std::uint32_t>(place);
        }
    }

    /// Read the trace: which word each staying one would stand behind, and where the next wrong word is on both sides.
    template <class Distance>
    void align(const Distance& distances) {
        const std::size_t n = moved_.size(), m = staying_.size();
        aligned_.resize(m + 1);  // what stands before a place comes at its own: 0 before the first word
        next_wrong_.resize(n + 1);
        next_wrong_staying_.resize(m + 1);
        std::size_t a = n, b = m;
        std::uint32_t wrong = NOWHERE, wrong_staying = NOWHERE;
        distances.trace(moved_, [&](EditStep step) {
            if (step != EditStep::match && step != EditStep::insertion) wrong = static_cast<std::uint32_t>(a - 1);
            if (step != EditStep::match && step != EditStep::deletion) wrong_staying = static_cast<std::uint32_t>(b - 1);
            if (step != EditStep::deletion) {
                aligned_[b] = static_cast<std::uint32_t>(a);
                next_wrong_staying_[--b] = wrong_staying;
            }
            if (step != EditStep::insertion) next_wrong_[--a] = wrong;
        });
        aligned_[0] = 0;
    }

    /// List all moves of a round by their length; false where the limit is reached.
    bool list_moves() {
        const std::size_t n = moved_.size(), m = staying_.size();
        if (moves_.size() <= longest_) moves_.resize(longest_ + 1);
        for (auto& moves : moves_) moves.clear();
        cursors_ = first_place_;
        for (std::size_t start = 0; start < n; ++start) {
            look_after_many(start);
            if (next_wrong_[start] - start >= longest_) continue;  // also where none is wrong any more
            std::uint32_t& cursor = cursors_[moved_[start]];
            while (cursor != NOWHERE && cursor + FARTHEST < start) cursor = next_place_[cursor];
            for (std::uint32_t goal = cursor; goal != NOWHERE && goal <= start + FARTHEST; goal = next_place_[goal]) {
                if (!list_moves(start, goal, std::min({longest_, n - start, m - goal}))) return false;
            }
        }
        return true;
    }

    /// List the moves of blocks that begin here and equal those words that stay; of up to so many words.
    bool list_moves(std::size_t start, std::size_t goal, std::size_t longest) {
        const std::uint32_t wrong_staying = next_wrong_staying_[goal];
        if (wrong_staying - goal >= longest) return true;
        const std::size_t shortest = 1 + std::max<std::size_t>(next_wrong_[start] - start, wrong_staying - goal);
        const std::size_t stands_behind = aligned_[goal + 1];  // one more than the place of the word there
        if (stands_behind > start) longest = std::min(longest, stands_behind - 1 - start);
        for (std::size_t length = 1; length <= longest; ++length) {
            if (moved_[start + length - 1] != staying_[goal + length - 1]) return true;
            if (length < shortest) continue;
            std::uint32_t before = NOWHERE;
            for (std::size_t place = goal; place <= goal + length; ++place) {
                const std::uint32_t to = aligned_[place];
                if (to == before) continue;
                before = to;
                ++tried_;
                add_move(moves_[length], {static_cast<std::uint32_t>(start), to});
            }
            if (tried_ >= MOST_TRIED) return false;
        }
        return true;
    }

    /// Add a move in the order in which ties are decided, unless it is there, or changes nothing.
    static void add_move(std::vector<Move>& moves, Move move) {
        if (move.to == move.start) return;
        std::size_t place = moves.size();
        while (place && moves[place - 1].start == move.start && moves[place - 1].to > move.to) --place;
        if (place && moves[place - 1].start == move.start && moves[place - 1].to == move.to) return;
        moves.insert(moves.begin() + static_cast<std::ptrdiff_t>(place), move);
    }

    Rotation rotation_of(Move move, std::size_t length) const {
        const std::size_t start = move.start, to = move.to;
        if (to < start) return {to, start, start + length};
        if (to > start + length) return {start, start + length, to};
        return {start, start + length, std::min(moved_.size(), to + length)};
    }

    /// Find the move after which the distance is shortest; of several the longest block, the first, the nearest to the
    /// beginning.
    template <class Distance>
    std::int64_t find_best(Distance& distances, std::int64_t distance, MadeShift& best) {
        std::int64_t shortest = distance;
        for (std::size_t length = longest_; length > 0; --length) {
            for (const Move& move : moves_[length]) {
                const std::int64_t found = distances.measure_rotated(moved_, rotation_of(move, length), shortest);
                if (found >= shortest) continue;
                shortest = found;
                best = {move.start, static_cast<std::uint32_t>(length), move.to, found};
                if (shortest == least_) return shortest;
            }
        }
        return shortest;
    }

    BitDistance bits_;
    BeamDistance beam_;
    std::vector<std::uint32_t> moved_;
    Words staying_;
    std::size_t longest_ = 0, tried_ = 0;
    std::int64_t least_ = 0, unshifted_ = 0;
    std::vector<std::uint32_t> left_, first_place_, next_place_, cursors_;
    std::vector<std::uint32_t> aligned_, next_wrong_, next_wrong_staying_;
    std::vector<std::vector<Move>> moves_;  // by length
    std::vector<MadeShift> made_;
};

/// What a thread needs to count; emptied, not freed, between segments.
struct TerSpace {
    Interner<TextKey> table;
    ShiftSearch search;
    std::vector<std::uint32_t> candidate;
    std::vector<std::uint32_t> references;
    std::vector<std::size_t> ends;
    std::string candidate_buffer;
    std::vector<std::string> reference_buffers;  // one each: the tables see words where they lie

    std::size_t bytes() const {
        std::size_t sum = table.bytes() + search.bytes() + bytes_of(candidate) + bytes_of(references) +
                          bytes_of(ends) + bytes_of(candidate_buffer) + bytes_of(reference_buffers);
        for (const std::string& buffer : reference_buffers) sum += bytes_of(buffer);
        return sum;
    }
};

/// Searching for shifts takes about so many times as long as counting n-grams of the same texts.
inline constexpr std::size_t WEIGHT_OF_SHIFTS = 8;

/// Count the edits between a candidate and a reference, named as the candidate sees them.
inline Edits count_pair(ShiftSearch& search, Words candidate, Words reference, std::uint32_t distinct,
                        const TerCounting& counting) {
    if (candidate.empty() && counting.free_empty_candidate) return {};
    if (!counting.shift_references) return search.count(candidate, reference, distinct, counting.longest_shift);
    Edits edits = search.count(reference, candidate, distinct, counting.longest_shift);
    std::swap(edits.insertions, edits.deletions);
    return edits;
}

/// Number the words of a segment below what is returned.
inline std::uint32_t number_words(const TextCorpus& corpus, std::size_t which, TerSpace& space) {
    const std::size_t first = corpus.grouping.first[which], last = corpus.grouping.first[which + 1];
    if (space.reference_buffers.size() < last - first) space.reference_buffers.resize(last - first);
    space.table.clear(corpus.slots(which));
    space.candidate.clear();
    space.references.clear();
    space.ends.assign(1, 0);
    corpus.read_candidate(which, space.candidate_buffer,
                          [&](const TextKey& word) { space.candidate.push_back(space.table.add(word)); });
    for (std::size_t place = first; place < last; ++place) {
        corpus.read_reference(place, space.reference_buffers[place - first],
                              [&](const TextKey& word) { space.references.push_back(space.table.add(word)); });
        space.ends.push_back(space.references.size());
    }
    return space.table.size() + 1;
}

inline void count_ter_segment(const TextCorpus& corpus, std::size_t which, const TerCounting& counting, std::int64_t* row,
                              TerSpace& space) {
    const std::uint32_t distinct = number_words(corpus, which, space);
    const std::size_t count = space.ends.size() - 1;
    const Words candidate(space.candidate), references(space.references);
    Edits best;
    for (std::size_t place = 0; place < count; ++place) {
        const Words reference = references.subspan(space.ends[place], space.ends[place + 1] - space.ends[place]);
        const Edits edits = count_pair(space.search, candidate, reference, distinct, counting);
        if (place == 0 || edits.total() < best.total()) best = edits;
    }
    row[0] = static_cast<std::int64_t>(candidate.size());
    row[1] = static_cast<std::int64_t>(references.size()) * (LENGTH_PARTS / static_cast<std::int64_t>(count));
    row[2] = best.insertions;
    row[3] = best.deletions;
    row[4] = best.substitutions;
    row[5] = best.shifts;
}

/// What is needed to count and score one segment.
struct TerScratch {
    TerSpace space;
    TextCorpus corpus;
    std::vector<std::int64_t> numbers;

    std::size_t bytes() const { return space.bytes() + corpus.bytes() + bytes_of(numbers); }
};

/// Whether the lengths of so many references have an exact mean.
inline bool has_mean(std::size_t references) { return references > 0 && references <= MOST_REFERENCES; }

/// Whether those of every segment have.
inline bool have_means(const TextCorpus& corpus) {
    const std::vector<std::size_t>& first = corpus.grouping.first;
    for (std::size_t which = 0; which < corpus.size(); ++which) {
        if (!has_mean(first[which + 1] - first[which])) return false;
    }
    return true;
}

/// Count every segment into its row of `numbers`.
inline void count_ter(const TextCorpus& corpus, const TerCounting& counting, std::int64_t* numbers, std::size_t threads) {
    if (!have_means(corpus)) throw std::invalid_argument("a segment has 1 to 16 references");
    share_out(
        corpus.size(), choose_threads(threads, corpus.size(), WEIGHT_OF_SHIFTS * corpus.weight()), 4,
        [&] { return TerSpace{}; },
        [&](TerSpace& space, std::size_t which) {
            corpus.fetch(which + 2);
            count_ter_segment(corpus, which, counting, numbers + which * TER_WIDTH, space);
        });
}

}  // namespace bleuprint

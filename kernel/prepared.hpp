// Prepared references: split and numbered once, to be met by the candidates of many systems.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine.hpp"
#include "numbered_texts.hpp"

namespace bleuprint {

class PreparedReferences {
public:
    explicit PreparedReferences(Tokenizer tokenizer) : texts_(tokenizer) {}

    /// Add a reference of the current segment; the text must stay where it is.
    void add_text(std::string_view text) { texts_.add(text); }

    void end_segment() { grouping_.first.push_back(texts_.size()); }

    std::size_t size() const { return grouping_.size(); }

    /// Count candidate i against the references of segment i.
    void count_segments(const std::vector<std::string_view>& candidates, const Counting& counting,
                        std::int64_t* numbers, std::size_t threads) const {
        std::size_t weight = texts_.numbers().tokens.size();
        for (const std::string_view text : candidates) weight += text.size();
        share_out(
            candidates.size(), choose_threads(threads, candidates.size(), weight), 32,
            [&] { return State{std::vector<Seen>(texts_.distinct())}; },
            [&](State& state, std::size_t which) {
                count_segment(candidates[which], which, counting,
                              Row{numbers + which * row_width(counting.order), counting.order}, state);
            });
    }

private:
    /// The number that the current candidate gave to a token.
    struct Seen {
        std::uint32_t stamp = 0;
        std::uint32_t number = 0;
    };
    struct State {
        std::vector<Seen> seen;
        std::uint32_t stamp = 0;
        MatchCounter matches{};
        std::vector<std::int64_t> lengths{};
        std::string buffer{};
    };

    void count_segment(std::string_view candidate, std::size_t which, const Counting& counting, Row row,
                       State& state) const {
        ++state.stamp;
        state.matches.begin();
        std::uint32_t numbered = 0, unknown = NONE;
        texts_.each_number(candidate, state.buffer, [&](std::uint32_t known) {
            if (known == NONE) {  // no reference has it: all such tokens can share a number that nothing meets
                if (unknown == NONE) unknown = numbered++;
                return state.matches.add_token(unknown);
            }
            Seen& seen = state.seen[known];
            if (seen.stamp != state.stamp) seen = {state.stamp, numbered++};
            state.matches.add_token(seen.number);
        });
        state.lengths.clear();
        for (std::size_t text = grouping_.first[which]; text < grouping_.first[which + 1]; ++text) {
            texts_.numbers().read(text, [&](std::uint32_t token) {
                const Seen& seen = state.seen[token];
                state.matches.add_reference_token(seen.stamp == state.stamp ? seen.number : NONE);
            });
            state.lengths.push_back(state.matches.end_reference());
        }
        finish_row(row, counting, state.matches, state.lengths);
    }

    NumberedTexts texts_;
    Grouping grouping_;
};

}  // namespace bleuprint

// Pairs: every candidate against every reference, and every text against all others.
//
// The n-grams of the references are indexed once: for each n-gram the list of those who have it, and how often. A
// candidate then walks the lists of its own n-grams and never meets a reference with which it shares nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "formula.hpp"

namespace bleuprint {

/// Texts as numbered tokens and n-grams. Numbers of n-grams of all orders are distinct.
class GramIndex {
public:
    GramIndex(Tokenizer tokenizer, int order) : tokenizer_(tokenizer), order_(order) {}

    /// Add a text; the text must stay where it is.
    void add_text(std::string_view text) {
        Watch::look();
        std::string& buffer = buffers_.emplace_back();
        tokenize(tokenizer_, text, buffer, [&](std::string_view token) { texts_.tokens.push_back(tokens_.add(TextKey(token))); });
        texts_.end();
        if (buffer.empty()) buffers_.pop_back();
    }

    /// Number all n-grams, once every text is there.
    void finish() {
        distinct_ = tokens_.size();
        std::vector<std::uint32_t> run;
        for (std::size_t text = 0; text < texts(); ++text) {
            Watch::look();
            walk(text, run, [&](std::uint32_t left, std::uint32_t token) { return distinct_ + pairs_.add(pair(left, token)); },
                 [](int, std::uint32_t) {});
        }
    }

    std::size_t texts() const { return texts_.starts.size() - 1; }
    std::int64_t length(std::size_t text) const {
        return static_cast<std::int64_t>(texts_.starts[text + 1] - texts_.starts[text]);
    }
    std::uint32_t grams() const { return distinct_ + pairs_.size(); }
    int order() const { return order_; }

    /// Hand every n-gram of an indexed text to `sink(order, number)`.
    template <class Sink>
    void each_gram(std::size_t text, std::vector<std::uint32_t>& run, Sink&& sink) const {
        std::uint64_t steps = 0;
        walk(text, run,
             [&](std::uint32_t left, std::uint32_t token) { return distinct_ + pairs_.find(pair(left, token), steps); },
             sink);
    }

    /// Hand every n-gram of another text that is known to `sink(order, number)`; give its length.
    template <class Sink>
    std::int64_t each_known_gram(std::string_view text, std::string& buffer, std::vector<std::uint32_t>& tokens,
                                 std::vector<std::uint32_t>& run, Sink&& sink) const {
        std::uint64_t steps = 0;
        tokens.clear();
        tokenize(tokenizer_, text, buffer,
                 [&](std::string_view token) { tokens.push_back(tokens_.find(TextKey(token), steps)); });
        run = tokens;
        for (int n = 1; n <= order_; ++n) {
            bool any = false;
            for (std::size_t place = 0; place + static_cast<std::size_t>(n) <= tokens.size(); ++place) {
                std::uint32_t gram = run[place];
                if (n > 1 && gram != NONE) {
                    const std::uint32_t last = tokens[place + static_cast<std::size_t>(n) - 1];
                    gram = last == NONE ? NONE : pairs_.find(pair(gram, last), steps);
                    if (gram != NONE) gram += distinct_;
                    run[place] = gram;
                }
                if (gram == NONE) continue;
                any = true;
                sink(n, gram);
            }
            if (!any) break;
        }
        return static_cast<std::int64_t>(tokens.size());
    }

private:
    static std::uint64_t pair(std::uint32_t prefix, std::uint32_t token) { return std::uint64_t{prefix} << 32 | token; }

    template <class Extend, class Sink>
    void walk(std::size_t text, std::vector<std::uint32_t>& run, Extend&& extend, Sink&& sink) const {
        const std::uint32_t* tokens = texts_.tokens.data() + texts_.starts[text];
        const std::size_t size = texts_.starts[text + 1] - texts_.starts[text];
        run.assign(tokens, tokens + size);
        for (std::size_t n = 1; n <= static_cast<std::size_t>(order_) && n <= size; ++n) {
            for (std::size_t place = 0; place + n <= size; ++place) {
                if (n > 1) run[place] = extend(run[place], tokens[place + n - 1]);
                sink(static_cast<int>(n), run[place]);
            }
        }
    }

    Tokenizer tokenizer_;
    int order_;
    TokenTable tokens_;
    NumberTable pairs_;
    std::uint32_t distinct_ = 0;
    Sequences<std::uint32_t> texts_;
    std::deque<std::string> buffers_;  // texts that tokenizing changed; tokens point into them
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
        if (place_.size() < grams) place_.assign(grams, NONE);
        for (const Counted& entry : counted) place_[entry.gram] = NONE;
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
        if (place_[gram] == NONE) {
            place_[gram] = static_cast<std::uint32_t>(counted.size());
            counted.push_back({gram, 0, order});
        }
        return counted[place_[gram]];
    }

    std::vector<std::uint32_t> place_;
};

/// The scores of one candidate: its totals are fixed, so few different sums come up, and each is computed once.
class CandidateScorer {
public:
    CandidateScorer(const Formula& formula, bool at_least_one) : formula_(formula), at_least_one_(at_least_one) {
        numbers_.resize(row_width(formula.order()));
    }

    void begin(std::int64_t length) {
        row().candidate_length() = length;
        for (int n = 1; n <= formula_.order(); ++n) row().totals()[n - 1] = segment_total(length, n, at_least_one_);
        for (Known& known : known_) known.used = false;
    }

    /// BLEU on 0 to 100 for these matches, one per order.
    double score(const std::uint32_t* matches, std::int64_t reference_length) {
        const int order = formula_.order();
        std::uint64_t key = 0;
        bool packs = order <= 4;
        for (int n = 0; n < order; ++n) {
            row().matches()[n] = matches[n];
            packs = packs && matches[n] <= 0xFFFF;
            key = key << 16 | (matches[n] & 0xFFFF);
        }
        row().reference_length() = reference_length;
        if (reference_is_empty(row(), order)) return 0.0;
        double mean;
        if (packs) {
            Known& known = known_[hash_key(key, {SPREAD, SPREAD}) % known_.size()];
            if (!known.used || known.key != key) known = {true, key, geometric_mean(row(), formula_, settled_)};
            mean = known.mean;
        } else {
            mean = geometric_mean(row(), formula_, settled_);
        }
        return 100.0 * (brevity(row().candidate_length(), reference_length) * mean);
    }

private:
    struct Known {
        bool used = false;
        std::uint64_t key = 0;
        double mean = 0;
    };

    Row row() { return {numbers_.data(), formula_.order()}; }

    const Formula& formula_;
    bool at_least_one_;
    std::vector<std::int64_t> numbers_;
    std::vector<Precision> settled_;
    std::array<Known, 512> known_;
};

/// Score every candidate against every entry of references, into a matrix with a row per candidate.
inline void score_pairs(const std::vector<std::string_view>& candidates, const std::vector<std::string_view>& references,
                        const Grouping& grouping, Tokenizer tokenizer, const Counting& counting, const Formula& formula,
                        double* scores, std::size_t threads) {
    const auto order = static_cast<std::size_t>(formula.order());
    GramIndex index(tokenizer, formula.order());
    for (const std::string_view text : references) index.add_text(text);
    index.finish();

    struct Posting {
        std::uint32_t entry;
        std::uint32_t limit;
    };
    const std::size_t entries = grouping.size();
    std::vector<std::uint32_t> run;
    GramCounts counts, best;
    // Twice over all references: first to see how long each list becomes, then to fill it.
    std::vector<std::size_t> starts(index.grams() + std::size_t{1});
    std::vector<Posting> postings;
    for (const bool filling : {false, true}) {
        if (filling) {
            for (std::size_t gram = 0, sum = 0; gram < starts.size(); ++gram) sum += std::exchange(starts[gram], sum);
            postings.resize(starts.back());
        }
        for (std::size_t entry = 0; entry < entries; ++entry) {
            Watch::look();
            best.begin(index.grams());
            for (std::size_t text = grouping.first[entry]; text < grouping.first[entry + 1]; ++text) {
                counts.begin(index.grams());
                index.each_gram(text, run, [&](int n, std::uint32_t gram) { counts.add(n, gram); });
                for (const auto& [gram, count, n] : counts.counted) best.raise(n, gram, count);
            }
            for (const auto& [gram, limit, n] : best.counted) {
                if (filling) {
                    postings[starts[gram]++] = {static_cast<std::uint32_t>(entry), limit};
                } else {
                    ++starts[gram];
                }
            }
        }
    }
    // Filling moved every start to the next one.
    for (std::size_t gram = starts.size() - 1; gram > 0; --gram) starts[gram] = starts[gram - 1];
    starts[0] = 0;

    struct State {
        CandidateScorer scorer;
        GramCounts counts;
        std::vector<std::uint32_t> tokens, run, matches;
        std::vector<std::int64_t> lengths;
        std::string buffer;
    };
    std::size_t weight = 0;
    for (const std::string_view text : candidates) weight += text.size();
    weight += candidates.size() * entries * 8;
    share_out(
        candidates.size(), choose_threads(threads, candidates.size(), weight), 4,
        [&] { return State{CandidateScorer(formula, counting.at_least_one), {}, {}, {}, {}, {}, {}}; },
        [&](State& state, std::size_t which) {
            state.counts.begin(index.grams());
            const std::int64_t length = index.each_known_gram(
                candidates[which], state.buffer, state.tokens, state.run,
                [&](int n, std::uint32_t gram) { state.counts.add(n, gram); });
            state.matches.assign(entries * order, 0);
            for (const auto& [gram, count, n] : state.counts.counted) {
                for (std::size_t place = starts[gram]; place < starts[gram + 1]; ++place) {
                    const Posting posting = postings[place];
                    state.matches[posting.entry * order + static_cast<std::size_t>(n - 1)] +=
                        std::min(count, posting.limit);
                }
            }
            state.scorer.begin(length);
            for (std::size_t entry = 0; entry < entries; ++entry) {
                state.lengths.clear();
                for (std::size_t text = grouping.first[entry]; text < grouping.first[entry + 1]; ++text) {
                    state.lengths.push_back(index.length(text));
                }
                scores[which * entries + entry] =
                    state.scorer.score(state.matches.data() + entry * order,
                                       choose_length(counting.rule, length, state.lengths));
            }
        });
}

/// The lengths of many texts, to choose a reference length among all of them but one.
class OtherLengths {
public:
    explicit OtherLengths(const GramIndex& index) {
        for (std::size_t text = 0; text < index.texts(); ++text) {
            std::vector<std::size_t>& first = first_two_[index.length(text)];
            if (first.size() < 2) first.push_back(text);
        }
    }

    std::int64_t choose(LengthRule rule, std::int64_t length, std::size_t except) const {
        std::int64_t chosen = -1;
        std::size_t chosen_first = 0;
        for (const auto& [other, first_two] : first_two_) {
            const bool own_first = first_two[0] == except;
            if (own_first && first_two.size() < 2) continue;
            const std::size_t first = first_two[own_first];
            const std::int64_t far = std::abs(other - length), kept = std::abs(chosen - length);
            // Lengths come in rising order, so among equally close ones the first met is the shorter.
            const bool better = chosen < 0 || (rule != LengthRule::shortest &&
                                               (far < kept || (far == kept && rule == LengthRule::closest_first &&
                                                               first < chosen_first)));
            if (better) {
                chosen = other;
                chosen_first = first;
            }
        }
        return chosen;
    }

private:
    std::map<std::int64_t, std::vector<std::size_t>> first_two_;
};

/// Score every text with all others as its references.
inline void score_among_themselves(const std::vector<std::string_view>& texts, Tokenizer tokenizer,
                                   const Counting& counting, const Formula& formula, double* scores,
                                   std::size_t threads) {
    GramIndex index(tokenizer, formula.order());
    for (const std::string_view text : texts) index.add_text(text);
    index.finish();

    // The best reference among the others is the best of all, or the second best for the text that is the best.
    struct Best {
        std::uint32_t count = 0, second = 0;
        std::uint32_t text = NONE;
    };
    std::vector<Best> best(index.grams());
    std::vector<std::uint32_t> run;
    GramCounts counts;
    for (std::size_t text = 0; text < texts.size(); ++text) {
        Watch::look();
        counts.begin(index.grams());
        index.each_gram(text, run, [&](int n, std::uint32_t gram) { counts.add(n, gram); });
        for (const auto& [gram, count, n] : counts.counted) {
            Best& entry = best[gram];
            if (count > entry.count) {
                entry.second = entry.count;
                entry.count = count;
                entry.text = static_cast<std::uint32_t>(text);
            } else {
                entry.second = std::max(entry.second, count);
            }
        }
    }
    const OtherLengths lengths(index);
    struct State {
        CandidateScorer scorer;
        GramCounts counts;
        std::vector<std::uint32_t> run, matches;
    };
    std::size_t weight = 0;
    for (const std::string_view text : texts) weight += text.size();
    share_out(
        texts.size(), choose_threads(threads, texts.size(), weight), 16,
        [&] { return State{CandidateScorer(formula, counting.at_least_one), {}, {}, {}}; },
        [&](State& state, std::size_t which) {
            state.counts.begin(index.grams());
            index.each_gram(which, state.run, [&](int n, std::uint32_t gram) { state.counts.add(n, gram); });
            state.matches.assign(static_cast<std::size_t>(formula.order()), 0);
            for (const auto& [gram, count, n] : state.counts.counted) {
                const Best& entry = best[gram];
                const std::uint32_t limit = entry.text == which ? entry.second : entry.count;
                state.matches[static_cast<std::size_t>(n - 1)] += std::min(count, limit);
            }
            const std::int64_t length = index.length(which);
            state.scorer.begin(length);
            scores[which] = state.scorer.score(state.matches.data(), lengths.choose(counting.rule, length, which));
        });
}

}  // namespace bleuprint

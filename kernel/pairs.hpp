// Pairs: every candidate against every entry of references.
//
// The n-grams of the references are indexed once: for each n-gram the list of those who have it, and how often. A
// candidate then walks the lists of its own n-grams and never meets a reference with which it shares nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "formula.hpp"
#include "gram_index.hpp"

namespace bleuprint {

/// The matches of all orders in one number, where each fits into 16 bits.
struct PackedMatches {
    static constexpr int HIGHEST = 4;
    static constexpr std::int64_t LONGEST = 0xFFFE;  // so that no matches have all bits

    static bool fit(int order, std::int64_t length) { return order <= HIGHEST && length <= LONGEST; }
    static std::uint64_t of(int order, std::uint32_t matches) { return std::uint64_t{matches} << 16 * (order - 1); }
    static std::int64_t get(std::uint64_t packed, int order) { return static_cast<std::int64_t>(packed >> 16 * (order - 1) & 0xFFFF); }
};

/// The scores of one candidate: its totals are fixed, so few different sums and lengths come up, and what follows from
/// them is computed once.
class CandidateScorer {
public:
    CandidateScorer(const Formula& formula, bool at_least_one) : formula_(formula), at_least_one_(at_least_one) {
        numbers_.resize(row_width(formula.order()));
    }

    void begin(std::int64_t length) {
        row().candidate_length() = length;
        for (int n = 1; n <= formula_.order(); ++n) row().totals()[n - 1] = segment_total(length, n, at_least_one_);
        means_.fill({~std::uint64_t{0}, 0.0});
        brevities_.fill({-1, 0.0});
    }

    /// BLEU on 0 to 100 for these matches, one per order.
    double score(const std::uint32_t* matches, std::int64_t reference_length) {
        std::copy_n(matches, formula_.order(), row().matches());
        row().reference_length() = reference_length;
        if (reference_is_empty(row(), formula_.order())) return 0.0;
        return combine(geometric_mean(row(), formula_, settled_), reference_length);
    }

    /// The same for matches that are packed.
    double score(std::uint64_t matches, std::int64_t reference_length) {
        if (reference_length == 0 && matches == 0) return 0.0;
        Known<std::uint64_t>& known = means_[matches * SPREAD >> (64 - std::countr_zero(means_.size()))];
        if (known.key != matches) known = {matches, mean_of(matches)};
        return combine(known.value, reference_length);
    }

private:
    template <class Key>
    struct Known {
        Key key;
        double value;
    };

    Row row() { return {numbers_.data(), formula_.order()}; }

    double mean_of(std::uint64_t matches) {
        for (int n = 1; n <= formula_.order(); ++n) row().matches()[n - 1] = PackedMatches::get(matches, n);
        return geometric_mean(row(), formula_, settled_);
    }

    double combine(double mean, std::int64_t reference_length) {
        Known<std::int64_t>& known = brevities_[static_cast<std::size_t>(reference_length) % brevities_.size()];
        if (known.key != reference_length) known = {reference_length, brevity(row().candidate_length(), reference_length)};
        return 100.0 * (known.value * mean);
    }

    const Formula& formula_;
    bool at_least_one_;
    std::vector<std::int64_t> numbers_;
    std::vector<Precision> settled_;
    std::array<Known<std::uint64_t>, 512> means_;
    std::array<Known<std::int64_t>, 256> brevities_;
};

/// For each n-gram the entries of references that have it, and how often at most.
class PostingLists {
public:
    PostingLists(const GramIndex& index, const Grouping& grouping) : starts_(index.grams() + std::size_t{1}) {
        struct Posting {
            std::uint32_t gram, entry, limit;
        };
        std::vector<Posting> postings;
        GramCounts best, counts;
        for (std::size_t entry = 0; entry < grouping.size(); ++entry) {
            Watch::look();
            count_grams(index, grouping.first[entry], best);
            for (std::size_t text = grouping.first[entry] + 1; text < grouping.first[entry + 1]; ++text) {
                count_grams(index, text, counts);
                for (const auto& [gram, count, n] : counts.counted) best.raise(n, gram, count);
            }
            for (const auto& [gram, limit, n] : best.counted) {
                postings.push_back({gram, static_cast<std::uint32_t>(entry), limit});
                ++starts_[gram];
            }
        }
        for (std::size_t gram = 0, sum = 0; gram < starts_.size(); ++gram) sum += std::exchange(starts_[gram], sum);
        entries_.resize(postings.size());
        limits_.resize(postings.size());
        for (const auto& [gram, entry, limit] : postings) {
            const std::size_t place = starts_[gram]++;
            entries_[place] = entry;
            limits_[place] = limit;
        }
        // Filling moved every start to the next one.
        for (std::size_t gram = starts_.size() - 1; gram > 0; --gram) starts_[gram] = starts_[gram - 1];
        starts_[0] = 0;
    }

    /// Hand every entry that has an n-gram to `sink(entry)`.
    template <class Sink>
    void each_entry(std::uint32_t gram, Sink&& sink) const {
        for (std::size_t place = starts_[gram]; place < starts_[gram + std::size_t{1}]; ++place) sink(entries_[place]);
    }

    /// Hand every entry that has an n-gram, and how often, to `sink(entry, limit)`.
    template <class Sink>
    void each_limit(std::uint32_t gram, Sink&& sink) const {
        for (std::size_t place = starts_[gram]; place < starts_[gram + std::size_t{1}]; ++place) {
            sink(entries_[place], limits_[place]);
        }
    }

private:
    static void count_grams(const GramIndex& index, std::size_t text, GramCounts& into) {
        into.begin(index.grams());
        index.each_gram(text, [&](int n, std::uint32_t gram) { into.add(n, gram); });
    }

    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> entries_, limits_;
};

/// Scores candidates against every entry of references, one after the other.
class PairScorer {
public:
    PairScorer(const GramIndex& index, const PostingLists& lists, const Grouping& grouping,
               std::span<const std::int64_t> lengths, const Counting& counting, const Formula& formula)
        : index_(index), lists_(lists), grouping_(grouping), lengths_(lengths), rule_(counting.rule),
          scorer_(formula, counting.at_least_one), order_(formula.order()) {}

    void score(std::string_view candidate, double* scores) {
        counts_.begin(index_.grams());
        length_ = index_.each_known_gram(candidate, buffer_, tokens_, run_,
                                         [&](int n, std::uint32_t gram) { counts_.add(n, gram); });
        scorer_.begin(length_);
        if (PackedMatches::fit(order_, length_)) {
            add_packed();
            for (std::size_t entry = 0; entry < entries(); ++entry) {
                scores[entry] = scorer_.score(packed_[entry], reference_length(entry));
            }
        } else {
            add_wide();
            for (std::size_t entry = 0; entry < entries(); ++entry) {
                scores[entry] = scorer_.score(wide_.data() + entry * orders(), reference_length(entry));
            }
        }
    }

private:
    std::size_t entries() const { return grouping_.size(); }
    std::size_t orders() const { return static_cast<std::size_t>(order_); }

    void add_packed() {
        packed_.assign(entries(), 0);
        for (const auto& [gram, count, n] : counts_.counted) {
            const std::uint64_t one = PackedMatches::of(n, 1);
            if (count == 1) {
                lists_.each_entry(gram, [&](std::uint32_t entry) { packed_[entry] += one; });
            } else {
                lists_.each_limit(gram, [&, most = count](std::uint32_t entry, std::uint32_t limit) {
                    packed_[entry] += one * std::min(most, limit);
                });
            }
        }
    }

    void add_wide() {
        wide_.assign(entries() * orders(), 0);
        for (const auto& [gram, count, n] : counts_.counted) {
            lists_.each_limit(gram, [&, most = count, place = static_cast<std::size_t>(n - 1)](std::uint32_t entry,
                                                                                              std::uint32_t limit) {
                wide_[entry * orders() + place] += std::min(most, limit);
            });
        }
    }

    std::int64_t reference_length(std::size_t entry) const {
        const std::size_t first = grouping_.first[entry];
        return choose_length(rule_, length_, lengths_.subspan(first, grouping_.first[entry + 1] - first));
    }

    const GramIndex& index_;
    const PostingLists& lists_;
    const Grouping& grouping_;
    std::span<const std::int64_t> lengths_;
    LengthRule rule_;
    CandidateScorer scorer_;
    int order_;
    std::int64_t length_ = 0;  // of the candidate
    GramCounts counts_;
    std::vector<std::uint64_t> packed_;  // the matches with each entry
    std::vector<std::uint32_t> wide_, tokens_, run_;
    std::string buffer_;
};

/// Score every candidate against every entry of references, into a matrix with a row per candidate.
inline void score_pairs(const std::vector<std::string_view>& candidates, const std::vector<std::string_view>& references,
                        const Grouping& grouping, Tokenizer tokenizer, const Counting& counting, const Formula& formula,
                        double* scores, std::size_t threads) {
    GramIndex index(tokenizer, formula.order());
    for (const std::string_view text : references) index.add_text(text);
    index.finish();
    const PostingLists lists(index, grouping);
    std::vector<std::int64_t> lengths;
    for (std::size_t text = 0; text < index.texts(); ++text) lengths.push_back(index.length(text));
    const std::size_t entries = grouping.size();
    std::size_t weight = candidates.size() * entries * 8;
    for (const std::string_view text : candidates) weight += text.size();
    share_out(
        candidates.size(), choose_threads(threads, candidates.size(), weight), 4,
        [&] { return PairScorer(index, lists, grouping, lengths, counting, formula); },
        [&](PairScorer& scorer, std::size_t which) { scorer.score(candidates[which], scores + which * entries); });
}

}  // namespace bleuprint

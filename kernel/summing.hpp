// Summing: rows that are added up as soon as they are counted, so that no table of them is needed.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "engine.hpp"
#include "stats.hpp"

namespace bleuprint {

/// What the rows of a corpus add up to.
struct SummedRows {
    std::vector<std::int64_t> sums, census;
    std::int64_t overflowed = 0;

    SummedRows(std::size_t width, std::size_t thresholds) : sums(width), census(thresholds) {}

    void add(const std::int64_t* row, std::span<const Threshold> thresholds) {
        overflowed |= add_row(row, sums.size(), sums.data());
        add_to_census(row, thresholds, census.data());
    }

    void add(const SummedRows& other) {
        overflowed |= other.overflowed | add_row(other.sums.data(), sums.size(), sums.data());
        add_row(other.census.data(), census.size(), census.data());
    }
};

/// Adds up what several threads count.
class Summing {
public:
    Summing(const Counting& counting, std::span<const Threshold> thresholds)
        : counting_(counting), thresholds_(thresholds), whole_(empty()) {}

    /// What one thread counts with; at its end that joins the whole.
    class Counter {
    public:
        explicit Counter(Summing& summing) : summing_(summing), row_(summing.width()), own_(summing.empty()) {}
        ~Counter() {
            const std::lock_guard lock(summing_.joining_);
            summing_.whole_.add(own_);
        }
        Counter(const Counter&) = delete;
        Counter& operator=(const Counter&) = delete;

        template <class Corpus>
        void add_segment(const Corpus& corpus, std::size_t which) {
            count_segment(corpus, which, summing_.counting_, Row{row_.data(), summing_.counting_.order}, space_);
            own_.add(row_.data(), summing_.thresholds_);
        }

    private:
        Summing& summing_;
        Workspace space_;
        std::vector<std::int64_t> row_;
        SummedRows own_;
    };

    /// What was added up, once all threads have ended.
    SummedRows finish() {
        refuse_overflow(whole_.overflowed);
        return std::move(whole_);
    }

private:
    std::size_t width() const { return row_width(counting_.order); }
    SummedRows empty() const { return {width(), thresholds_.size()}; }

    Counting counting_;
    std::span<const Threshold> thresholds_;
    std::mutex joining_;
    SummedRows whole_;
};

/// Count every segment of a corpus, and add the rows up.
template <class Corpus>
SummedRows sum_segments(const Corpus& corpus, const Counting& counting, std::span<const Threshold> thresholds,
                        std::size_t threads) {
    Summing summing(counting, thresholds);
    share_out(
        corpus.size(), choose_threads(threads, corpus.size(), corpus.weight()), 32,
        [&] { return Summing::Counter(summing); },
        [&](Summing::Counter& counter, std::size_t which) {
            corpus.fetch(which + 2);
            counter.add_segment(corpus, which);
        });
    return summing.finish();
}

}  // namespace bleuprint

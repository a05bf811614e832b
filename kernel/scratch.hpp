// Scratch memory: what a thread keeps between calls, because making the tables anew would take longer than using them.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "formula.hpp"

namespace bleuprint {

/// What is needed to count and score one segment.
template <class Corpus>
struct Scratch {
    Workspace space;
    Corpus corpus;
    std::vector<std::int64_t> numbers;
    std::vector<Precision> settled;

    /// The row that is counted into.
    Row row(int order) {
        numbers.resize(row_width(order));
        return {numbers.data(), order};
    }

    std::size_t bytes() const { return space.bytes() + corpus.bytes() + bytes_of(numbers) + bytes_of(settled); }
};

/// A thread's scratch memory, for as long as this lives. Whoever asks while it is taken gets other memory: Python
/// may run in the middle of a call (an allocation collects garbage, a finalizer scores something).
template <class Memory>
class Lease {
public:
    Lease() : own_(kept().taken ? std::make_unique<Kept>() : nullptr), used_(own_ ? *own_ : kept()) { used_.taken = true; }
    ~Lease() {
        used_.taken = false;
        if (own_ || used_.scratch.bytes() <= MOST) return;
        try {
            Memory fresh;
            std::swap(used_.scratch, fresh);  // not assigned: a long string would keep its memory
        } catch (const std::bad_alloc&) {
            // Then it stays as it is.
        }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Memory* operator->() { return &used_.scratch; }
    Memory& operator*() { return used_.scratch; }

    /// What this thread keeps, which only tests look at.
    static std::size_t kept_bytes() { return kept().scratch.bytes(); }

    /// A thread does not keep more: one huge text must not stay in memory.
    static constexpr std::size_t MOST = std::size_t{1} << 22;

private:
    struct Kept {
        Memory scratch;
        bool taken = false;
    };

    static Kept& kept() {
        thread_local Kept mine;
        return mine;
    }

    std::unique_ptr<Kept> own_;
    Kept& used_;
};

/// Memory that a thread keeps from what is gone for what comes next: the system takes long to hand out fresh pages.
template <class Memory>
class Spare {
public:
    /// Give what is kept, with whatever is in it, or new memory.
    static Memory take() { return std::exchange(kept(), Memory{}); }

    /// Keep memory, if it is more than what is kept and not too much.
    static void give_back(Memory&& memory) {
        if (memory.bytes() <= MOST && memory.bytes() > kept().bytes()) std::swap(kept(), memory);
    }

    static std::size_t kept_bytes() { return kept().bytes(); }

    static constexpr std::size_t MOST = std::size_t{1} << 22;

private:
    static Memory& kept() {
        thread_local Memory mine;
        return mine;
    }
};

}  // namespace bleuprint

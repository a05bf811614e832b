// Interrupts: long work asks now and then whether it is still wanted. The caller is asked on the thread that called and on no
// other; those ask whether that one has stopped.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace bleuprint {

/// As long as this lives, `Watch::look` on this thread calls `ask` once in a while; what it throws ends the work.
class Watch {
public:
    using Clock = std::chrono::steady_clock;

    explicit Watch(std::function<void()> ask, Clock::duration every = std::chrono::milliseconds(100))
        : ask_(std::move(ask)), every_(every), next_(Clock::now() + every), before_(std::exchange(current(), this)) {}
    ~Watch() { current() = before_; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Called between the parts of long work.
    static void look() {
        if (Watch* const watch = current()) watch->look_at_the_clock();
    }

private:
    static Watch*& current() {
        thread_local Watch* watch = nullptr;
        return watch;
    }

    /// Who is asked may call the kernel again, and hold what this watch would wait for: no such call asks it.
    void look_at_the_clock() {
        if (Clock::now() < next_) return;
        current() = nullptr;
        ask_();
        current() = this;
        next_ = Clock::now() + every_;
    }

    std::function<void()> ask_;
    Clock::duration every_;
    Clock::time_point next_;
    Watch* before_;  // of a call that this one interrupts
};

/// Rows or texts between two looks, where each of them takes less than a look at the clock is worth.
inline constexpr std::size_t A_WHILE = 256;

}  // namespace bleuprint

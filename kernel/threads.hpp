// Threads: started for one call and joined at its end, so that nothing is left over when a process forks.
#pragma once

#include <algorithm>
#include <atomic>
#include <utility>

#include "interrupts.hpp"

#if !defined(__wasm__)
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

#if defined(__linux__)
#include <sched.h>
#endif

namespace bleuprint {

/// The cores that this process may use.
inline std::size_t available_cores() {
#if defined(__linux__)
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::size_t>(CPU_COUNT(&cores));
#endif
#if defined(__wasm__)
    return 1;
#else
    return std::max(1u, std::thread::hardware_concurrency());
#endif
}

/// Below this many bytes of text a second thread costs more than it brings.
inline constexpr std::size_t WORTH_A_THREAD = 1 << 17;

/// How many threads to use: as many as asked for, or (0) as many as the work is worth.
inline std::size_t choose_threads(std::size_t asked, std::size_t tasks, std::size_t weight) {
    const std::size_t wanted = asked ? asked : std::min(available_cores(), 1 + weight / WORTH_A_THREAD);
    return std::max<std::size_t>(1, std::min(wanted, tasks));
}

#if defined(__wasm__)

/// Do `tasks` tasks, one after the other: in a browser there is one thread.
template <class MakeState, class Work, class Prepare>
void share_out(std::size_t tasks, std::size_t, std::size_t, MakeState make_state, Work work, Prepare prepare) {
    prepare([](std::size_t) {});
    auto&& state = make_state();
    for (std::size_t task = 0; task < tasks; ++task) work(state, task);
}

#else

/// Do `tasks` tasks on some threads. `work(state, task)` writes only to what belongs to its task, so the result does
/// not depend on the number of threads; `make_state` gives each thread something to work with. What is thrown on one
/// thread ends the others where they next look up from their work, and the thread that was called looks while it waits.
///
/// The thread that was called prepares the tasks while the others work already: `prepare(announce)` calls
/// `announce(count)` whenever the first `count` of them can be done, and at last with all.
template <class MakeState, class Work, class Prepare>
void share_out(std::size_t tasks, std::size_t threads, std::size_t batch, MakeState make_state, Work work,
               Prepare prepare) {
    struct Stopped {};
    std::atomic<std::size_t> next{0}, ready{0};
    std::atomic<bool> stopped{false};
    std::exception_ptr failure;
    std::size_t ended = 0;
    std::mutex changing;  // the two above, and what is ready
    std::condition_variable another_ended, more_ready;
    const auto fail = [&] {  // with what is being thrown
        next = tasks;
        stopped = true;
        const std::lock_guard lock(changing);
        if (!failure) failure = std::current_exception();
        more_ready.notify_all();
    };
    const auto announce = [&](std::size_t count) {
        const std::lock_guard lock(changing);
        ready = count;
        more_ready.notify_all();
    };
    const auto wait_until_ready = [&](std::size_t count) {
        if (ready >= count) return;
        std::unique_lock lock(changing);
        more_ready.wait(lock, [&] { return ready >= count || stopped; });
        if (ready < count) throw Stopped();
    };
    const auto run = [&] {
        try {
            auto&& state = make_state();
            for (;;) {
                const std::size_t first = next.fetch_add(batch);
                if (first >= tasks) return;
                const std::size_t last = std::min(first + batch, tasks);
                wait_until_ready(last);
                for (std::size_t task = first; task < last; ++task) work(state, task);
                Watch::look();
            }
        } catch (const Stopped&) {
            // By another, whose failure it is.
        } catch (...) {
            fail();
        }
    };
    const auto run_beside = [&] {
        {
            const Watch watch([&] { if (stopped) throw Stopped(); });
            run();
        }
        const std::lock_guard lock(changing);
        ++ended;
        another_ended.notify_one();
    };
    std::vector<std::thread> others;
    others.reserve(threads);  // with room for all of them nothing but their start can fail once the first one runs
    try {
        for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(run_beside);
    } catch (const std::exception&) {
        // No more threads, or memory for them, to be had: those that run, this one among them, do the work.
    }
    try {
        prepare(announce);
    } catch (...) {
        fail();
    }
    run();
    for (std::unique_lock lock(changing); ended < others.size();) {
        another_ended.wait_for(lock, std::chrono::milliseconds(50));
        if (ended == others.size() || failure) continue;
        lock.unlock();
        try {
            Watch::look();
        } catch (...) {
            fail();
        }
        lock.lock();
    }
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

#endif

/// The same with tasks that can all be done from the start.
template <class MakeState, class Work>
void share_out(std::size_t tasks, std::size_t threads, std::size_t batch, MakeState make_state, Work work) {
    share_out(tasks, threads, batch, std::move(make_state), std::move(work), [=](auto&& announce) { announce(tasks); });
}

}  // namespace bleuprint

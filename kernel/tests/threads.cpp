// threads.hpp: every task is done once, and what goes wrong in a thread is heard of.
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>

#include "../threads.hpp"
#include "check.hpp"

using namespace bleuprint;

/// How often this thread may still ask for memory. Where `delete` is inlined and `new` is not, GCC takes them for a mismatch.
static thread_local std::size_t requests_left = std::numeric_limits<std::size_t>::max();

void* operator new(std::size_t size) {
    if (requests_left == 0) throw std::bad_alloc();
    --requests_left;
    void* const room = std::malloc(size ? size : 1);
    return room ? room : throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* room) noexcept { std::free(room); }
[[gnu::noinline]] void operator delete(void* room, std::size_t) noexcept { std::free(room); }

TEST(every_task_is_done_once_by_any_number_of_threads) {
    for (const std::size_t threads : {1, 2, 7, 40}) {
        for (const std::size_t tasks : {0, 1, 5, 1000}) {
            std::vector<int> done(tasks);
            share_out(tasks, threads, 3, [] { return 1; }, [&](int state, std::size_t task) { done[task] += state; });
            CHECK_EQUAL(done, std::vector<int>(tasks, 1));
        }
    }
}

TEST(every_thread_has_a_state_of_its_own) {
    std::atomic<int> made{0};
    share_out(10'000, 4, 1, [&] { return ++made; }, [](int, std::size_t) {});
    CHECK_EQUAL(made.load(), 4);
}

TEST(what_a_thread_throws_is_thrown_again_and_the_others_stop) {
    for (const std::size_t threads : {1, 4}) {
        std::atomic<std::size_t> done{0};
        std::string heard;
        try {
            share_out(100'000, threads, 1, [] { return 0; }, [&](int, std::size_t task) {
                if (task == 100) throw std::runtime_error("task 100");
                ++done;
            });
        } catch (const std::runtime_error& error) {
            heard = error.what();
        }
        CHECK_EQUAL(heard, "task 100");
        CHECK(done < 100'000 - 1);
    }
}

TEST(a_state_that_cannot_be_made_is_heard_of) {
    bool heard = false;
    try {
        share_out(10, 3, 1, []() -> int { throw std::bad_alloc(); }, [](int, std::size_t) {});
    } catch (const std::bad_alloc&) {
        heard = true;
    }
    CHECK(heard);
}

TEST(where_memory_ends_while_threads_are_started_those_that_run_do_the_work_or_the_caller_hears_of_it) {
    for (std::size_t requests = 0; requests < 12; ++requests) {
        std::vector<int> done(1000);
        bool heard = false;
        requests_left = requests;
        try {
            share_out(done.size(), 6, 1, [] { return 1; }, [&](int state, std::size_t task) { done[task] += state; });
        } catch (const std::bad_alloc&) {
            heard = true;
        }
        requests_left = std::numeric_limits<std::size_t>::max();
        CHECK_EQUAL(done, std::vector<int>(1000, heard ? 0 : 1));
    }
}

TEST(tasks_are_done_once_they_are_announced_and_no_sooner) {
    for (const std::size_t threads : {1, 2, 7}) {
        constexpr std::size_t TASKS = 1000;
        std::vector<int> prepared(TASKS), done(TASKS);
        std::atomic<std::size_t> begun{0};
        share_out(
            TASKS, threads, 3, [] { return 0; },
            [&](int, std::size_t task) {
                done[task] += prepared[task];
                ++begun;
            },
            [&](auto&& announce) {
                for (std::size_t task = 0; task < TASKS; ++task) {
                    prepared[task] = 1;
                    if (task % 10 == 9) announce(task + 1);
                    if (task == TASKS / 2 && threads > 1) {
                        while (begun < TASKS / 4) std::this_thread::yield();  // the others work meanwhile
                    }
                }
                announce(TASKS);
            });
        CHECK_EQUAL(done, std::vector<int>(TASKS, 1));
    }
}

TEST(where_preparing_fails_those_who_wait_for_it_are_sent_home) {
    for (const std::size_t threads : {1, 4}) {
        std::atomic<std::size_t> done{0};
        std::string heard;
        try {
            share_out(
                100, threads, 1, [] { return 0; }, [&](int, std::size_t) { ++done; },
                [&](auto&& announce) {
                    announce(7);
                    while (threads > 1 && done < 7) std::this_thread::yield();
                    throw std::runtime_error("no more");
                });
        } catch (const std::runtime_error& error) {
            heard = error.what();
        }
        CHECK_EQUAL(heard, "no more");
        CHECK_EQUAL(done.load(), std::size_t{threads > 1 ? 7u : 0u});
    }
}

TEST(little_work_takes_one_thread_and_no_task_is_without_one) {
    CHECK_EQUAL(choose_threads(0, 1000, 100), std::size_t{1});
    CHECK_EQUAL(choose_threads(0, 1000, std::size_t{1} << 40), available_cores());
    CHECK_EQUAL(choose_threads(8, 3, 0), std::size_t{3});
    CHECK_EQUAL(choose_threads(8, 100, 0), std::size_t{8});
    CHECK_EQUAL(choose_threads(8, 0, 0), std::size_t{1});
    CHECK(available_cores() >= 1);
}

TEST(a_thread_in_the_middle_of_a_long_task_stops_when_the_caller_is_interrupted) {
    struct Unwanted {};
    const std::thread::id called = std::this_thread::get_id();
    std::atomic<bool> begun{false}, finished{false};
    bool heard = false;
    try {
        const Watch watch([&] { if (begun) throw Unwanted(); }, {});
        share_out(2, 2, 1, [] { return 0; }, [&](int, std::size_t) {
            if (std::this_thread::get_id() == called) {
                while (!begun) std::this_thread::yield();
                return;
            }
            begun = true;
            for (int look = 0; look < 5'000; ++look) {
                Watch::look();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            finished = true;
        });
    } catch (const Unwanted&) {
        heard = true;
    }
    CHECK(heard);
    CHECK(!finished);
}

TEST(a_caller_who_waits_for_other_threads_is_still_asked) {
    struct Unwanted {};
    const std::thread::id called = std::this_thread::get_id();
    std::atomic<bool> begun{false}, finished{false};
    bool heard = false;
    try {
        const Watch watch([&] { throw Unwanted(); }, {});
        const auto wait_for_the_other = [&] {
            while (std::this_thread::get_id() == called && !begun) std::this_thread::yield();
            return 0;
        };
        share_out(1, 2, 1, wait_for_the_other, [&](int, std::size_t) {
            begun = true;
            for (int look = 0; look < 5'000; ++look) {
                Watch::look();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            finished = true;
        });
    } catch (const Unwanted&) {
        heard = true;
    }
    CHECK(heard);
    CHECK(!finished);
}

// Instructions that not every processor has: a loop that gains a tenth by them is compiled with and without them, and
// the processor is asked at run time. AVX2 comes without fused operations, so that floats stay those of Python.
#pragma once

// Not on Windows, where GCC keeps such registers at places that are not aligned, and not in a build that is made to
// measure what they gain.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32) && !defined(BLEUPRINT_BASELINE_ONLY)
#define WITH_AVX2 [[gnu::target("avx2")]]
#endif

namespace bleuprint {

#if defined(WITH_AVX2)
/// Whether the processor, and the system that keeps its registers, can do what is marked as `WITH_AVX2`.
inline bool can_avx2() {
    static const bool can = [] {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") != 0;
    }();
    return can;
}
#endif

}  // namespace bleuprint

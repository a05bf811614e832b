// Fetching: memory that will be read soon.
#pragma once

namespace bleuprint {

/// Ask for memory that will be read soon: texts lie all over the heap, and waiting for each would take longer than
/// splitting it.
inline void fetch_ahead([[maybe_unused]] const void* memory) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(memory);
#endif
}

}  // namespace bleuprint

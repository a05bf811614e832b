// BLEU of rows of token ids: a block of threads takes a row, or a part of it, counts it and scores it.
//
// N-grams become numbers order by order. An n-gram is known by the slot of the table in which it lies: a token by a
// place where the candidate has it, a longer one by the slot of its first n-1 tokens and the slot of its last token,
// both halves of one key. Keys are compared, and a hash only says where to look, so counts are exact. Tokens have
// slots of their own, before the others. The candidate's tokens go into the table, then those of its longer n-grams
// whose tokens are in a reference. The n-grams of the references are looked up: the t-th copy of one in a reference is
// a match if the candidate has more than t copies, and no reference before had more than t.
//
// A row may be shared among the blocks of a cluster: each numbers all tokens, and counts the n-grams that begin with
// some of them.
//
// Where one table for all orders does not fit shared memory, orders come in turn and use the same slots: what an n-gram
// of the order before is called is kept for every place, and what matches no more is left out of the next order.
//
// The file is read by NVRTC, which compiles it for a device, and by any C++ compiler, for which the threads of a block
// take turns between two barriers. BLEUPRINT_ORDER, BLEUPRINT_ID (the type of an id), BLEUPRINT_WAY (0: all orders in
// one table, in shared memory; 1: orders in turn, in shared memory; 2: the same with the lists of places in global memory;
// 3: everything in global memory), BLEUPRINT_SEVERAL (whether rows may have more than one reference) and BLEUPRINT_PARTS
// (the blocks of a row) say what is compiled; for a device also BLEUPRINT_THREADS and BLEUPRINT_RESIDENT, the threads of a
// block and the blocks that one multiprocessor has registers for.

#ifdef __CUDACC__
#define DEVICE __device__ __forceinline__
#define EACH_THREAD { const u32 thread = threadIdx.x;
#define BARRIER } __syncthreads();
#else
#include <cmath>
#include <cstddef>
#include <vector>
#define DEVICE inline
#define EACH_THREAD for (u32 turn = 0; turn < block.threads; ++turn) { const u32 thread = block.whose(turn);
#define BARRIER }
#endif

namespace bleuprint_ids {

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;
static_assert(sizeof(u32) == 4 && sizeof(u64) == 8, "keys are packed into words of these sizes");

constexpr u32 NONE = 0xFFFFFFFFu;
constexpr int HIGHEST_ORDER = 8;

constexpr bool IN_TURN = BLEUPRINT_WAY > 0;
constexpr bool TABLE_IS_SHARED = BLEUPRINT_WAY < 3, LISTS_ARE_SHARED = BLEUPRINT_WAY < 2;
#if BLEUPRINT_WAY < 3
using TableKey = u32;  // two halves of 16 bits, which number all that fits shared memory
#else
using TableKey = u64;
#endif

// ---- what is asked: every field has eight bytes, in the sequence of task.py ------------------------------------------

struct Rows {
    const void* ids;
    i64 outer, inner, step;  // strides, in ids
    i64 columns;
    const void* lengths;
    i64 length_outer, length_inner, length_bytes;  // 0 bytes: no lengths were given
};

enum : i64 { CLOSEST, CLOSEST_FIRST, SHORTEST };
enum : i64 { NO_SMOOTHING, EPSILON, FLOOR, ADD_K, ADD_K_ALL, EXP, NLTK_METHOD4 };
enum : i64 { ABSENT_ZERO, ABSENT_DROP, ABSENT_ONE };
enum : i64 { UNMATCHED_ZERO, UNMATCHED_SMALLEST_FLOAT, UNMATCHED_SKIP };
enum : i64 { NOTHING_ZERO, NOTHING_ZERO_IF_ANY, NOTHING_SMOOTHED };

struct Formula {
    i64 smoothing;
    double smoothing_value;
    i64 absent, unmatched, nothing;
    double scale;
    double weights[HIGHEST_ORDER];
};

struct Task {
    Rows candidates, references;
    const void* counts;  // how many references each row has
    i64 count_step, count_bytes;
    i64 rows, groups, references_each, pairwise;
    i64 pad, eos, has_pad, has_eos;
    i64 token_slots, chain_slots;
    u64 seed;
    char* workspace;
    i64 table_bytes, list_bytes;  // of one block
    i64* statistics;
    double* scores;
    i64 length_rule, at_least_one;
    Formula formula;
};

// ---- threads ---------------------------------------------------------------------------------------------------------

#ifdef __CUDACC__
struct Block {
    u32 threads;
};

template <class Word> DEVICE Word swap_if_equal(Word* at, Word expected, Word next) { return atomicCAS(at, expected, next); }
template <class Word> DEVICE Word add_to(Word* at, Word more) { return atomicAdd(at, more); }

#if __CUDA_ARCH__ >= 800
DEVICE u32 least_of_warp(u32 value) { return __reduce_min_sync(0xFFFFFFFFu, value); }
DEVICE u32 most_of_warp(u32 value) { return __reduce_max_sync(0xFFFFFFFFu, value); }
DEVICE u32 sum_of_warp(u32 value) { return __reduce_add_sync(0xFFFFFFFFu, value); }
#else
DEVICE u32 least_of_warp(u32 value) {
    for (int far = 16; far; far /= 2) value = min(value, __shfl_xor_sync(0xFFFFFFFFu, value, far));
    return value;
}
DEVICE u32 most_of_warp(u32 value) {
    for (int far = 16; far; far /= 2) value = max(value, __shfl_xor_sync(0xFFFFFFFFu, value, far));
    return value;
}
DEVICE u32 sum_of_warp(u32 value) {
    for (int far = 16; far; far /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, far);
    return value;
}
#endif

// Every thread of the block brings its own value; what all of them make of it is there after the next barrier.
DEVICE void share_least(u32* at, u32 value, u32 thread) {
    value = least_of_warp(value);
    if (thread % 32 == 0 && value != NONE) atomicMin(at, value);
}
DEVICE void share_most(u32* at, u32 value, u32 thread) {
    value = most_of_warp(value);
    if (thread % 32 == 0 && value) atomicMax(at, value);
}
DEVICE void share_sum(u32* at, u32 value, u32 thread) {
    value = sum_of_warp(value);
    if (thread % 32 == 0 && value) atomicAdd(at, value);
}
#else
struct Block {
    u32 threads;
    u32 stride;  // coprime to the number of threads: they come in another sequence

    u32 whose(u32 turn) const { return static_cast<u32>(static_cast<u64>(turn) * stride % threads); }
};

static u64 steps_so_far = 0;  // of searches in which something is added

template <class Word> DEVICE Word swap_if_equal(Word* at, Word expected, Word next) {
    ++steps_so_far;
    const Word found = *at;
    if (found == expected) *at = next;
    return found;
}
template <class Word> DEVICE Word add_to(Word* at, Word more) {
    const Word found = *at;
    *at += more;
    return found;
}
DEVICE void share_least(u32* at, u32 value, u32) { *at = value < *at ? value : *at; }
DEVICE void share_most(u32* at, u32 value, u32) { *at = value > *at ? value : *at; }
DEVICE void share_sum(u32* at, u32 value, u32) { *at += value; }
#endif

// ---- rows ------------------------------------------------------------------------------------------------------------

template <class Id> struct View {
    const Id* ids;
    i64 step;

    DEVICE Id operator[](u32 place) const { return ids[static_cast<i64>(place) * step]; }
};

template <class Id> DEVICE View<Id> view_row(const Rows& rows, i64 outer, i64 inner) {
    return {static_cast<const Id*>(rows.ids) + outer * rows.outer + inner * rows.inner, rows.step};
}

DEVICE i64 read_number(const void* numbers, i64 place, i64 bytes) {
    return bytes == 4 ? static_cast<i64>(static_cast<const int*>(numbers)[place]) : static_cast<const i64*>(numbers)[place];
}

// What a look over a row finds: the first id that is no pad, the place after the last, the end before an eos.
struct Look {
    u32 first, after_last, stop, after_last_before_stop;
};

// The tokens of a row: ids from `start` on, `length` of them.
struct Span {
    u32 start, length;
    bool possible;
};

DEVICE bool is_looked_over(const Task& task, const Rows& rows) {
    return !rows.length_bytes && (task.has_pad || task.has_eos);
}
DEVICE bool is_looked_over_twice(const Task& task, const Rows& rows) {
    return is_looked_over(task, rows) && task.has_pad && task.has_eos && task.pad != task.eos;
}

DEVICE void forget(Look& look) { look = {NONE, 0, NONE, 0}; }

template <class Id>
DEVICE void look_over(const Task& task, const Rows& rows, View<Id> row, const Block& block, u32 thread, Look& look) {
    u32 first = NONE, after_last = 0, stop = NONE;
    const u32 columns = static_cast<u32>(rows.columns);
    for (u32 place = thread; place < columns; place += block.threads) {
        const i64 id = static_cast<i64>(row[place]);
        const bool is_pad = task.has_pad && id == task.pad;
        if (!is_pad) {
            first = place < first ? place : first;
            after_last = place + 1;
        }
        // Where pad and eos are one id, a row ends where the pad follows something else: those in front are no end.
        const bool ends = task.has_eos && id == task.eos
                          && (!is_pad || (place > 0 && static_cast<i64>(row[place - 1]) != task.pad));
        if (ends && place < stop) stop = place;
    }
    share_least(&look.first, first, thread);
    share_most(&look.after_last, after_last, thread);
    share_least(&look.stop, stop, thread);
}

template <class Id>
DEVICE void look_again(const Task& task, View<Id> row, const Block& block, u32 thread, Look& look) {
    u32 after_last = 0;
    if (look.stop != NONE) {
        for (u32 place = thread; place < look.stop; place += block.threads) {
            if (static_cast<i64>(row[place]) != task.pad) after_last = place + 1;
        }
    }
    share_most(&look.after_last_before_stop, after_last, thread);
}

DEVICE Span find_span(const Task& task, const Rows& rows, i64 outer, i64 inner, const Look& look) {
    if (rows.length_bytes) {
        const i64 length =
            read_number(rows.lengths, outer * rows.length_outer + inner * rows.length_inner, rows.length_bytes);
        return {0, static_cast<u32>(length), length >= 0 && length <= rows.columns};
    }
    const u32 columns = static_cast<u32>(rows.columns);
    if (!is_looked_over(task, rows)) return {0, columns, true};
    const u32 start = task.has_pad ? look.first : 0;
    u32 end = task.has_pad ? look.after_last : columns;
    if (look.stop != NONE) {
        end = is_looked_over_twice(task, rows) ? look.after_last_before_stop : look.stop;
    }
    return {start, start < end ? end - start : 0, true};
}

// ---- the table -------------------------------------------------------------------------------------------------------

template <class Key> struct Halves;
template <> struct Halves<u32> {
    using Half = unsigned short;
    static constexpr int BITS = 16;
};
template <> struct Halves<u64> {
    using Half = u32;
    static constexpr int BITS = 32;
};

// Where the search for a key begins, and how it goes on: steps are shorter than the number of slots, which is a prime.
struct Search {
    u32 slot, step;
};

DEVICE u32 scale_down(u32 mixed, u32 slots) { return static_cast<u32>(static_cast<u64>(mixed) * slots >> 32); }

DEVICE u64 mix(u64 value) {
    value *= 0x9E3779B97F4A7C15ull;
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93ull;
    return value ^ (value >> 32);  // ids may differ in their upper bits alone: the lower ones, for steps, need them
}
DEVICE u32 mix(u32 value) {
    value *= 0x9E3779B1u;
    return (value ^ (value >> 15)) * 0x85EBCA6Bu;
}
DEVICE u32 upper_bits(u64 mixed) { return static_cast<u32>(mixed >> 32); }
DEVICE u32 upper_bits(u32 mixed) { return mixed; }

// Fill memory in steps of 16 bytes, to which both its beginning and its size are rounded.
DEVICE void fill(void* memory, i64 bytes, u32 value, u32 thread, u32 threads) {
#ifdef __CUDACC__
    uint4* const quads = static_cast<uint4*>(memory);
    for (u32 place = thread; place < bytes / 16; place += threads) quads[place] = make_uint4(value, value, value, value);
#else
    u32* const words = static_cast<u32*>(memory);
    for (u32 place = thread; place < bytes / 4; place += threads) words[place] = value;
#endif
}

template <class Key> struct Table {
    using Half = typename Halves<Key>::Half;
    static constexpr int BITS = Halves<Key>::BITS;
    static constexpr Key ONE = 1, LOW = (ONE << BITS) - 1, UPPER_ONE = ONE << BITS, EMPTY = ~Key(0);
    static constexpr Half NOWHERE = static_cast<Half>(LOW);
    static constexpr u32 STEPS = 64;

    Key* keys;      // of a token: bits of its hash, and a place where the candidate has it
    Key* counts;    // low half: copies in the candidate but the first; upper: the most in a reference, or those in the
                    // only one so far
    u32* tickets;   // copies in this reference so far; not there where there is one reference only
    Look* looks;    // at the references
    Half* candidate_slots;  // of each of its tokens
    Half* reference_slots;
    Half* candidate_names;  // orders in turn: the slot of the n-gram that begins at each place
    Half* reference_names;
    u32 token_slots, chain_slots, chain_start, all_slots;  // all of them, rounded up
    u64 seed;
    static constexpr bool several = BLEUPRINT_SEVERAL;

    DEVICE Search search_token(u64 mixed) const {
        return {scale_down(upper_bits(mixed), token_slots), 1 + static_cast<u32>(mixed) % STEPS};
    }
    DEVICE Search search_chain(Key key) const {
        const Key mixed = mix(static_cast<Key>(key ^ static_cast<Key>(seed)));
        return {chain_start + scale_down(upper_bits(mixed), chain_slots), 1 + static_cast<u32>(mixed) % STEPS};
    }
    DEVICE void next_token(Search& search) const {
        search.slot += search.step;
        if (search.slot >= token_slots) search.slot -= token_slots;
    }
    DEVICE void next_chain(Search& search) const {
        search.slot += search.step;
        if (search.slot >= chain_start + chain_slots) search.slot -= chain_slots;
    }
    static DEVICE Key chain(u32 before, u32 token) { return static_cast<Key>(before) << BITS | token; }
    // Bits of the hash of a token, as they stand in the upper half of its key.
    static DEVICE Key print(u64 mixed) { return static_cast<Key>(mixed >> 6) << BITS; }
    // The part of the row that counts what begins with the token.
    DEVICE u32 part(u32 slot, u32 parts) const { return static_cast<u32>(keys[slot] >> BITS) % parts; }

    template <class Id> DEVICE u32 add_token(View<Id> tokens, u32 place) const {
        const Id id = tokens[place];
        const u64 mixed = mix(static_cast<u64>(id) ^ seed);
        const Key wanted = print(mixed) | place;
        Search search = search_token(mixed);
        for (;;) {
            const Key found = swap_if_equal<Key>(&keys[search.slot], EMPTY, wanted);
            if (found == EMPTY) return search.slot;
            if ((found ^ wanted) <= LOW && tokens[static_cast<u32>(found & LOW)] == id) {
                add_to<Key>(&counts[search.slot], ONE);
                return search.slot;
            }
            next_token(search);
        }
    }
    template <class Id> DEVICE u32 find_token(View<Id> tokens, Id id) const {
        const u64 mixed = mix(static_cast<u64>(id) ^ seed);
        const Key wanted = print(mixed);
        Search search = search_token(mixed);
        for (;;) {
            const Key found = keys[search.slot];
            if (found == EMPTY) return NONE;
            if ((found ^ wanted) <= LOW && tokens[static_cast<u32>(found & LOW)] == id) return search.slot;
            next_token(search);
        }
    }
    DEVICE u32 add_chain(Key key) const {
        Search search = search_chain(key);
        for (;;) {
            const Key found = swap_if_equal<Key>(&keys[search.slot], EMPTY, key);
            if (found == EMPTY) return search.slot;
            if (found == key) {
                add_to<Key>(&counts[search.slot], ONE);
                return search.slot;
            }
            next_chain(search);
        }
    }
    DEVICE u32 find_chain(Key key) const {
        Search search = search_chain(key);
        for (;;) {
            const Key found = keys[search.slot];
            if (found == key) return search.slot;
            if (found == EMPTY) return NONE;
            next_chain(search);
        }
    }

    // Whether a token of the candidate is in a reference, after all of them were numbered; orders in turn: an n-gram.
    DEVICE bool is_shared(u32 slot) const { return several && !IN_TURN ? tickets[slot] != 0 : counts[slot] > LOW; }
    DEVICE bool is_mine(u32 slot, u32 which, u32 parts) const { return parts == 1 || part(slot, parts) == which; }

    // Count a copy of a reference; 1 if it is a match that no reference had before.
    DEVICE u32 take_copy(u32 slot) const {
        if (!several) {
            const Key before = add_to<Key>(&counts[slot], UPPER_ONE);
            return (before >> BITS) <= (before & LOW);
        }
        const u32 ticket = add_to<u32>(&tickets[slot], 1u);
        const Key count = counts[slot];
        return ticket >= (count >> BITS) && ticket <= (count & LOW);
    }

    DEVICE void clear(u32 thread, u32 threads) const {
        fill(keys, static_cast<i64>(all_slots) * sizeof(Key), 0xFFFFFFFFu, thread, threads);
        fill(counts, static_cast<i64>(all_slots) * sizeof(Key), 0, thread, threads);
        if (several) fill(tickets, static_cast<i64>(all_slots) * 4, 0, thread, threads);
    }
    // Keep what a reference had, before the next.
    DEVICE void settle(u32 thread, u32 threads) const {
        for (u32 slot = thread; slot < chain_start + chain_slots; slot += threads) {
            const u32 had = tickets[slot];
            if (!had) continue;
            const Key count = counts[slot], copies = (count & LOW) + 1, most = had < copies ? had : copies;
            if (most > count >> BITS) counts[slot] = most << BITS | (count & LOW);
            tickets[slot] = 0;
        }
    }
};

// Lay the table and the lists out in memory, as plan.py sums them up.
template <class Key> DEVICE Table<Key> lay_table(const Task& task, char* memory, char* lists) {
    using Half = typename Table<Key>::Half;
    Table<Key> table;
    table.token_slots = static_cast<u32>(task.token_slots);
    table.chain_slots = static_cast<u32>(task.chain_slots);
    table.chain_start = IN_TURN ? 0 : table.token_slots;
    table.all_slots = (table.chain_start + table.chain_slots + 3) / 4 * 4;
    table.seed = task.seed;
    table.keys = reinterpret_cast<Key*>(memory);
    table.counts = table.keys + table.all_slots;
    table.tickets = reinterpret_cast<u32*>(table.counts + table.all_slots);
    table.looks = reinterpret_cast<Look*>(table.tickets + (table.several ? table.all_slots : 0));
    const i64 reference_places = task.references_each * task.references.columns;
    table.candidate_slots = reinterpret_cast<Half*>(lists);
    table.reference_slots = table.candidate_slots + task.candidates.columns;
    table.candidate_names = table.reference_slots + reference_places;
    table.reference_names = table.candidate_names + task.candidates.columns;
    return table;
}

// ---- the formula: formula.hpp and smoothing.hpp, with their operations in the same sequence ------------------------------

struct Precision {
    double value;
    bool absent;
};

DEVICE Precision plain_precision(i64 matches, i64 total) {
    if (total) return {static_cast<double>(matches) / static_cast<double>(total), false};
    return {0.0, true};
}

DEVICE Precision fill_precision(i64 total, int unmatched, i64 length, const Formula& formula) {
    const double whole = static_cast<double>(total), halvings = static_cast<double>(1ll << unmatched);
    if (formula.smoothing == EPSILON) return {formula.smoothing_value / (total > 1 ? whole : 1.0), false};
    if (formula.smoothing == FLOOR && total) return {formula.smoothing_value / whole, false};
    if (formula.smoothing == EXP && total) return {1 / (halvings * whole), false};
    if (formula.smoothing == NLTK_METHOD4 && total && length > 1) {
        return {1 / (halvings * formula.smoothing_value / log(static_cast<double>(length))) / whole, false};
    }
    return plain_precision(0, total);
}

DEVICE Precision settle_precision(Precision precision, const Formula& formula) {
    if (precision.absent) {
        if (formula.absent == ABSENT_DROP) return precision;
        return {formula.absent == ABSENT_ONE ? 1.0 : 0.0, false};
    }
    if (precision.value == 0.0) {
        if (formula.unmatched == UNMATCHED_SMALLEST_FLOAT) return {2.2250738585072014e-308, false};
        if (formula.unmatched == UNMATCHED_SKIP) return {1.0, false};
    }
    return precision;
}

// The statistics of a row: lengths, matches, totals.
template <int ORDER> struct Statistics {
    i64 candidate_length, reference_length;
    i64 matches[ORDER], totals[ORDER];
};

template <int ORDER> DEVICE double geometric_mean(const Statistics<ORDER>& row, const Formula& formula) {
    double values[ORDER];
    bool absent[ORDER];
    double kept = 0.0, whole = 0.0;
    int unmatched = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int n = 0; n < ORDER; ++n) {
        const bool adds = formula.smoothing == ADD_K_ALL || (formula.smoothing == ADD_K && n > 0);
        Precision precision;
        if (adds) {
            precision = {(static_cast<double>(row.matches[n]) + formula.smoothing_value)
                             / (static_cast<double>(row.totals[n]) + formula.smoothing_value),
                         false};
        } else if (row.matches[n] || formula.smoothing == NO_SMOOTHING) {
            precision = plain_precision(row.matches[n], row.totals[n]);
        } else {
            precision = fill_precision(row.totals[n], ++unmatched, row.candidate_length, formula);
        }
        precision = settle_precision(precision, formula);
        values[n] = precision.value;
        absent[n] = precision.absent;
        whole += formula.weights[n];
        kept += precision.absent ? 0.0 : formula.weights[n];
    }
    double log_mean = 0.0;
    bool weighted = false;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int n = 0; n < ORDER; ++n) {
        const double weight = formula.weights[n];
        const double used = absent[n] || kept == 0.0 ? 0.0 : kept == whole ? weight : weight / kept * whole;
        const double term = used * log(values[n]);  // of 0: minus infinity
        log_mean += used == 0.0 ? 0.0 : term;
        weighted = weighted || used != 0.0;
    }
    return weighted ? exp(log_mean) : 0.0;
}

template <int ORDER> DEVICE double score(const Statistics<ORDER>& row, const Formula& formula) {
    if (row.candidate_length < 0) return nan("");
    bool any = false, all = true;
    for (int n = 0; n < ORDER; ++n) {
        any = any || row.matches[n];
        all = all && row.matches[n];
    }
    if (row.candidate_length == 0 || (!any && row.reference_length == 0)) return 0.0;
    if (!any && formula.nothing != NOTHING_SMOOTHED) return 0.0;
    if (!all && formula.nothing == NOTHING_ZERO_IF_ANY) return 0.0;
    const bool is_short = row.candidate_length < row.reference_length;
    const double ratio = static_cast<double>(row.reference_length) / static_cast<double>(row.candidate_length);
    return formula.scale * ((is_short ? exp(1 - ratio) : 1.0) * geometric_mean<ORDER>(row, formula));
}

DEVICE i64 choose_length(i64 rule, i64 candidate, i64 chosen, i64 length) {
    const i64 far = length > candidate ? length - candidate : candidate - length;
    const i64 kept = chosen > candidate ? chosen - candidate : candidate - chosen;
    const bool better = rule == SHORTEST  ? length < chosen
                        : rule == CLOSEST ? far < kept || (far == kept && length < chosen)
                                          : far < kept;
    return better ? length : chosen;
}

// ---- a row -----------------------------------------------------------------------------------------------------------

// What the threads of a block share beside the table.
struct Shared {
    Look candidate_look;
    u32 matches[HIGHEST_ORDER];
};

// What every thread knows of a row when its matches are counted.
struct Counted {
    bool possible;
    i64 candidate_length, reference_length;
};

template <int ORDER>
DEVICE void write_row(const Task& task, i64 row, const Statistics<ORDER>& found) {
    if (task.statistics) {
        i64* to = task.statistics + row * (2 + 2 * ORDER);
        to[0] = found.candidate_length;
        to[1] = found.reference_length;
        for (int n = 0; n < ORDER; ++n) {
            to[2 + n] = found.matches[n];
            to[2 + ORDER + n] = found.totals[n];
        }
    }
    if (task.scores) task.scores[row] = score<ORDER>(found, task.formula);
}

template <int ORDER> DEVICE Statistics<ORDER> impossible() {
    Statistics<ORDER> row;
    row.candidate_length = row.reference_length = -1;
    for (int n = 0; n < ORDER; ++n) row.matches[n] = row.totals[n] = -1;
    return row;
}

// Give every token of the candidate its slot, and count it.
template <class Id, class Key>
DEVICE void number_candidate(const Table<Key>& table, View<Id> tokens, u32 length, u32 thread, u32 threads) {
    for (u32 place = thread; place < length; place += threads) {
        table.candidate_slots[place] = static_cast<typename Table<Key>::Half>(table.add_token(tokens, place));
    }
}

// Look the tokens of a reference up. Of an only one, or with orders in turn, they are counted at once: gives this thread's
// matches in this part.
template <class Id, class Key>
DEVICE u32 number_reference(const Table<Key>& table, View<Id> tokens, View<Id> reference, u32 length,
                            typename Table<Key>::Half* slots, u32 part, u32 parts, u32 thread, u32 threads) {
    u32 matches = 0;
    for (u32 place = thread; place < length; place += threads) {
        const u32 slot = table.find_token(tokens, reference[place]);
        slots[place] = static_cast<typename Table<Key>::Half>(slot);  // of NONE: NOWHERE
        if (slot == NONE) continue;
        if (table.several && !IN_TURN) {
            add_to<u32>(&table.tickets[slot], 1u);
        } else {
            const u32 match = table.take_copy(slot);
            if (table.is_mine(slot, part, parts)) matches += match;
        }
    }
    return matches;
}

// Count the longer n-grams of the candidate, as far as all of their tokens are in a reference.
template <int ORDER, class Key>
DEVICE void chain_candidate(const Table<Key>& table, u32 length, u32 part, u32 parts, u32 thread, u32 threads) {
    for (u32 place = thread; place < length; place += threads) {
        u32 slot = table.candidate_slots[place];
        if (!table.is_shared(slot) || (parts > 1 && table.part(slot, parts) != part)) continue;
        for (u32 last = place + 1; last < place + ORDER && last < length; ++last) {
            const u32 token = table.candidate_slots[last];
            if (!table.is_shared(token)) break;
            slot = table.add_chain(Table<Key>::chain(slot, token));
        }
    }
}

// Look the n-grams of a reference up: one is in the candidate only if what it begins with is.
template <int ORDER, class Key>
DEVICE void chain_reference(const Table<Key>& table, const typename Table<Key>::Half* slots, u32 length, u32 part,
                            u32 parts, u32 thread, u32 threads, u32* found) {
    constexpr auto NOWHERE = Table<Key>::NOWHERE;
    for (u32 place = thread; place < length; place += threads) {
        const auto first = slots[place];
        u32 slot = first == NOWHERE ? NONE : static_cast<u32>(first);
        if (slot != NONE && parts > 1 && table.part(slot, parts) != part) slot = NONE;
        if (slot != NONE && table.several) found[0] += table.take_copy(slot);
#ifdef __CUDACC__
#pragma unroll
#endif
        for (u32 more = 1; more < ORDER; ++more) {
            if (slot == NONE || place + more >= length) continue;
            const auto token = slots[place + more];
            slot = token == NOWHERE ? NONE : table.find_chain(Table<Key>::chain(slot, token));
            if (slot != NONE) found[more] += table.take_copy(slot);
        }
    }
}

// Give names to the tokens that longer n-grams of this part may begin with, and drop those that no reference has.
template <class Key>
DEVICE void name_candidate(const Table<Key>& table, u32 length, u32 part, u32 parts, u32 thread, u32 threads) {
    constexpr auto NOWHERE = Table<Key>::NOWHERE;
    for (u32 place = thread; place < length; place += threads) {
        const auto slot = table.candidate_slots[place];
        const bool is_shared = table.is_shared(slot);
        if (!is_shared) table.candidate_slots[place] = NOWHERE;
        table.candidate_names[place] = is_shared && table.is_mine(slot, part, parts) ? slot : NOWHERE;
    }
}
template <class Key>
DEVICE void name_reference(const Table<Key>& table, u64 first, u32 length, u32 part, u32 parts, u32 thread, u32 threads) {
    constexpr auto NOWHERE = Table<Key>::NOWHERE;
    for (u32 place = thread; place < length; place += threads) {
        const auto slot = table.reference_slots[first + place];
        table.reference_names[first + place] = slot != NOWHERE && table.is_mine(slot, part, parts) ? slot : NOWHERE;
    }
}

// Lengthen the names of the candidate by a token, the one so many places after the first, and count what they name.
template <class Key>
DEVICE void lengthen_candidate(const Table<Key>& table, u32 length, u32 more, u32 thread, u32 threads) {
    constexpr auto NOWHERE = Table<Key>::NOWHERE;
    for (u32 place = thread; place < length; place += threads) {
        const auto name = table.candidate_names[place];
        if (name == NOWHERE) continue;
        const auto token = place + more < length ? table.candidate_slots[place + more] : NOWHERE;
        const u32 slot = token == NOWHERE ? NONE : table.add_chain(Table<Key>::chain(name, token));
        table.candidate_names[place] = static_cast<typename Table<Key>::Half>(slot);  // of NONE: NOWHERE
    }
}
// The same for a reference, whose n-grams are looked up: gives this thread's matches.
template <class Key>
DEVICE u32 lengthen_reference(const Table<Key>& table, u64 first, u32 length, u32 more, u32 thread, u32 threads) {
    constexpr auto NOWHERE = Table<Key>::NOWHERE;
    u32 matches = 0;
    for (u32 place = thread; place < length; place += threads) {
        const auto name = table.reference_names[first + place];
        if (name == NOWHERE) continue;
        const auto token = place + more < length ? table.reference_slots[first + place + more] : NOWHERE;
        const u32 slot = token == NOWHERE ? NONE : table.find_chain(Table<Key>::chain(name, token));
        if (slot != NONE) matches += table.take_copy(slot);
        table.reference_names[first + place] = static_cast<typename Table<Key>::Half>(slot);
    }
    return matches;
}
// Drop the names of what no reference has.
template <class Key> DEVICE void drop_unmatched(const Table<Key>& table, u32 length, u32 thread, u32 threads) {
    constexpr auto NOWHERE = Table<Key>::NOWHERE;
    for (u32 place = thread; place < length; place += threads) {
        const auto name = table.candidate_names[place];
        if (name != NOWHERE && !table.is_shared(name)) table.candidate_names[place] = NOWHERE;
    }
}

// Count a part whose candidate is numbered, order after order.
template <int ORDER, class Id, class Key>
DEVICE void count_in_turn(const Task& task, const Table<Key>& table, View<Id> tokens, u32 length, i64 outer,
                          u32 first_reference, u32 references, u32 part, u32 parts, const Block& block, Shared& shared) {
    for (u32 which = 0; which < references; ++which) {
        const Span span = find_span(task, task.references, outer, first_reference + which, table.looks[which]);
        View<Id> reference = view_row<Id>(task.references, outer, first_reference + which);
        reference.ids += static_cast<i64>(span.start) * reference.step;
        EACH_THREAD
            const u32 matches = number_reference<Id, Key>(table, tokens, reference, span.length,
                                                          table.reference_slots + which * task.references.columns, part,
                                                          parts, thread, block.threads);
            share_sum(&shared.matches[0], matches, thread);
        BARRIER
        if (table.several) {
            EACH_THREAD
                table.settle(thread, block.threads);
            BARRIER
        }
    }
    if (ORDER == 1) return;
    EACH_THREAD
        name_candidate<Key>(table, length, part, parts, thread, block.threads);
        for (u32 which = 0; which < references; ++which) {
            const Span span = find_span(task, task.references, outer, first_reference + which, table.looks[which]);
            name_reference<Key>(table, which * task.references.columns, span.length, part, parts, thread, block.threads);
        }
    BARRIER
    for (u32 more = 1; more < ORDER && shared.matches[more - 1]; ++more) {
        EACH_THREAD
            table.clear(thread, block.threads);
        BARRIER
        EACH_THREAD
            lengthen_candidate<Key>(table, length, more, thread, block.threads);
        BARRIER
        for (u32 which = 0; which < references; ++which) {
            const Span span = find_span(task, task.references, outer, first_reference + which, table.looks[which]);
            EACH_THREAD
                const u32 matches = lengthen_reference<Key>(table, which * task.references.columns, span.length, more,
                                                            thread, block.threads);
                share_sum(&shared.matches[more], matches, thread);
            BARRIER
            if (table.several) {
                EACH_THREAD
                    table.settle(thread, block.threads);
                BARRIER
            }
        }
        if (more + 1 < ORDER) {
            EACH_THREAD
                drop_unmatched<Key>(table, length, thread, block.threads);
            BARRIER
        }
    }
}

// Count one part of a row into the shared matches.
template <int ORDER, class Id, class Key>
DEVICE Counted count_part(const Task& task, i64 row, u32 part, u32 parts, const Block& block, Shared& shared,
                          char* memory, char* lists) {
    const Table<Key> table = lay_table<Key>(task, memory, lists);
    u32 outer = static_cast<u32>(row), inner = 0, first_reference = 0;
    if (task.groups > 1) {
        const u32 groups = static_cast<u32>(task.groups);
        inner = outer % groups;
        outer /= groups;
        if (task.pairwise) {
            first_reference = inner;
            inner = outer % groups;
            outer /= groups;
        }
    }
    const i64 given =
        task.count_bytes ? read_number(task.counts, outer * task.count_step, task.count_bytes) : task.references_each;
    const u32 references = given >= 1 && given <= task.references_each ? static_cast<u32>(given) : 0;
    View<Id> tokens = view_row<Id>(task.candidates, outer, inner);

    EACH_THREAD
        if (thread == 0) {
            forget(shared.candidate_look);
            for (int n = 0; n < ORDER; ++n) shared.matches[n] = 0;
        }
        for (u32 which = thread; which < references; which += block.threads) forget(table.looks[which]);
        table.clear(thread, block.threads);
    BARRIER

    const bool looks_at_candidate = is_looked_over(task, task.candidates);
    const bool looks_at_references = is_looked_over(task, task.references);
    if (looks_at_candidate || looks_at_references) {
        EACH_THREAD
            if (looks_at_candidate) look_over(task, task.candidates, tokens, block, thread, shared.candidate_look);
            for (u32 which = 0; looks_at_references && which < references; ++which) {
                const View<Id> reference = view_row<Id>(task.references, outer, first_reference + which);
                look_over(task, task.references, reference, block, thread, table.looks[which]);
            }
        BARRIER
        if (task.has_pad && task.has_eos && task.pad != task.eos) {
            EACH_THREAD
                if (looks_at_candidate) look_again(task, tokens, block, thread, shared.candidate_look);
                for (u32 which = 0; looks_at_references && which < references; ++which) {
                    const View<Id> reference = view_row<Id>(task.references, outer, first_reference + which);
                    look_again(task, reference, block, thread, table.looks[which]);
                }
            BARRIER
        }
    }

    const Span candidate = find_span(task, task.candidates, outer, inner, shared.candidate_look);
    Counted counted = {candidate.possible && references, candidate.length, 0};
    for (u32 which = 0; which < references; ++which) {
        const Span span = find_span(task, task.references, outer, first_reference + which, table.looks[which]);
        counted.possible = counted.possible && span.possible;
        const i64 length = span.length;
        counted.reference_length =
            which ? choose_length(task.length_rule, candidate.length, counted.reference_length, length) : length;
    }
    if (!counted.possible) return counted;

    tokens.ids += static_cast<i64>(candidate.start) * tokens.step;
    EACH_THREAD
        number_candidate<Id, Key>(table, tokens, candidate.length, thread, block.threads);
    BARRIER
    if (IN_TURN) {
        count_in_turn<ORDER, Id, Key>(task, table, tokens, candidate.length, outer, first_reference, references, part,
                                      parts, block, shared);
        return counted;
    }
    EACH_THREAD
        u32 matches = 0;
        for (u32 which = 0; which < references; ++which) {
            const Span span = find_span(task, task.references, outer, first_reference + which, table.looks[which]);
            View<Id> reference = view_row<Id>(task.references, outer, first_reference + which);
            reference.ids += static_cast<i64>(span.start) * reference.step;
            matches += number_reference<Id, Key>(table, tokens, reference, span.length,
                                                 table.reference_slots + which * task.references.columns, part, parts,
                                                 thread, block.threads);
        }
        share_sum(&shared.matches[0], matches, thread);
    BARRIER
    EACH_THREAD
        chain_candidate<ORDER, Key>(table, candidate.length, part, parts, thread, block.threads);
    BARRIER
    if (table.several) {
        EACH_THREAD
            for (u32 slot = thread; slot < table.token_slots; slot += block.threads) table.tickets[slot] = 0;
        BARRIER
    }
    for (u32 which = 0; which < references; ++which) {
        const Span span = find_span(task, task.references, outer, first_reference + which, table.looks[which]);
        EACH_THREAD
            u32 found[ORDER] = {};
            chain_reference<ORDER, Key>(table, table.reference_slots + which * task.references.columns, span.length,
                                        part, parts, thread, block.threads, found);
            for (int n = 0; n < ORDER; ++n) share_sum(&shared.matches[n], found[n], thread);
        BARRIER
        if (which + 1 < references) {
            EACH_THREAD
                table.settle(thread, block.threads);
            BARRIER
        }
    }
    return counted;
}

template <int ORDER> DEVICE void finish_row(const Task& task, i64 row, const Counted& counted, const u32* matches) {
    Statistics<ORDER> found = impossible<ORDER>();
    if (counted.possible) {
        found.candidate_length = counted.candidate_length;
        found.reference_length = counted.reference_length;
        for (int n = 0; n < ORDER; ++n) {
            const i64 total = found.candidate_length - n;
            found.matches[n] = matches[n];
            found.totals[n] = total > task.at_least_one ? total : task.at_least_one;
        }
    }
    write_row<ORDER>(task, row, found);
}

template <int ORDER> DEVICE Statistics<ORDER> read_row(const i64* numbers) {
    Statistics<ORDER> row;
    row.candidate_length = numbers[0];
    row.reference_length = numbers[1];
    for (int n = 0; n < ORDER; ++n) {
        row.matches[n] = numbers[2 + n];
        row.totals[n] = numbers[2 + ORDER + n];
    }
    return row;
}

}  // namespace bleuprint_ids

using namespace bleuprint_ids;

#ifdef __CUDACC__

#if BLEUPRINT_PARTS > 1
#define CLUSTER __cluster_dims__(BLEUPRINT_PARTS, 1, 1)
#else
#define CLUSTER
#endif

extern "C" __global__ void CLUSTER __launch_bounds__(BLEUPRINT_THREADS, BLEUPRINT_RESIDENT)
    count_and_score(const __grid_constant__ Task task) {
    extern __shared__ __align__(16) char shared_memory[];
    __shared__ Shared shared;
    constexpr u32 PARTS = BLEUPRINT_PARTS;
    const Block block{blockDim.x};
    const u32 part = blockIdx.x % PARTS;
    char* own = task.workspace + blockIdx.x * ((TABLE_IS_SHARED ? 0 : task.table_bytes) + task.list_bytes);
    char* memory = TABLE_IS_SHARED ? shared_memory : own;
    char* lists = (LISTS_ARE_SHARED ? shared_memory : own) + (TABLE_IS_SHARED != LISTS_ARE_SHARED ? 0 : task.table_bytes);
    for (i64 row = blockIdx.x / PARTS; row < task.rows; row += gridDim.x / PARTS) {
        const Counted counted =
            count_part<BLEUPRINT_ORDER, BLEUPRINT_ID, TableKey>(task, row, part, PARTS, block, shared, memory, lists);
#if BLEUPRINT_PARTS > 1
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
        if (part == 0 && threadIdx.x == 0) {
            u32 matches[BLEUPRINT_ORDER] = {};
            for (u32 other = 0; other < PARTS; ++other) {
                const Shared* its = static_cast<Shared*>(__cluster_map_shared_rank(&shared, other));
                for (int n = 0; n < BLEUPRINT_ORDER; ++n) matches[n] += its->matches[n];
            }
            finish_row<BLEUPRINT_ORDER>(task, row, counted, matches);
        }
        __cluster_barrier_arrive();  // what the first part reads must not be gone
        __cluster_barrier_wait();
#else
        if (threadIdx.x == 0) finish_row<BLEUPRINT_ORDER>(task, row, counted, shared.matches);
        __syncthreads();
#endif
    }
}

extern "C" __global__ void __launch_bounds__(256) score_statistics(const __grid_constant__ Task task) {
    const i64 row = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= task.rows) return;
    const i64* numbers = task.statistics + row * (2 + 2 * BLEUPRINT_ORDER);
    task.scores[row] = score<BLEUPRINT_ORDER>(read_row<BLEUPRINT_ORDER>(numbers), task.formula);
}

#else

// The same for every row, part after part, the threads of a block in turns; memory is never found empty.
extern "C" void count_and_score(const Task* task, u32 threads, u32 stride) {
    const Block block{threads, stride};
    const auto garbage = [](i64 bytes) {
        return std::vector<u64>(static_cast<std::size_t>(bytes + 7) / 8, 0xA5A5A5A5A5A5A5A5ull);
    };
    std::vector<u64> memory = garbage(task->table_bytes), lists = garbage(task->list_bytes);
    Shared shared;
    for (i64 row = 0; row < task->rows; ++row) {
        Counted counted{};
        u32 matches[BLEUPRINT_ORDER] = {};
        for (u32 part = 0; part < BLEUPRINT_PARTS; ++part) {
            counted = count_part<BLEUPRINT_ORDER, BLEUPRINT_ID, TableKey>(
                *task, row, part, BLEUPRINT_PARTS, block, shared, reinterpret_cast<char*>(memory.data()),
                reinterpret_cast<char*>(lists.data()));
            for (int n = 0; n < BLEUPRINT_ORDER; ++n) matches[n] += shared.matches[n];
        }
        finish_row<BLEUPRINT_ORDER>(*task, row, counted, matches);
    }
}

extern "C" void score_statistics(const Task* task) {
    for (i64 row = 0; row < task->rows; ++row) {
        const i64* numbers = task->statistics + row * (2 + 2 * BLEUPRINT_ORDER);
        task->scores[row] = score<BLEUPRINT_ORDER>(read_row<BLEUPRINT_ORDER>(numbers), task->formula);
    }
}

extern "C" u64 task_size() { return sizeof(Task); }
extern "C" u64 count_steps() { return steps_so_far; }

#endif

// What the kernel's tests need: tests that register themselves, and checks that say where they failed.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Registered {
    Registered(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline void fail(const char* file, int line, const std::string& what) {
    ++failures();
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
}

template <class Value>
void print(std::ostream& out, const Value& value) {
    if constexpr (requires { out << value; }) {
        out << value;
    } else {
        out << "[";
        for (const auto& one : value) print(out << " ", one);
        out << " ]";
    }
}

template <class Found, class Expected>
void equal(const Found& found, const Expected& expected, const char* text, const char* file, int line) {
    if (found == expected) return;
    std::ostringstream what;
    what.precision(17);
    print(what << text << " is ", found);
    print(what << ", not ", expected);
    fail(file, line, what.str());
}

}  // namespace check

#define TEST(name)                                             \
    static void name();                                        \
    static const check::Registered registered_##name(#name, name); \
    static void name()

#define CHECK(condition) \
    if (!(condition)) check::fail(__FILE__, __LINE__, #condition)
#define CHECK_EQUAL(found, expected) check::equal(found, expected, #found, __FILE__, __LINE__)

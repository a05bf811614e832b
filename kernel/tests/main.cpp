// Runs every test of the kernel; the exit code is 0 if all of them hold.
#include "check.hpp"

int main() {
    for (const check::Test& test : check::tests()) {
        const int before = check::failures();
        test.run();
        if (check::failures() != before) std::fprintf(stderr, "failed: %s\n", test.name);
    }
    std::printf("%zu tests, %d failures\n", check::tests().size(), check::failures());
    return check::failures() ? 1 : 0;
}

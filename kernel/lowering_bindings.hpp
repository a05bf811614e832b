// Lower case, where the kernel needs Python for it: what letters become, and texts that only Python can lower.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "lowering.hpp"
#include "python_objects.hpp"

namespace bleuprint {

/// How Python lowers the letters that two bytes of UTF-8 can hold. A sigma at the end of a word becomes another letter
/// than elsewhere.
inline std::unique_ptr<const Lowering> ask_python_for_lowering() {
    constexpr std::uint32_t SIGMA = 0x3A3;
    auto made = std::make_unique<Lowering>();
    for (std::uint32_t code = Lowering::FIRST; code <= Lowering::LAST; ++code) {
        const nb::object letter = made_by_python(PyUnicode_FromOrdinal(static_cast<int>(code)));
        const nb::object lowered = letter.attr("lower")();
        const bool is_one = code != SIGMA && PyUnicode_GetLength(lowered.ptr()) == 1;
        made->set(code, is_one ? PyUnicode_ReadChar(lowered.ptr(), 0) : 0);
    }
    return made;
}

/// The same, kept for the whole life of the process. No lock is held while Python runs: two threads may both ask, and the
/// first answer stays.
inline const Lowering& lowering_of_python() {
    static std::atomic<const Lowering*> known = nullptr;
    const Lowering* lowering = known.load(std::memory_order_acquire);
    if (lowering) return *lowering;
    auto made = ask_python_for_lowering();
    return *(known.compare_exchange_strong(lowering, made.get()) ? made.release() : lowering);
}

/// Has a corpus lowered on the way, as a recipe's option `case` says: all of Unicode, or ASCII alone. Texts that the kernel
/// cannot lower are lowered here, by Python, and live as long as this.
class LoweredByPython {
public:
    LoweredByPython(TextCorpus& corpus, std::string_view text_case) {
        if (text_case == "mixed") return;
        static const Lowering ascii;
        const bool ascii_alone = text_case == "lower-ascii";
        const Lowering& lowering = ascii_alone ? ascii : lowering_of_python();
        corpus.lower_with(lowering);
        if (ascii_alone) return;
        const nb::object lower = nb::handle(reinterpret_cast<PyObject*>(&PyUnicode_Type)).attr("lower");
        for (auto* texts : {&corpus.candidates, &corpus.references}) {
            for (std::string_view& text : *texts) {
                if (lowering.can_lower(text)) continue;
                held_.push_back(lower(nb::str(text.data(), text.size())));
                text = view_text(held_.back().ptr());
            }
        }
    }

private:
    std::vector<nb::object> held_;
};

}  // namespace bleuprint

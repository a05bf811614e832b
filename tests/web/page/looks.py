"""How the page looks and to whom: axe, widths, themes, and what has the focus."""

from __future__ import annotations

from page.driver import Driver

AXE_RUN = """async () => {
    const found = await axe.run(document, { rules: { "target-size": { enabled: true } } });
    return found.violations.map((one) => `${one.id}: ${one.help}: ` +
        one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} (${node.failureSummary})`).join("; "));
}"""


WIDER = """() => {
    const width = document.documentElement.clientWidth;
    const clipped = (one) => one.closest(".bp-scroll, .bp-hidden, math, textarea, .skip");
    return [document.documentElement.scrollWidth <= width,
        [...document.body.querySelectorAll("*")].filter((one) => !clipped(one) &&
            one.getBoundingClientRect().right > width + 1).map((one) => one.outerHTML.slice(0, 80))];
}"""


LOOKS = {
    "wide": {},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 640}},
    "narrow-dark": {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark"},
}


def check_with_axe(driver: Driver) -> None:
    found = driver.page.evaluate(AXE_RUN)
    assert not found, "\n\n".join(found)


FOCUS = """() => { const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
    return { name: one.id || one.classList[0] || one.tagName, seen: style.outlineStyle !== "none" &&
        parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.bottom > 0 && box.top < innerHeight,
        body: one === document.body }; }"""

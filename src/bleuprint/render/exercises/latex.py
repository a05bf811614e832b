r"""Exercises in LaTeX: a complete document, the solution on a page of its own. It needs ``booktabs`` alone."""

from __future__ import annotations

from collections.abc import Collection

from bleuprint.lessons.exercises import Exercise
from bleuprint.render.exercises import words
from bleuprint.render.latex import escape


def render(exercise: Exercise, parts: Collection[str] = words.EXERCISE_PARTS) -> str:
    """Write the worksheet, the solution, or both."""
    lines = [
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{booktabs}",
        r"\setlength{\parindent}{0pt}\setlength{\parskip}{0.6em}",
        r"\begin{document}",
        rf"\section*{{{_set(words.title_of(exercise))}}}",
    ]
    if words.WORKSHEET in parts:
        lines += _write_worksheet(exercise)
    if words.SOLUTION in parts:
        lines += [
            *([r"\clearpage"] if words.WORKSHEET in parts else []),
            rf"\section*{{{words.SOLUTION_TITLE}}}",
            *_write_solution(exercise),
        ]
    return "\n".join([*lines, r"\end{document}", ""])


def _write_worksheet(exercise: Exercise) -> list[str]:
    *rules, _ = words.list_rules(exercise)
    texts = [rf"\item[{_set(named.name)}] {_set(named.text)}" for named in words.list_texts(exercise)]
    room = [rf"\item[${_symbol(name)}$] $=$ \underline{{\hspace{{5cm}}}}" for name in exercise.names]
    return [
        *(line for rule in rules for line in (_set(rule), "")),
        r"\[ \mathrm{BP} = \left\{\begin{array}{ll} 1 & c \ge r \\ e^{1 - r/c} & c < r \end{array}\right."
        rf" \qquad {_bleu_rule(exercise)} \]",
        r"\begin{description}",
        *texts,
        r"\end{description}",
        _set(words.ANSWER_HINT),
        r"\begin{description}\setlength{\itemsep}{1.5em}",
        *room,
        r"\end{description}",
    ]


def _write_solution(exercise: Exercise) -> list[str]:
    rows = [
        f"${_symbol(quantity.name)}$ & {'' if quantity.exact is None else quantity.exact} & {quantity.decimal} \\\\"
        for quantity in exercise.solution
    ]
    counted = [rf"\item {step.order}-grams: {_set(step.counted)}" for step in words.tell_orders(exercise)]
    return [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"asked & fraction & decimal \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\begin{itemize}",
        *counted,
        r"\end{itemize}",
        *(rf"\[ {step} \]" for step in _list_steps(exercise)),
    ]


def _list_steps(exercise: Exercise) -> list[str]:
    stats, known = words.score_of(exercise).stats, {quantity.name: quantity for quantity in exercise.solution}
    steps = []
    for step in words.tell_orders(exercise):
        quantity = known[f"p{step.order}"]
        fractions = dict.fromkeys([rf"\frac{{{step.used}}}{{{step.total}}}", _fraction(str(quantity.exact))])
        steps.append(" = ".join([_symbol(quantity.name), *fractions, quantity.decimal]))
    c, r = stats.candidate_length, stats.reference_length
    power = rf"e^{{1 - {r}/{c}}} = {known['BP'].decimal}"
    sign, value = (r"\ge", "1") if c >= r else ("<", power)
    steps.append(rf"c = {c} {sign} r = {r}, \qquad \mathrm{{BP}} = {value}")
    precisions = r" \cdot ".join(_fraction(str(known[name].exact)) for name in exercise.names[:-2])
    values = rf"{known['BP'].decimal} \cdot \left({precisions}\right)^{{1/{exercise.level.order}}}"
    return [*steps, f"{_bleu_rule(exercise)} = {values} = {known['BLEU'].decimal}"]


def _bleu_rule(exercise: Exercise) -> str:
    precisions = r" \cdot ".join(_symbol(name) for name in exercise.names[:-2])
    return rf"\mathrm{{BLEU}} = \mathrm{{BP}} \cdot ({precisions})^{{1/{exercise.level.order}}}"


def _symbol(name: str) -> str:
    return f"p_{{{name[1:]}}}" if name.startswith("p") else rf"\mathrm{{{name}}}"


def _fraction(text: str) -> str:
    above, _, below = text.partition("/")
    return rf"\frac{{{above}}}{{{below}}}" if below else above


def _set(text: str) -> str:
    return escape(text).replace("×", r"$\times$")

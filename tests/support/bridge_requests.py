"""A valid request for every action of the bridge, each made from the answers before it, as the page does."""

from bleuprint.web.bridge import handle

RECIPE = {"base": "paper", "order": "2", "case": "lower"}
SEGMENT = {"candidate": "the cat is on mat", "references": ["the cat is on the mat", "a cat"], "recipe": RECIPE}
SEGMENTS = [["the cat", ["the cat sat", "a"]], ["it", ["it is"]]]
FILES = [{"name": "a.txt", "text": "the cat\nit"}, {"name": "b.txt", "text": "the cat sat\nit is"}]
WAY = {"from": "nltk", "to": "sacrebleu"}


def ask(action, **request):
    answer = handle({"action": action, **request})
    assert answer["ok"], answer
    return answer


def list_requests():
    """List valid requests: action and the rest."""
    yield "recipe", {"recipe": RECIPE}
    yield "example", {"mode": "compare"}
    yield "explain", {**SEGMENT, "before": {**SEGMENT, "candidate": "the cat"}}
    for action in ("dialects", "segment-read", "what-if"):
        yield action, SEGMENT
    yield "selftest", {}
    yield "edit", {**SEGMENT, "place": 1, "to": "dog"}
    yield "details", {**SEGMENT, "all_tokens": True, "shade_order": 2}
    yield "ngrams", {**SEGMENT, "order_shown": 1, "page": 0}
    yield "ngrams", {**SEGMENT, "order_shown": 1, "side": "reference-0", "place": 0}
    yield "export", {**SEGMENT, "format": "json"}
    yield from _list_corpus()
    yield from _list_compare()
    yield from _list_reconcile()
    yield from _list_identify()
    for action in ("exercise", "exercise-check", "exercise-solution"):
        yield action, {"seed": "7", "level": "2", "answers": {"p1": "1", "BP": "0.67", "BLEU": "none"}}
    yield "learn", {"lesson": "own", "step": "clip", "segments": SEGMENTS, "recipe": RECIPE, "focus": 1, "order": 1}


def _list_corpus():
    yield "corpus-read", {"recipe": RECIPE, "files": FILES}
    texts = {"recipe": RECIPE, "segments": SEGMENTS}
    yield "corpus-count", texts
    counted = ask("corpus-count", **texts)
    held = {**texts, "rows": counted["rows"], "plain": counted["plain"], "documents": ["d", "e"]}
    view = {"sort": "score", "descending": True, "page": 0, "bin": 0, "among": [0]}
    yield "corpus-result", {**held, **view}
    yield "corpus-export", {**held, "format": "json"}


def _list_compare():
    other = {"name": "two", "text": "a cat\nis"}
    form = {"recipe": RECIPE, "segments": SEGMENTS, "name": "one", "systems": [other], "with_first": True}
    yield "compare-read", form
    read = ask("compare-read", **form)
    texts = {name: read[name] for name in ("names", "candidates", "references", "baseline")}
    settings = {"test": "bootstrap", "resamples": "100", "confidence": "0.9", "seed": "7"}
    texts |= {"recipe": RECIPE, "more": ["ter"], **settings}
    yield "compare-count", texts
    tables = ask("compare-count", **texts)["tables"]
    drawn = [{"recipe": {"base": "ter"} if place else RECIPE, "tables": own, **settings, "start": 0}
             for place, own in enumerate(tables)]  # fmt: skip
    yield "compare-draw", {**drawn[0], "count": 3}
    yield "compare-swap", {**drawn[1], "count": 3}
    scores = [ask("compare-draw", **one, count=100)["scores"] for one in drawn]
    held = {**texts, "tables": tables, "scores": scores, "extremes": [[3], [4]], "documents": ["d", "e"]}
    yield "compare-result", held
    yield "compare-export", {**held, "format": "json"}


def _list_reconcile():
    for form in (WAY, {"all": True, "most_references": 2}):
        texts = {**form, "segments": SEGMENTS}
        yield "reconcile-count", texts
        held = {**texts, "tables": ask("reconcile-count", **texts)["tables"]}
        yield "reconcile-result", held
        yield "reconcile-export", {**held, "format": "json"}


def _list_identify():
    form = {"segments": SEGMENTS, "reported": "33.8", "systems": [{"text": "a\nb", "reported": "1.0"}], "metric": "ter"}
    yield "identify-read", form
    read = ask("identify-read", **form)
    texts = {"segments": SEGMENTS, "others": read["others"], "metric": "ter"}
    yield "identify-part", {**texts, "part": 0}
    scores = ask("identify-part", **texts, part=0, count=read["next"]["until"])["scores"]
    held = {**texts, "reported": read["reported"], "scores": scores}
    yield "identify-result", held
    yield "identify-export", {**held, "format": "json"}

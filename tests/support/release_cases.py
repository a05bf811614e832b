"""A release of another tool against the drop-in, and against itself accelerated; it must come first on the path.

``python release_cases.py nltk`` prints which release it found, how many results were compared, and those that differ.
"""

import json
import random
import sys
import warnings
from importlib.metadata import version
from itertools import product

from bleuprint.compat import accelerate

WORDS = ("the", "The", "cat", "cat.", "a", "b", "on", "1.5", "don't", "“so”", "中文", "&amp;")


def draw_corpora(number=40):
    """Small corpora with empty texts, copies of references, and several references of different lengths."""
    chance = random.Random(7)

    def text():
        return " ".join(chance.choices(WORDS, k=chance.choice((0, 1, 2, 4, 6, 9))))

    for _ in range(number):
        size, most = chance.randint(1, 4), chance.randint(1, 3)
        references = [[text() for _ in range(most)] for _ in range(size)]
        candidates = [chance.choice((text(), chance.choice(own))) for own in references]
        yield candidates, references


def try_call(call, *given, **options):
    """What a call gives, or which error it raises; drop-ins have their own words for that."""
    try:
        return repr(call(*given, **options))
    except Exception as error:
        return f"Error: {type(error).__name__}"


def nltk_results(of_bleu, of_chrf):
    smoothing = of_bleu.SmoothingFunction()
    methods = [None, *(getattr(smoothing, f"method{number}") for number in range(1, 8))]
    for candidates, references in draw_corpora():
        tokens = [text.split() for text in candidates]
        others = [[text.split() for text in own] for own in references]
        for method in methods:
            yield try_call(of_bleu.corpus_bleu, others, tokens, smoothing_function=method)
        yield try_call(of_bleu.corpus_bleu, others, tokens, [(1.0,), (0.5, 0.5)], auto_reweigh=True)
        yield try_call(of_bleu.sentence_bleu, others[0], tokens[0])
        yield try_call(of_chrf.corpus_chrf, [own[0] for own in references], candidates)
        yield try_call(of_chrf.sentence_chrf, references[0][0], candidates[0])


def try_nltk():
    import nltk.translate.bleu_score
    import nltk.translate.chrf_score

    from bleuprint.compat import nltk as own_bleu
    from bleuprint.compat.nltk import chrf_score as own_chrf

    theirs = (nltk.translate.bleu_score, nltk.translate.chrf_score)
    return (lambda: nltk_results(*theirs)), (lambda: nltk_results(own_bleu, own_chrf))


def print_score(metric, candidates, streams, **options):
    return metric.corpus_score(candidates, streams, **options).format(9)


def sacrebleu_results(metrics):
    for candidates, references in draw_corpora():
        streams = list(map(list, zip(*references, strict=True)))
        for tokenize, smooth in (("13a", "exp"), ("intl", "floor"), ("zh", "add-k"), ("char", "none")):
            metric = metrics.BLEU(tokenize=tokenize, smooth_method=smooth, lowercase=tokenize == "intl")
            yield try_call(print_score, metric, candidates, streams)
        yield try_call(metrics.BLEU(effective_order=True).sentence_score, candidates[0], references[0])
        for word_order, normalized in product((0, 2), (False, True)):
            yield try_call(print_score, metrics.CHRF(word_order=word_order), candidates, streams)
            yield try_call(print_score, metrics.TER(normalized=normalized), candidates, streams)
        yield try_call(print_score, metrics.BLEU(), candidates, streams, n_bootstrap=20)


def try_sacrebleu():
    import sacrebleu.metrics
    import sacrebleu.significance

    from bleuprint.compat.sacrebleu import metrics as own

    def compare():
        corpora = list(draw_corpora())
        candidates = [text for texts, _ in corpora for text in texts]
        references = [own[0] for _, texts in corpora for own in texts]
        systems = [("a", candidates), ("b", references[::-1]), ("c", candidates[::-1])]
        for kind in ("bs", "ar"):
            metrics = {"BLEU": sacrebleu.metrics.BLEU(references=[references])}
            _, results = sacrebleu.significance.PairedTest(systems, metrics, None, kind, 50, 0)()
            yield repr(results)

    def everything():
        yield from sacrebleu_results(sacrebleu.metrics)
        yield from compare()

    return everything, lambda: sacrebleu_results(own)


def torchmetrics_results():
    from torchmetrics.functional.text import bleu_score, chrf_score, sacre_bleu_score, translation_edit_rate
    from torchmetrics.text import BLEUScore, CHRFScore, SacreBLEUScore, TranslationEditRate

    for candidates, references in draw_corpora(8):
        for smooth in (False, True):
            yield try_call(bleu_score, candidates, references, smooth=smooth)
        for tokenize in ("none", "13a", "zh", "intl", "char"):
            yield try_call(sacre_bleu_score, candidates, references, tokenize=tokenize)
        yield try_call(chrf_score, candidates, references)
        yield try_call(translation_edit_rate, candidates, references)
        for kind in (BLEUScore, SacreBLEUScore, CHRFScore, TranslationEditRate):
            metric = kind()
            metric.update(candidates, references)
            yield try_call(metric.compute)


def try_torchmetrics():
    return torchmetrics_results, lambda: ()  # there is no drop-in


TOOLS = {"nltk": try_nltk, "sacrebleu": try_sacrebleu, "torchmetrics": try_torchmetrics}


def main(tool):
    warnings.simplefilter("ignore")
    score, score_by_drop_in = TOOLS[tool]()
    plain = list(score())
    with accelerate(tool) as running:
        fast = list(score())
    again, own = list(score()), list(score_by_drop_in())
    differing = [
        (place, kind, mine, theirs)
        for kind, results, expected in (
            ("accelerated", fast, plain),
            ("restored", again, plain),
            ("drop-in", own, plain[: len(own)]),
        )
        for place, (mine, theirs) in enumerate(zip(results, expected, strict=True))
        if mine != theirs
    ]
    print(
        json.dumps(
            {
                "release": version(tool),
                "names": running.names,
                "compared": len(plain),
                "numbers": sum(not result.startswith("Error") for result in plain),
                "by_drop_in": len(own),
                "differing": differing[:5],
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])

"""TER by hand: edits, shifts, limits and empties, and what an explanation shows of them."""

import json
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.compat.sacrebleu.metrics import lib_ter
from bleuprint.metrics.ter import explain, shifts
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.counting import PARTS, TerStats, count_words, ter_layout
from bleuprint.metrics.ter.distances import Distances
from bleuprint.metrics.ter.explain import TerEvidence
from bleuprint.metrics.ter.shifts import MOST_TRIED, Shift, search_shifts
from bleuprint.render import render
from bleuprint.render.html.report import render_report
from bleuprint.scoring import text_notes
from engine_pair import NATIVE, PYTHON
from packages import optional
from score_values import values_of

pa = optional("pyarrow")
arrow = optional("bleuprint.adapters.arrow")

TER, TORCHMETRICS = bp.Recipe.named("ter"), bp.Recipe.named("torchmetrics-ter")
BOTH = pytest.mark.parametrize("recipe", [TER, TORCHMETRICS], ids=["ter", "torchmetrics-ter"])
WORDS = st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join)
CORPORA = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=4)
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "conformance" / "more_vectors.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"] if VECTORS.exists() else {}


def stats_of(candidate, references, recipe="ter"):
    return bp.score_sentence(candidate, references, recipe).stats


def edits_of(candidate, references, recipe="ter"):
    """Insertions, deletions, substitutions and shifts."""
    return stats_of(candidate, references, recipe).to_row()[2:]


class TestByHand:
    def test_a_word_that_is_missing_is_an_insertion(self):
        scored = bp.score_sentence("the cat is on mat", "the cat is on the mat", "ter")
        assert scored.stats == TerStats(5, 6 * PARTS, insertions=1)
        assert (scored.edits, scored.reference_length, scored.score) == (1, 6.0, 100 * (1 / 6))

    @pytest.mark.parametrize(
        ("candidate", "reference", "edits"),
        [
            ("the big cat", "the cat", (0, 1, 0, 0)),
            ("the dog", "the cat", (0, 0, 1, 0)),
            ("let go it", "let it go", (0, 0, 0, 1)),
            ("The CAT", "the cat", (0, 0, 0, 0)),
            ("a b c d e f", "d e f a b c", (0, 0, 0, 1)),
            ("b a d c", "a b c d", (0, 0, 0, 2)),
            ("a b", "c d e", (1, 0, 2, 0)),
        ],
    )
    def test_edits(self, candidate, reference, edits):
        assert edits_of(candidate, reference) == edits

    def test_a_shift_is_one_edit_however_many_words_move(self):
        ten = "a b c d e f g h i j"
        assert edits_of(f"x y z {ten}", f"{ten} x y z") == (0, 0, 0, 1)

    def test_no_more_than_ten_words_move_at_once_and_nine_in_torchmetrics(self):
        ten, others = list("abcdefghij"), list("klmnopqrst")
        candidate, reference = " ".join([*others, *ten]), " ".join([*ten, *others])
        assert edits_of(candidate, reference) == (0, 0, 0, 1)
        assert edits_of(candidate, reference, TER.replace(longest_shift=9)) == (0, 0, 0, 2)
        assert edits_of(candidate, reference, TORCHMETRICS) == (0, 0, 0, 2)

    def test_words_further_than_fifty_places_away_stay(self):
        for away, edits in ((50, (0, 0, 0, 1)), (51, (1, 1, 0, 0))):
            rest = [str(number) for number in range(away)]
            # The words between are moved by one place, so the one word that is left out of line must go all the way.
            assert edits_of(" ".join(["x", *rest]), " ".join([*rest, "x"])) == edits

    def test_the_reference_with_the_fewest_edits_counts_over_the_mean_length_of_all(self):
        scored = bp.score_sentence("a b c", ["a b c d e f", "a b x", "a b"], "ter")
        assert scored.stats == TerStats(3, (6 + 3 + 2) * PARTS // 3, substitutions=1)
        assert scored.score == pytest.approx(100 * 1 / (11 / 3), rel=1e-15)

    def test_of_references_with_equally_few_edits_the_first_counts(self):
        assert edits_of("a b", ["a b c", "a"]) == (1, 0, 0, 0)
        assert edits_of("a b", ["a", "a b c"]) == (0, 1, 0, 0)

    def test_a_corpus_sums_edits_and_lengths(self):
        scored = bp.score(["let go it", "a b"], [["let it go"], ["a b c", "a b"]], "ter")
        assert (scored.edits, scored.reference_length) == (1, 5.5)
        assert scored.score == pytest.approx(100 / 5.5, rel=1e-15)

    def test_scores_may_exceed_100_and_a_note_says_so(self):
        scored = bp.score_sentence("a b c d", "x", "ter")
        assert scored.score == 400.0
        assert [note.code for note in scored.notes] == ["above-hundred"]


class TestEmpties:
    def test_an_empty_candidate_has_100_but_0_in_torchmetrics(self):
        ours, theirs = (bp.score_sentence("", "a b c", recipe) for recipe in (TER, TORCHMETRICS))
        assert (ours.score, ours.stats.insertions) == (100.0, 3)
        assert (theirs.score, theirs.edits) == (0.0, 0)
        assert [note.code for note in ours.notes] == [note.code for note in theirs.notes] == ["empty-candidate"]

    @BOTH
    def test_an_empty_reference_has_100(self, recipe):
        for scored in (bp.score_sentence("a b c", "", recipe), bp.score(["a b c"], [""], recipe)):
            assert (scored.score, scored.fraction, scored.combination.fraction) == (100.0, 1.0, 1.0)
            assert scored.stats == TerStats(3, 0, deletions=3)
        assert "empty-reference" in [note.code for note in bp.score_sentence("a b c", "", recipe).notes]

    @BOTH
    def test_two_empty_texts_have_0(self, recipe):
        scored = bp.score_sentence("", " ", recipe)
        assert (scored.score, scored.edits) == (0.0, 0)
        assert "empty-reference" in [note.code for note in scored.notes]

    def test_empties_of_a_corpus_are_counted_in_notes(self):
        scored = bp.score(["", "a b", "c"], ["x y", "", "c"], "ter")
        assert (scored.census.empty_candidates, scored.census.empty_references) == (1, 1)
        assert {"empty-candidates", "empty-references"} <= {note.code for note in scored.notes}
        assert scored.score == pytest.approx(100 * 4 / 3)


class TestNotesOnTexts:
    def notes(self, candidates, references, recipe="ter"):
        return {note.code: note.text for note in bp.score(candidates, references, recipe).notes}

    def test_turned_references_are_noticed_though_lower_is_better(self):
        candidates, columns = ["a b c", "d e f"], [["a b c", "d e f"], ["a b x", "d e y"]]
        assert "transposed" in self.notes(candidates, columns)
        assert "transposed" not in self.notes(candidates, list(zip(*columns, strict=True)))

    def test_script_without_spaces_needs_choices_that_split_it(self):
        chinese = ["我们今天去看电影吧"]
        assert "normalized yes with asian yes" in self.notes(chinese, chinese)["unspaced-script"]
        split = TER.replace(normalized="yes", asian="yes")
        assert "unspaced-script" not in self.notes(chinese, chinese, split)

    def test_an_empty_reference_beside_others_lowers_the_mean_length(self):
        text = self.notes(["a"], [["a b", ""]])["empty-reference-texts"]
        assert "averaged" in text
        assert "brevity" not in text


@pytest.mark.needs("pyarrow")
class TestLimits:
    def test_sixteen_references_are_averaged_exactly(self):
        references = [" ".join("a" * length) for length in range(16)]
        assert stats_of("a", references).reference_length == sum(range(16)) / 16

    @pytest.mark.parametrize("engine", [NATIVE, PYTHON], ids=["native", "python"])
    def test_more_are_refused_with_the_place_of_the_segment(self, engine, monkeypatch):
        monkeypatch.setattr("bleuprint.scoring.verbs.find_engine", lambda: engine)
        references = [["a"], ["b"] * 17, ["c"]]
        with pytest.raises(
            bp.BleuprintError, match=r"references\[1\]: expected 1 to 16 references .*, got 17"
        ) as found:
            bp.score(["a", "b", "c"], references, "ter")
        assert found.value.location.position == 1

    def test_of_one_segment_the_argument_is_named(self):
        for call in (bp.score_sentence, bp.Accumulator("ter").add):
            arguments = ("a", ["b"] * 17, "ter") if call is bp.score_sentence else ("a", ["b"] * 17)
            with pytest.raises(bp.BleuprintError, match=r"^references: expected 1 to 16 references for TER, got 17"):
                call(*arguments)

    @pytest.mark.parametrize("command", ["score", "segments"])
    def test_in_a_file_the_line_is_named_however_far_down_it_is(self, command, tmp_path, run):
        file, line = tmp_path / "texts.jsonl", 17_000
        segments = [{"candidate": "a", "references": ["a"] * (17 if n == line else 1)} for n in range(1, line + 9)]
        file.write_text("".join(json.dumps(segment) + "\n" for segment in segments), encoding="utf-8")
        done = run(command, file, "-m", "ter")
        assert (done.code, done.out) == (2, "")
        assert f"texts.jsonl, line {line}, references: expected 1 to 16 references for TER, got 17" in done.err

    def test_in_batches_of_arrow_the_row_is_named(self):
        lists = [["a"], None, ["a"], None, ["a"] * 17]
        table = pa.table({"candidate": ["a"] * len(lists), "references": lists})
        message = r"^row 4, references: expected 1 to 16 references for TER, got 17"
        for verb in (arrow.score, arrow.statistics, arrow.score_segments):
            for size in (2, 5):
                with pytest.raises(bp.BleuprintError, match=message):
                    verb(table.to_batches(max_chunksize=size), recipe="ter", on_error="skip")

    def test_prepared_references_are_refused_as_well(self):
        with pytest.raises(bp.BleuprintError, match=r"references\[1\]"):
            bp.References([["a"], ["b"] * 17], recipe="ter")

    def test_after_a_thousand_tries_the_move_that_was_to_be_chosen_is_not_made(self):
        """One move would do in both cases; in the second the tries do not get as far."""
        for times, edits, gave_up in ((5, (0, 0, 0, 1), False), (8, (0, 0, 16, 0), True)):
            candidate, reference = "a " * times + "b " * times, "b " * times + "a " * times
            found = search_shifts(candidate.split(), reference.split(), 10)
            assert (found.gave_up, found.tried >= MOST_TRIED) == (gave_up, gave_up)
            scored = bp.score_sentence(candidate, reference, "ter")
            assert scored.stats.to_row()[2:] == edits
            assert ("search-ended" in [note.code for note in scored.notes]) == gave_up

    def test_far_from_the_diagonal_no_way_is_looked_for(self):
        """Thirty words too many at the start: the way along them leaves the beam of 25, so edits are not fewest."""
        extra, words = [f"x{number}" for number in range(60)], [str(number) for number in range(60)]
        [stats] = count_words([*extra, *words], words, [ter_layout(TER.counting._replace(longest_shift=0))])
        assert stats.edits > 60


@pytest.mark.parametrize(
    ("shift", "after"),
    [
        (Shift(2, 2, 0), "cdabef"),
        (Shift(2, 2, 1), "acdbef"),
        (Shift(2, 2, 2), "abcdef"),
        (Shift(2, 2, 3), "abecdf"),
        (Shift(2, 2, 4), "abefcd"),
        (Shift(2, 2, 5), "abecdf"),
        (Shift(2, 2, 6), "abefcd"),
        (Shift(3, 3, 5), "abcdef"),
    ],
)
def test_where_words_go(shift, after):
    assert "".join(shift.apply("abcdef")) == after


class TestEvidence:
    def test_each_shift_is_a_move_and_each_word_a_line(self):
        evidence = bp.explain("d e f a b c", "a b c d e f g", "ter").evidence
        (move,) = evidence.alignment.moves
        assert (move.words, move.start, move.lands) == (("a", "b", "c"), 3, 0)
        assert (" ".join(move.before), " ".join(move.after)) == ("d e f a b c", "a b c d e f")
        lines = [(line.step, line.candidate_place, line.reference_word) for line in evidence.alignment.lines]
        assert lines == [
            ("match", 3, "a"), ("match", 4, "b"), ("match", 5, "c"),
            ("match", 0, "d"), ("match", 1, "e"), ("match", 2, "f"), ("insertion", None, "g"),
        ]  # fmt: skip
        assert [line.moved_by for line in evidence.alignment.lines] == [(0,), (0,), (0,), (), (), (), ()]

    def test_torchmetrics_moves_the_words_of_the_reference(self):
        evidence = bp.explain("a b c d e f", "d e f a b c g", "torchmetrics-ter").evidence
        (move,) = evidence.alignment.moves
        assert "g" in move.before
        assert [line.step for line in evidence.alignment.lines].count(EditStep.INSERTION) == 1

    def test_arithmetic_shares_the_score_among_kinds_of_edits(self):
        arithmetic = bp.explain("d e f a b x", "a b c d e f g", "ter").arithmetic
        assert sum(line.count for line in arithmetic.kinds) == arithmetic.edits
        assert sum(line.points for line in arithmetic.kinds) == pytest.approx(arithmetic.score)

    def test_as_data(self):
        told = bp.explain("d e f a b c", ["x", "a b c d e f g"], "ter").to_dict()
        assert json.loads(json.dumps(told)) == told
        evidence = told["evidence"]
        assert evidence["chosen_reference"] == 1
        assert evidence["references"][1]["moves"][0]["words"] == ["a", "b", "c"]
        assert evidence["references"][1]["edits"] == {
            "insertions": 1, "deletions": 0, "substitutions": 0, "shifts": 1, "together": 2,
        }  # fmt: skip

    @BOTH
    def test_edits_recounted_from_the_moves_and_lines_are_those_of_the_row(self, recipe):
        @settings(max_examples=100)
        @given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
        def recounts(candidate, references):
            evidence = TerEvidence(candidate, tuple(references), recipe.counting)
            row = stats_of(candidate, references, recipe)
            chosen = evidence.alignment
            steps = [line.step for line in chosen.lines]
            counted = [steps.count(step) for step in (EditStep.INSERTION, EditStep.DELETION, EditStep.SUBSTITUTION)]
            assert [*counted, len(chosen.moves)] == list(row.to_row()[2:])
            if not candidate and recipe is TORCHMETRICS:
                return
            own, other = (
                sorted((place, word) for place, word in column if place is not None)
                for column in (
                    [(line.candidate_place, line.candidate_word) for line in chosen.lines],
                    [(line.reference_place, line.reference_word) for line in chosen.lines],
                )
            )
            assert own == list(enumerate(candidate.split()))
            assert other == list(enumerate(references[evidence.chosen].split()))
            for line in chosen.lines:
                assert (line.step is EditStep.MATCH) == (line.candidate_word == line.reference_word)
            for before, after in zip(chosen.moves, chosen.moves[1:], strict=False):
                assert before.after == after.before
            for move in chosen.moves:
                assert sorted(move.before) == sorted(move.after)
                assert move.after[move.lands : move.lands + move.length] == move.words

        recounts()


class TestWhoSearches:
    CANDIDATES = ("d e f a b c", "b a d c x", "the cat")
    REFERENCES = (["a b c d e f g", "a"], ["a b c d"], ["the dog", "cat the"])

    def views(self):
        """Everything that shows, tells or judges edits one by one."""
        one = bp.explain(self.CANDIDATES[0], self.REFERENCES[0], "ter")
        yield str(one), one._repr_html_(), one.to_dict(), render(one, "markdown"), render(one, "csv")
        whole = bp.explain(self.CANDIDATES, self.REFERENCES, "ter")
        yield str(whole), [part.to_dict() for part in whole.segments]
        yield [score.notes for score in bp.score_segments(self.CANDIDATES, self.REFERENCES, "ter")]
        yield str(bp.reconcile(self.CANDIDATES, self.REFERENCES, "ter", "torchmetrics-ter"))
        systems = {"one": list(self.CANDIDATES), "two": ["d e f", "a b d c", "dog the"]}
        yield render_report(bp.compare(systems, self.REFERENCES, recipe="ter", resamples=100))
        yield lib_ter.translation_edit_rate(self.CANDIDATES[0].split(), self.REFERENCES[0][0].split())

    def test_where_the_kernel_is_there_no_view_runs_the_readable_search(self, monkeypatch):
        def refuse(*_):
            raise AssertionError("the readable search was run")

        monkeypatch.setattr(shifts, "Distances", refuse)
        assert all(self.views())

    def test_views_are_the_same_without_it(self, monkeypatch):
        native = list(self.views())
        for module in (explain, text_notes, lib_ter):
            monkeypatch.setattr(module, "find_engine", lambda: PYTHON)
        assert list(self.views()) == native

    def test_evidence_is_pickled_without_its_engine(self):
        evidence = bp.explain("d e f a b c", "a b c d e f g", "ter").evidence
        assert b"native" not in pickle.dumps(evidence).lower()
        assert pickle.loads(pickle.dumps(evidence)).alignments == evidence.alignments


class TestWork:
    """How many rows of distances the readable search makes, counted and not timed."""

    @staticmethod
    def count_rows(words, target, monkeypatch):
        made, make = [0], Distances._make_rows

        def count(*given):
            for row in make(*given):
                made[0] += 1
                yield row

        with monkeypatch.context() as patched:
            patched.setattr(Distances, "_make_rows", count)
            found = search_shifts(words, target, 10)
        return made[0], found

    def test_a_try_looks_at_the_words_around_the_move_alone(self, monkeypatch):
        """A text that goes on for twice as long, without another move, takes its own rows more and no others."""
        made = []
        for length in (300, 600):
            target = [f"w{place}" for place in range(length)]
            words = [*target[5:9], *target[:5], *target[12:14], *target[9:12], *target[14:]]
            rows, found = self.count_rows(words, target, monkeypatch)
            assert found.left[-1] == 0
            made.append(rows)
        assert made[1] - made[0] == 300

    @pytest.mark.parametrize("repeated", [["a", "b"], ["a", "b", "c", "a"], ["a"]])
    def test_repetitive_texts_reach_the_limit_before_anything_is_measured(self, repeated, monkeypatch):
        words = repeated * 250
        rows, found = self.count_rows(["x", *words[7:], *words[:7]], words, monkeypatch)
        assert rows == len(words) + 1
        assert not found.shifts

    def test_words_that_stand_nowhere_near_are_given_up_soon(self, monkeypatch):
        rng = random.Random(3)
        target = [f"w{place}" for place in range(400)]
        rows, found = self.count_rows(rng.sample(target, 400), target, monkeypatch)
        assert found.gave_up
        assert rows < 200 * found.tried


class TestLaws:
    @BOTH
    def test_segments_add_up_in_any_order(self, recipe):
        @settings(max_examples=60)
        @given(CORPORA)
        def adds(corpus):
            candidates, references = map(list, zip(*corpus, strict=True))
            whole = bp.score(candidates, references, recipe)
            assert values_of(whole) == values_of(bp.score(candidates[::-1], references[::-1], recipe))
            accumulator = bp.Accumulator(recipe)
            for candidate, own in corpus:
                accumulator.add(candidate, own)
            assert values_of(accumulator.score()) == values_of(whole)
            rows = bp.statistics(candidates, references, recipe)
            assert sum(rows, TerStats(0, 0)) == whole.stats

        adds()

    @BOTH
    def test_a_perfect_candidate_has_exactly_0(self, recipe):
        @settings(max_examples=60)
        @given(st.lists(WORDS, min_size=1, max_size=4))
        def is_perfect(texts):
            assert bp.score(texts, [[text, "x"] for text in texts], recipe).score == 0.0

        is_perfect()

    def test_engines_agree(self):
        @settings(max_examples=60)
        @given(CORPORA)
        def agree(corpus):
            candidates, references = zip(*corpus, strict=True)
            segments = bp.text.segments.Segments(list(candidates), [tuple(own) for own in references])
            for recipe in (TER, TORCHMETRICS):
                assert NATIVE.count(segments, recipe.layout) == PYTHON.count(segments, recipe.layout)

        agree()


def test_files_for_people_tell_lengths_in_words(tmp_path, output):
    (tmp_path / "c").write_text("a b\nc\n", encoding="utf-8")
    (tmp_path / "r").write_text("a\nc\n", encoding="utf-8")
    (tmp_path / "s").write_text("a b\nc\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in "crs"]
    header, *rows = [line.split("\t") for line in output("segments", *files, "--recipe", "ter").splitlines()]
    assert [row[header.index("reference_length")] for row in rows] == ["1.5", "1.0"]
    scores = bp.score_segments(["a b"], [["a", "a b"]], "ter")
    assert render(scores, "csv").splitlines()[1] == "1,0.0,2,1.5,0,0,0,0"


class TestRecipe:
    @BOTH
    def test_signatures_read_back(self, recipe):
        assert str(recipe).startswith("bleuprint:2|metric:ter|")
        changed = recipe.replace(normalized="yes", asian="yes", punctuation="remove", case="mixed")
        for one in (recipe, changed):
            assert bp.Recipe.parse(str(one)) == one
            assert pickle.loads(pickle.dumps(one)) == one

    @pytest.mark.parametrize(
        ("line", "choices"),
        [
            ("nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0", {}),
            ("#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.6.0", {}),
            ("TER|nrefs:2|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:2.0.0 = 48.5",
             {"case": "mixed", "normalized": "yes", "punctuation": "remove", "asian": "yes"}),
            ("#:1|bs:1000|rs:12345|c:lc|t:tercom|nr:no|pn:no|as:no|v:2.6.0|t:wmt22|l:en-de", {"punctuation": "remove"}),
            ("nrefs:1|ar:10000|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.3.1", {}),
            ("nrefs:var|test:wmt20|lang:en-de|origlang:en|subset:x|case:lc|tok:tercom|norm:yes|punct:yes|asian:no|version:2.0.0",
             {"normalized": "yes"}),
            ("t:wmt20|l:de-en|c:mixed|t:tercom|nr:no|pn:yes|as:no|#:1|v:2.4.0", {"case": "mixed"}),
            ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1", {"reference_preparation": "once"}),
            ("TER+lang.en-de+test.wmt14+tok.tercom-norm-nopunct-asian-cased+version.1.4.14 = 0.523",
             {"case": "mixed", "normalized": "yes", "punctuation": "remove", "asian": "yes",
              "reference_preparation": "once"}),
            ("TER+l.en-de+t.wmt14+t.tercom-norm-punct-noasian-uncased+v.1.5.1 = 0.523",
             {"normalized": "yes", "reference_preparation": "once"}),
        ],
    )  # fmt: skip
    def test_signatures_of_sacrebleu_parse(self, line, choices):
        assert bp.Recipe.parse(line) == bp.Recipe.of(line) == TER.replace(**choices)

    def test_a_line_of_1_x_parses_as_its_object_prints_it(self):
        line = "tok.tercom-nonorm-nopunct-noasian-uncased+version.1.5.0"
        assert bp.Recipe.parse(line) == TER.replace(punctuation="remove", reference_preparation="once")

    @pytest.mark.parametrize(
        "line",
        [
            "case:lc|tok:tercom|norm:no",
            "case:lc|tok:tercom|norm:no|punct:yes|asian:maybe",
            "TER+tok.tercom-nonorm-punct+version.1.5.1",
            "TER+tok.tercom-nonorm-punct-noasian-maybe+version.1.5.1",
            "TER+tok.13a+version.1.5.1",
            "TER+version.1.5.1",
        ],
    )
    def test_a_line_with_something_missing_or_unknown_is_refused(self, line):
        with pytest.raises(bp.BleuprintError) as caught:
            bp.Recipe.parse(line)
        assert caught.value.where == "signature"

    def test_the_signature_is_printed_as_sacrebleu_prints_it(self):
        from sacrebleu import metrics

        theirs = metrics.TER(normalized=True, asian_support=True)
        theirs.corpus_score(["a"], [["a"]])
        ours = TER.replace(normalized="yes", asian="yes")
        assert ours.sacrebleu_signature() == theirs.get_signature().format()
        assert bp.Recipe.parse(theirs.get_signature().format(short=True)) == ours

    @pytest.mark.parametrize(
        "changes",
        [{"shifted": "reference"}, {"longest_shift": 9}, {"case": "lower-ascii"}, {"reference_preparation": "once"}],
    )
    def test_what_sacrebleu_cannot_say_is_refused(self, changes):
        with pytest.raises(bp.BleuprintError, match="sacreBLEU has no signature"):
            TER.replace(**changes).sacrebleu_signature()

    def test_the_longest_shift_is_ten_or_nine(self):
        assert TER.replace(longest_shift="9").longest_shift == TER.replace(longest_shift=9).longest_shift == 9
        with pytest.raises(bp.BleuprintError) as caught:
            TER.replace(longest_shift=11)
        assert caught.value.values == ("10", "9")

    def test_lower_is_better(self):
        assert TER.metric.better == "lower"
        assert sorted([50.0, 10.0], key=TER.metric.sort_key)[0] == 10.0


RECORDED = {
    "sacrebleu.ter": TER,
    "sacrebleu.ter.case": TER.replace(case="mixed"),
    "sacrebleu.ter.normalized": TER.replace(normalized="yes"),
    "sacrebleu.ter.nopunct": TER.replace(punctuation="remove"),
    "sacrebleu.ter.asian": TER.replace(normalized="yes", asian="yes"),
}


@pytest.mark.skipif(not CASES, reason=f"the recorded values are not there: {VECTORS}")
@pytest.mark.parametrize("case", CASES)
def test_recorded_values(case):
    texts, recorded = (CASES[case]["candidates"], CASES[case]["references"]), CASES[case]["scores"]
    assert {key for key in recorded if ".ter" in key} == {
        *RECORDED,
        *(f"{key}.segments" for key in RECORDED),
        "torchmetrics.ter",
    }
    for key, recipe in RECORDED.items():
        assert bp.score(*texts, recipe).score == pytest.approx(recorded[key], rel=1e-12, abs=0)
        segments = bp.score_segments(*texts, recipe).scores
        assert list(segments) == pytest.approx(recorded[f"{key}.segments"], rel=1e-12, abs=0)
    assert bp.score(*texts, TORCHMETRICS).fraction == pytest.approx(recorded["torchmetrics.ter"], rel=1e-6, abs=0)

/**
 * Texts that become those of a corpus: the lines in the boxes of one segment, and files dropped anywhere.
 */
import { decode } from "./files.js";
import { chooseMode, TEXTS, whenTexts } from "./modes.js";
import { where } from "./places.js";
import { showProblem } from "./result.js";
import { filledTexts } from "./segment_form.js";

/** Take texts as a corpus, and score them `now`. */
async function useCorpus(state, now) {
  const texts = await whenTexts();
  const fill = () => texts.fill(state);
  if (TEXTS[where.mode] === "corpus" && !now) fill();
  else chooseMode("corpus", { texts: "corpus", now, fill });
}

export function useLines() {
  const files = filledTexts().map((text, place) => ({ name: place ? `reference-${place}.txt` : "candidate.txt", text }));
  useCorpus({ files, pasted: files.length === 2 }, true);
}

/** @param {File[]} given */
export async function takeFiles(given) {
  const files = await Promise.all(given.map(decode));
  const problem = files.find((file) => file.problem)?.problem;
  if (problem) showProblem(problem);
  else useCorpus({ files, pasted: false }, false);
}

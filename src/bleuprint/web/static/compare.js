/**
 * Compare: whether one system is better or was lucky. Counts chunk by chunk, then resamples slice by slice.
 */
import { CHUNK } from "./corpus.js";
import { makeMode } from "./late_mode.js";
import { limits } from "./limits.js";
import { MOST_OTHERS, watchBoxes } from "./system_boxes.js";

const $ = (id) => document.getElementById(id);

export function watchMode(desk) {
  const boxes = watchBoxes({
    name: "rival",
    list: $("rivals"),
    template: $("rival-template"),
    button: $("add-rival"),
    touched: () => mode.touched(),
  });

  /** The systems that there are: a blank box is none. */
  const rivals = () => boxes.read().filter(({ name, text }) => name.trim() || text.trim());

  /** Where no name is given, that of the file. */
  function firstName() {
    const { files, pasted } = desk.textsState();
    return $("first-name").value || (pasted ? "" : files[0].name);
  }

  async function takeFiles(list) {
    const files = await Promise.all([...list].map(desk.decode));
    const problem = files.find((file) => file.problem)?.problem;
    if (problem) return desk.showProblem(problem);
    if (rivals().length + files.length > MOST_OTHERS) {
      return desk.showProblem({ message: `At most ${limits.systems} systems can be compared here; no file was taken.` });
    }
    desk.showProblem(null);
    boxes.write([...rivals(), ...files]);
    mode.touched();
  }

  const mode = makeMode(desk, {
    name: "compare",
    button: "compare-run",
    invitation: "Give the candidates of two or more systems and their references, to see which differences may be luck.",
    documents: true,
    exporting: "The file is being written.",
    read: () => ({
      recipe: desk.readOptions(),
      name: firstName(),
      systems: rivals(),
      with_first: $("compared-pairs").value === "first",
      test: $("test").value,
    }),
    write: (state) => {
      if (typeof state.name === "string") $("first-name").value = state.name;
      $("compared-pairs").value = state.with_first === true ? "first" : "all";
      $("test").value = state.test === "bootstrap" ? "bootstrap" : "randomisation";
      boxes.write(state.systems);
    },
    steps: async ({ documents, ...form }, ask, tell) => {
      const { names, candidates, references, baseline, pairs, resamples, slice } = await ask({
        action: "compare-read",
        ...form,
      });
      const { recipe, test } = form;
      const request = { recipe, test, names, baseline };
      const tables = names.map(() => []);
      for (let start = 0; start < references.length; start += CHUNK) {
        tell(0, `counting: ${start} of ${references.length} segments`);
        const cut = (list) => list.slice(start, start + CHUNK);
        const part = { candidates: candidates.map(cut), references: cut(references) };
        const counted = await ask({ action: "compare-count", ...request, ...part });
        counted.tables.forEach((rows, place) => tables[place].push(...rows));
      }
      const rounds = pairs.length + 1;
      /** Go through all resamples for one round. */
      const resample = async (round, what, askSlice) => {
        for (let start = 0; start < resamples; start += slice) {
          const count = Math.min(slice, resamples - start);
          const done = `${start.toLocaleString("en")} of ${resamples.toLocaleString("en")} resamples`;
          tell((round + start / resamples) / rounds, `${what}: ${done}`);
          await askSlice({ recipe, start, count });
        }
      };
      const scores = names.map(() => []);
      await resample(0, "intervals", async (part) => {
        const drawn = await ask({ action: "compare-draw", ...part, tables });
        drawn.scores.forEach((own, place) => scores[place].push(...own));
      });
      const extremes = pairs.map(() => 0);
      for (const [place, pair] of pairs.entries()) {
        await resample(place + 1, `pair ${place + 1} of ${pairs.length}`, async (part) => {
          const both = pair.map((system) => tables[system]);
          extremes[place] += (await ask({ action: "compare-swap", ...part, tables: both })).extreme;
        });
      }
      tell(1, "comparing");
      Object.assign(request, { candidates, references, tables, scores, extremes, documents });
      const answer = await ask({ action: "compare-result", ...request });
      desk.showChoices(answer);
      return { request, answer };
    },
  });

  $("rival-files").addEventListener("change", async (event) => {
    await takeFiles(event.target.files);
    event.target.value = "";
  });
  for (const kind of ["dragover", "drop"]) {
    $("rival-drop").addEventListener(kind, (event) => {
      event.preventDefault();
      if (kind === "drop") takeFiles(event.dataTransfer.files);
    });
  }
  boxes.add();
  const styles = { rel: "stylesheet", href: new URL("report.css", import.meta.url).href };
  document.head.append(Object.assign(document.createElement("link"), styles));
  return {
    ...mode,
    /** Another recipe: show its choices; what is shown belongs to the one before. */
    changed: async () => {
      mode.touched();
      if (!desk.ready()) return;
      const answer = await desk.call({ action: "recipe", recipe: desk.readOptions() });
      if ($("mode-compare").hidden) return;
      if (!answer.ok) return desk.showProblem(answer.error);
      desk.showChoices(answer);
      desk.showProblem(null);
      mode.touched();
    },
  };
}

/**
 * Compare: whether one system is better or was lucky. Counts chunk by chunk, then resamples slice by slice.
 */
import { decode } from "./files.js";
import { makeMode } from "./late_mode.js";
import { limits } from "./limits.js";
import { watchRecipes } from "./more_recipes.js";
import { MOST_OTHERS, watchBoxes } from "./system_boxes.js";

const $ = (id) => document.getElementById(id);
/** The controls that say how it is compared, by the names that the engine has for them. */
const SETTINGS = ["test", "resamples", "confidence", "seed"];

export function watchMode(desk) {
  const usual = Object.fromEntries(SETTINGS.map((name) => [name, $(name).value]));
  const recipes = watchRecipes(() => mode.touched());
  const boxes = watchBoxes({
    name: "rival",
    list: $("rivals"),
    template: $("rival-template"),
    button: $("add-rival"),
    touched: () => mode.touched(),
    showProblem: desk.showProblem,
  });

  /** The systems that there are: a blank box is none. */
  const rivals = () => boxes.read().filter(({ name, text }) => name.trim() || text.trim());

  /** The first system's name where none is given. */
  function fileName() {
    const { files, pasted } = desk.textsState();
    return pasted ? "" : files[0].name;
  }

  async function takeFiles(list) {
    const files = await Promise.all([...list].map(decode));
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
      more: recipes.read(),
      name: $("first-name").value || fileName(),
      systems: rivals(),
      with_first: $("compared-pairs").value === "first",
      ...Object.fromEntries(SETTINGS.map((name) => [name, $(name).value])),
    }),
    write: (state) => {
      if (typeof state.name === "string") $("first-name").value = state.name;
      if (state.name === fileName()) $("first-name").value = "";
      $("compared-pairs").value = state.with_first === true ? "first" : "all";
      for (const name of SETTINGS) $(name).value = typeof state[name] === "string" ? state[name] : usual[name];
      recipes.write(state.more);
      boxes.write(state.systems);
      if (boxes.read().length === 0) boxes.add();
    },
    steps: async ({ documents, ...form }, ask, tell) => {
      const { names, candidates, references, baseline, recipes: asked, pairs, resamples, chunk } = await ask({
        action: "compare-read",
        ...form,
      });
      const settings = Object.fromEntries(SETTINGS.map((name) => [name, form[name]]));
      const request = { recipe: form.recipe, more: form.more, ...settings, names, baseline };
      const tables = [];
      for (let start = 0; start < references.length; start += chunk) {
        tell(0, `counting: ${start} of ${references.length} segments`);
        const cut = (list) => list.slice(start, start + chunk);
        const part = { candidates: candidates.map(cut), references: cut(references) };
        const counted = await ask({ action: "compare-count", ...request, ...part });
        counted.tables.forEach((systems, counting) => {
          tables[counting] ??= names.map(() => []);
          systems.forEach((rows, place) => tables[counting][place].push(...rows));
        });
      }
      const rounds = asked.length * (pairs.length + 1);
      let round = 0;
      /** Go through all resamples for one round. */
      const resample = async ({ name, slice }, what, askSlice) => {
        for (let start = 0; start < resamples; start += slice) {
          const count = Math.min(slice, resamples - start);
          const done = `${start.toLocaleString("en")} of ${resamples.toLocaleString("en")} resamples`;
          tell((round + start / resamples) / rounds, `${asked.length > 1 ? `${name}, ` : ""}${what}: ${done}`);
          await askSlice({ ...settings, start, count });
        }
        round += 1;
      };
      const scores = [];
      const extremes = [];
      for (const [number, one] of asked.entries()) {
        const recipe = number ? { base: form.more[number - 1] } : form.recipe;
        const own = tables[one.table];
        scores[number] = names.map(() => []);
        await resample(one, "intervals", async (part) => {
          const drawn = await ask({ action: "compare-draw", recipe, ...part, tables: own });
          drawn.scores.forEach((values, place) => scores[number][place].push(...values));
        });
        extremes[number] = pairs.map(() => 0);
        for (const [place, pair] of pairs.entries()) {
          await resample(one, `pair ${place + 1} of ${pairs.length}`, async (part) => {
            const both = pair.map((system) => own[system]);
            extremes[number][place] += (await ask({ action: "compare-swap", recipe, ...part, tables: both })).extreme;
          });
        }
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

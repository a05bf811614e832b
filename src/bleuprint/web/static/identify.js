/**
 * Identify: which BLEU a number is. Tries all readings part by part; accidents only if no ordinary one gives it.
 */
import { makeMode } from "./late_mode.js";
import { watchBoxes } from "./system_boxes.js";

const $ = (id) => document.getElementById(id);

export function watchMode(desk) {
  const boxes = watchBoxes({
    name: "system",
    list: $("systems"),
    template: $("system-template"),
    button: $("add-system"),
    touched: () => mode.touched(),
  });

  async function takeFile(input) {
    const box = input.closest(".system").querySelector("textarea");
    const { text, problem } = await desk.decode(input.files[0]);
    if (problem) return desk.showProblem(problem);
    box.value = text;
    mode.touched();
  }

  const mode = makeMode(desk, {
    name: "identify",
    button: "identify-run",
    invitation: "Give the number that was reported for these texts, to see which recipes give it.",
    read: () => ({
      reported: $("reported").value,
      one: desk.source() === "segment",
      systems: boxes.read().filter(({ text, reported }) => text.trim() || reported.trim()),
    }),
    write: (state) => {
      if (typeof state.reported === "string") $("reported").value = state.reported;
      boxes.write(state.systems);
    },
    steps: async (form, ask, tell) => {
      const { plain_parts, parts, others, reported } = await ask({ action: "identify-read", ...form });
      const request = { segments: form.segments, others, reported, scores: [] };
      const tryParts = async (until, what) => {
        const from = request.scores.length;
        for (let part = from; part < until; part += 1) {
          tell((part - from) / (until - from), `${what}: ${part - from} of ${until - from} ways to split the texts`);
          const { scores } = await ask({ action: "identify-part", segments: form.segments, others, part });
          request.scores.push(scores);
        }
        tell(1, "comparing");
        return ask({ action: "identify-result", ...request });
      };
      const answer = await tryParts(plain_parts, "ordinary readings");
      return { request, answer: answer.suspicious ? await tryParts(parts, "accidents") : answer };
    },
  });

  $("reported").addEventListener("keydown", (event) => event.key === "Enter" && mode.run());
  $("systems").addEventListener("change", (event) => {
    if (event.target.type === "file" && event.target.files.length) takeFile(event.target);
  });
  return mode;
}

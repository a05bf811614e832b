/**
 * Identify: which score a number is. Tries readings part by part, unusual ones only if no ordinary one gives it.
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
    showProblem: desk.showProblem,
  });

  const mode = makeMode(desk, {
    name: "identify",
    button: "identify-run",
    invitation: "Give the number that was reported for these texts, to see which recipes give it.",
    read: () => ({
      reported: $("reported").value,
      metric: $("claimed").value,
      one: desk.source() === "segment",
      systems: boxes.read().filter(({ text, reported }) => text.trim() || reported.trim()),
    }),
    write: (state) => {
      if (typeof state.reported === "string") $("reported").value = state.reported;
      $("claimed").value = typeof state.metric === "string" ? state.metric : "";
      boxes.write(state.systems);
    },
    steps: async (form, ask, tell) => {
      const { others, reported, next } = await ask({ action: "identify-read", ...form });
      const texts = { segments: form.segments, others, metric: form.metric };
      const request = { ...texts, reported, scores: [] };
      let answer = { next };
      while (answer.next) {
        const { stage, from, until, step } = answer.next;
        for (let part = from; part < until; part += step) {
          tell((part - from) / (until - from), `${stage}: ${part - from} of ${until - from} ways to split the texts`);
          const count = Math.min(step, until - part);
          const { scores } = await ask({ action: "identify-part", ...texts, part, count });
          scores.forEach((own, place) => (request.scores[part + place] = own));
        }
        tell(1, "comparing");
        answer = await ask({ action: "identify-result", ...request });
      }
      return { request, answer };
    },
  });

  $("reported").addEventListener("keydown", (event) => event.key === "Enter" && mode.run());
  return mode;
}

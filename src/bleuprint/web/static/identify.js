/**
 * Identify: which BLEU a number is. Tries all readings part by part; accidents only if no ordinary one gives it.
 */
import { makeMode } from "./late_mode.js";

const MOST = 9;
const $ = (id) => document.getElementById(id);

export function watchMode(desk) {
  const systems = () => [...$("systems").children];

  function addSystem({ text, reported } = { text: "", reported: "" }) {
    $("systems").append($("system-template").content.cloneNode(true));
    const added = systems().at(-1);
    added.querySelector("textarea").value = text;
    added.querySelector(".number").value = reported;
    nameSystems();
    return added;
  }

  function nameSystems() {
    systems().forEach((system, place) => {
      system.querySelector("legend").textContent = `System ${place + 2}`;
      system.querySelector(".remove").setAttribute("aria-label", `Remove system ${place + 2}`);
      const controls = system.querySelectorAll("textarea, input");
      [...system.querySelectorAll("label")].forEach((label, number) => {
        controls[number].id = `system-${place + 2}-${number}`;
        label.htmlFor = controls[number].id;
      });
    });
    $("add-system").disabled = systems().length >= MOST;
  }

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
      systems: systems().map((system) => ({
        text: system.querySelector("textarea").value,
        reported: system.querySelector(".number").value,
      })),
    }),
    write: (state) => {
      if (typeof state.reported === "string") $("reported").value = state.reported;
      $("systems").replaceChildren();
      const given = Array.isArray(state.systems) ? state.systems.slice(0, MOST) : [];
      for (const { text, reported } of given.filter(Boolean)) addSystem({ text: String(text), reported: String(reported) });
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
  $("add-system").addEventListener("click", () => {
    addSystem().querySelector("textarea").focus();
    mode.touched();
  });
  $("systems").addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    event.target.closest(".system").remove();
    nameSystems();
    $("add-system").focus();
    mode.touched();
  });
  $("systems").addEventListener("change", (event) => {
    if (event.target.type === "file" && event.target.files.length) takeFile(event.target);
  });
  return mode;
}

import { decode } from "./files.js";
import { limits } from "./limits.js";
import { countLines } from "./lines.js";

/** The first system has boxes of its own. */
export const MOST_OTHERS = limits.systems - 1;

/**
 * Boxes for other systems: some can be added, named by their place, and taken away. Controls with `data-field` hold what
 * is read.
 *
 * @param {object} own
 * @param {string} own.name beginning of the ids of the controls
 * @param {HTMLElement} own.list where the boxes are
 * @param {HTMLTemplateElement} own.template one box
 * @param {HTMLButtonElement} own.button adds a box
 * @param {function(): void} own.touched called after a change that is no input event
 * @param {function(object): void} own.showProblem shows why a file cannot be read
 */
export function watchBoxes({ name, list, template, button, touched, showProblem }) {
  const boxes = () => [...list.children];
  const fields = (box) => [...box.querySelectorAll("[data-field]")];

  function add(values = {}) {
    list.append(template.content.cloneNode(true));
    const added = boxes().at(-1);
    for (const control of fields(added)) {
      const value = values[control.dataset.field];
      control.value = typeof value === "string" ? value : "";
    }
    nameBoxes();
    for (const area of added.querySelectorAll("textarea")) countLines(area);
    return added;
  }

  function nameBoxes() {
    boxes().forEach((box, place) => {
      box.querySelector("legend").textContent = `System ${place + 2}`;
      box.querySelector(".remove").setAttribute("aria-label", `Remove system ${place + 2}`);
      const controls = box.querySelectorAll("textarea, input");
      [...box.querySelectorAll("label")].forEach((label, number) => {
        controls[number].id = `${name}-${place + 2}-${number}`;
        label.htmlFor = controls[number].id;
      });
    });
    button.disabled = boxes().length >= MOST_OTHERS;
  }

  button.addEventListener("click", () => {
    fields(add())[0].focus();
    touched();
  });
  list.addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    event.target.closest(".system").remove();
    nameBoxes();
    button.focus();
    touched();
  });
  list.addEventListener("input", ({ target }) => countLines(target));
  list.addEventListener("change", async ({ target }) => {
    if (target.type !== "file" || !target.files.length) return;
    const { name: file, text, problem } = await decode(target.files[0]);
    if (problem) return showProblem(problem);
    const box = target.closest(".system");
    for (const control of fields(box)) {
      if (control.dataset.field === "text") control.value = text;
      if (control.dataset.field === "name" && !control.value) control.value = file;
    }
    for (const area of box.querySelectorAll("textarea")) countLines(area);
    touched();
  });
  const readBox = (box) => Object.fromEntries(fields(box).map((control) => [control.dataset.field, control.value]));
  return {
    add,
    read: () => boxes().map(readBox),
    /** Put back what `read` gave, as far as a link carried it; that they are too many is said when they are sent. */
    write: (given) => {
      list.replaceChildren();
      for (const values of (Array.isArray(given) ? given : []).filter(Boolean)) add(values);
      nameBoxes();
    },
  };
}

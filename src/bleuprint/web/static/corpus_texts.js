/**
 * The texts of a corpus, which several modes take: lines in boxes, or files in their place.
 */
import { decode } from "./files.js";
import { limits } from "./limits.js";
import { countLines } from "./lines.js";
import { showProblem } from "./result.js";

const $ = (id) => document.getElementById(id);

/** @param {function(): void} touched called after a change that is no input event */
export function watchTexts(touched) {
  let files = [];

  const references = () => [...$("corpus-references").querySelectorAll("textarea")];

  const pasted = () => [
    { name: "candidate lines", text: $("corpus-candidate").value },
    ...references().map(({ value }, place) => ({ name: `reference lines${place ? ` ${place + 1}` : ""}`, text: value })),
  ];

  const unreadable = () => files.find((file) => file.problem)?.problem;

  function addReference(text = "") {
    $("corpus-references").append($("corpus-reference-template").content.cloneNode(true));
    references().at(-1).value = text;
    nameReferences();
  }

  function nameReferences() {
    references().forEach((area, place) => {
      countLines(area);
      if (!place) return;
      const box = area.closest(".box");
      area.id = `corpus-reference-${place + 1}`;
      area.setAttribute("aria-describedby", `${area.id}-count`);
      box.querySelector(".count").id = `${area.id}-count`;
      box.querySelector("label").htmlFor = area.id;
      box.querySelector("label").textContent = `Reference lines ${place + 1}`;
      box.querySelector(".remove").setAttribute("aria-label", `Remove reference lines ${place + 1}`);
    });
    showLimits();
  }

  /** Boxes wait while there are files. */
  function showLimits() {
    for (const area of [$("corpus-candidate"), ...references()]) area.disabled = files.length > 0;
    $("add-corpus-reference").disabled = files.length > 0 || references().length >= limits.references;
  }

  /** Use files in the place of pasted lines; none give way to the lines again. */
  function use(list) {
    files = list;
    showProblem(unreadable());
    $("corpus-clear").hidden = files.length === 0;
    $("corpus-list").replaceChildren(
      ...files.map(({ name }) => Object.assign(document.createElement("li"), { textContent: name })),
    );
    showLimits();
    touched();
  }

  /** Use files that were chosen or dropped; something dropped that is no file changes nothing. */
  const take = async (list) => list.length && use(await Promise.all([...list].map(decode)));

  function watchBoxes() {
    $("add-corpus-reference").addEventListener("click", () => {
      addReference();
      references().at(-1).focus();
      touched();
    });
    $("corpus-texts").addEventListener("input", ({ target }) => target.matches("textarea") && countLines(target));
    $("corpus-references").addEventListener("click", ({ target }) => {
      if (!target.matches(".remove")) return;
      target.closest(".box").remove();
      nameReferences();
      $("add-corpus-reference").focus();
      touched();
    });
  }

  function watchFiles() {
    $("corpus-files").addEventListener("change", (event) => take(event.target.files));
    for (const kind of ["dragover", "drop"]) {
      $("drop").addEventListener(kind, (event) => {
        event.preventDefault();
        if (kind === "drop") take(event.dataTransfer.files);
      });
    }
    $("corpus-clear").addEventListener("click", () => {
      $("corpus-files").value = "";
      use([]);
      $("corpus-files").focus();
    });
  }

  watchBoxes();
  watchFiles();
  return {
    unreadable,
    isEmpty: () => files.length === 0 && pasted().every(({ text }) => text === ""),
    /** What a link carries. */
    state: () => ({ files: files.length ? files : pasted(), pasted: files.length === 0 }),
    /** Put back what a link carried. */
    fill: (state) => {
      use(state.pasted ? [] : state.files.map(({ name, text }) => ({ name, text })));
      if (!state.pasted) return;
      const [candidate, first, ...more] = state.files.map(({ text }) => text);
      [$("corpus-candidate").value, $("corpus-reference").value] = [candidate, first];
      for (const area of references().slice(1)) area.closest(".box").remove();
      more.forEach((text) => addReference(text));
      nameReferences();
      countLines($("corpus-candidate"));
    },
  };
}

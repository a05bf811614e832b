// The controls, and what starts everything.

function choice(title, id, names, chosen, act, start = 0) {
  const options = names.map((name, number) => make("option", { value: String(number + start), selected: number + start === chosen }, name));
  const choosing = (select) => { select.title = select.selectedOptions[0].text; act(Number(select.value)); };
  return make("label", {}, title, make("select", { id, title: names[chosen - start], on: { change: (event) => choosing(event.target) } }, ...options));
}

function drawTools() {
  const names = systems.map((system) => system.name);
  let waiting = 0;
  const later = () => { clearTimeout(waiting); waiting = setTimeout(choose, 120); };
  const two = paired() ? [
    choice("Compare", "first", names, view.first, (value) => { view.first = value; choose(); }),
    choice("with", "second", names, view.second, (value) => { view.second = value; choose(); })] : [];
  const what = paired() ? [choice("Influence on", "influence", ["the difference", ...names], view.influence,
    (value) => { view.influence = value; choose(); }, -1)] : [];
  const keys = ["", ...systems.map((_, number) => `score-${number}`), ...(withTexts ? ["text"] : [])];
  const keep = choice("Keep in sight", "pinned", ["nothing", ...names, ...(withTexts ? ["the reference"] : [])], keys.indexOf(view.pinned),
    (value) => { view.pinned = keys[value]; view.hidden.delete(view.pinned); redraw(); });
  const paper = count > MOST_PRINTED ? [choice("On paper", "paper", [`the first ${grouped(MOST_PRINTED)}`, "all"], Number(view.printAll),
    (value) => { view.printAll = value === 1; })] : [];
  const search = make("label", { className: "bp-wide" }, "Texts that contain",
    make("input", { type: "search", id: "filter", autocomplete: "off", on: { input: later } }));
  find("tools").replaceChildren(
    ...(withTexts ? [search] : []),
    ...data.labels.map((label, number) =>
      choice(label.name, `label-${number}`, ["all", ...label.values], -1, choose, -1)),
    ...two, ...what, keep, ...paper, makeColumnChooser());
}

drawTools();
for (const id of ["tools", "rows", "keys"]) find(id).hidden = false;
let asked = false;
box.addEventListener("scroll", () => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; if (!onPaper()) draw(false); });
}, { passive: true });
box.addEventListener("keydown", press);
body.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-index]");
  if (row) open(Number(row.dataset.index), event.target.closest("button") !== null);
});
find("opened").addEventListener("keydown", (event) => { if (event.key === "Escape") leave(); });
addEventListener("resize", () => { if (!onPaper()) draw(true); });
addEventListener("hashchange", follow);
addEventListener("beforeprint", prepareForPrint);
addEventListener("afterprint", returnFromPrint);
choose();
follow();
document.body.dataset.ready = "yes";

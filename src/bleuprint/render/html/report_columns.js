// What the columns of the table hold, which of them are shown, and which stays in sight.
const SNIPPET = 240;
const snippet = (text) => text.length > SNIPPET ? `${text.slice(0, SNIPPET)}\u2026` : text;
// Sorting by influences that differ only in the last bits would look random.
const INFLUENCE_DIGITS = 6;
function difference(place) {
  const [one, two] = [systems[view.first], systems[view.second]];
  return rounded(one.exact[place] - two.exact[place], data.recipes[0].digits);
}
function influence(place) {
  const { influences } = systems[view.influence >= 0 ? view.influence : view.first];
  const less = view.influence < 0 && paired() ? systems[view.second].influences[place] : 0;
  return rounded(influences[place] - less, INFLUENCE_DIGITS);
}
const pair = () => ({ title: `${systems[view.first].name} \u2212 ${systems[view.second].name}`,
  shown: () => [nameTag(systems[view.first]), " \u2212 ", nameTag(systems[view.second])] });
function target() {
  if (view.influence < 0 && paired()) return pair();
  const system = systems[view.influence >= 0 ? view.influence : view.first];
  return { title: system.name, shown: () => [nameTag(system)] };
}

function allColumns() {
  const scores = systems.map((system, number) => ({ key: `score-${number}`, title: system.name, system: number,
    shown: () => [nameTag(system)], falls: false,
    value: (place) => system.scores[0][place], text: (place) => score(system.scores[0][place]) }));
  const between = paired() ? [{ key: "difference", ...pair(), falls: true, value: difference,
    text: (place) => signed(difference(place), 2) }] : [];
  const labels = data.labels.map((label, number) => ({ key: `label-${number}`, title: label.name, kind: "bp-tag",
    text: (place) => label.values[label.places[place]] }));
  const moved = target(), better = data.recipes[0].better === "lower" ? " (\u2212 is better)" : "";
  return [
    { key: "segment", own: "bp-first", title: "Segment", falls: false, value: (place) => place, text: (place) => grouped(place + 1) },
    ...scores, ...between,
    { key: "influence", title: `Moves ${moved.title} by${better}`, shown: () => ["Moves ", ...moved.shown(), ` by${better}`],
      falls: true, value: influence, text: (place) => signed(influence(place), 4) },
    ...(withTexts ? [{ key: "length", own: "bp-length", title: unit === "tokens" ? "Length" : `Length in ${unit}`, falls: true,
      value: (place) => data.lengths[place], text: (place) => grouped(data.lengths[place]) }] : []),
    ...labels,
    ...(withTexts ? [{ key: "text", title: "Reference", kind: "bp-snippet", whole: (place) => data.references[place][0] ?? "",
      text: (place) => snippet(data.references[place][0] ?? "") }] : []),
  ];
}
const isShown = (key) => onPaper() || !view.hidden.has(key);
const columns = () => allColumns().filter((column) => isShown(column.key));
const titleOf = (column) => column.shown?.() ?? [column.title];
const classOf = (column) => [column.kind, column.own, column.key === view.pinned && "bp-pinned"].filter(Boolean).join(" ");

function drawColumnChooser() {
  const all = allColumns().slice(1), shown = all.filter((column) => !view.hidden.has(column.key)).length;
  find("columns-count").textContent = `${shown} of ${all.length}`;
  find("columns-list").replaceChildren(...all.map((column) => make("label", {},
    make("input", { type: "checkbox", checked: !view.hidden.has(column.key), data: { key: column.key },
      on: { change: (event) => showColumn(column.key, event.target.checked) } }), make("span", { dir: "auto" }, ...titleOf(column)))));
}

function showColumn(key, wanted) {
  if (wanted) view.hidden.delete(key); else view.hidden.add(key);
  redraw();
  find("columns-list").querySelector(`[data-key="${key}"]`).focus();
}

function showSystems(wanted) {
  systems.forEach((_, number) => { if (wanted(number)) view.hidden.delete(`score-${number}`); else view.hidden.add(`score-${number}`); });
  redraw();
}

function makeColumnChooser() {
  const button = (title, act) => make("button", { type: "button", on: { click: act } }, title);
  return make("details", { className: "bp-columns", id: "columns" },
    make("summary", {}, "Columns: ", make("span", { id: "columns-count" })),
    make("fieldset", {}, make("legend", { className: "bp-hidden" }, "Columns that are shown"),
      make("div", { className: "bp-checks", id: "columns-list" }),
      make("div", { className: "bp-actions" }, button("All", () => { view.hidden.clear(); redraw(); }),
        ...(systems.length > 2 ? [button("Of the systems only the two compared", () => showSystems((one) => one === view.first || one === view.second))] : []))));
}

// The column that is kept in sight sticks behind the numbers of the segments, whose width follows from the largest.
function placePinned() {
  const width = (kind) => head.querySelector(kind)?.getBoundingClientRect().width ?? 0;
  box.style.setProperty("--bp-first", `${width(".bp-first")}px`);
  box.style.scrollPaddingInlineStart = `${width(".bp-first") + width(".bp-pinned")}px`;
}

// The table of segments: which rows are shown and in which order; those in sight exist.
const OVERSCAN = 8;

// Filtering and sorting

let folded = null;
function fold() {
  folded ??= Array.from({ length: count }, (_, place) =>
    [...sourceOf(place), ...data.references[place], ...systems.map((system) => system.texts[place])].join("\n").toLowerCase());
  return folded;
}

function choose() {
  const wanted = withTexts ? find("filter").value.toLowerCase() : "";
  const labels = data.labels.map((label, number) => [label.places, Number(find(`label-${number}`).value)])
    .filter(([, value]) => value >= 0);
  const texts = wanted ? fold() : null;
  const kept = [];
  for (let place = 0; place < count; place++) {
    if (texts && !texts[place].includes(wanted)) continue;
    if (labels.every(([places, value]) => places[place] === value)) kept.push(place);
  }
  const all = allColumns(), column = all.find((one) => one.key === view.sort) ?? all[0];
  const keys = new Map(kept.map((place) => [place, column.value(place)]));
  const way = view.descending ? -1 : 1;
  kept.sort((one, other) => way * (keys.get(one) - keys.get(other)) || one - other);
  view.shown = kept;
  view.active = Math.max(0, kept.indexOf(view.opened));
  find("status").textContent = `${grouped(kept.length)} of ${grouped(count)} segments, sorted by ` +
    `${column.title}, ${view.descending ? "highest" : "lowest"} first.`;
  box.scrollTop = 0;
  redraw();
  if (view.active > 0) reveal(view.active);
}

function redraw() {
  drawColumnChooser();
  drawHead();
  draw(true);
  drawPlots();
  if (view.opened >= 0) drawOpened();  // what is next depends on what is shown
}

function sortBy(column) {
  view.descending = view.sort === column.key ? !view.descending : column.falls;
  view.sort = column.key;
  choose();
  head.querySelector(`[data-key="${column.key}"]`).focus({ preventScroll: true });
}

// Drawing

function drawHead() {
  const cells = columns().map((column) => {
    const own = view.sort === column.key;
    const cell = make("th", { scope: "col", className: classOf(column), dir: "auto" });
    const parts = [...titleOf(column), ...(own ? [make("span", { "aria-hidden": "true" }, view.descending ? " \u25bc" : " \u25b2")] : [])];
    if (!column.value || onPaper()) { cell.append(...parts); return cell; }
    cell.setAttribute("aria-sort", own ? (view.descending ? "descending" : "ascending") : "none");
    cell.append(make("button", { type: "button", data: { key: column.key }, on: { click: () => sortBy(column) } }, ...parts));
    return cell;
  });
  head.replaceChildren(make("tr", { "aria-rowindex": "1" }, ...cells));
  find("table").setAttribute("aria-rowcount", String(view.shown.length + 1));
}

const drawn = new Map();  // rows in the document, by their place among the shown
function drawRow(index, all) {
  const place = view.shown[index];
  const row = make("tr", { "aria-rowindex": String(index + 2), data: { index: String(index) } });
  for (const column of all) {
    const className = classOf(column);
    if (column.key === "segment" && onPaper()) {
      row.append(make("th", { scope: "row", className }, column.text(place)));
    } else if (column.key === "segment") {
      row.append(make("th", { scope: "row", className }, make("button", { type: "button", tabIndex: -1,
        "aria-label": `Open segment ${place + 1}` }, column.text(place))));
    } else {
      const text = onPaper() && column.whole ? column.whole(place) : column.text(place);
      row.append(make("td", { className, dir: column.kind ? "auto" : "" }, text));
    }
  }
  return row;
}

function range() {
  const room = Math.ceil(box.clientHeight / view.height);
  const top = Math.floor(box.scrollTop / view.height);
  const from = Math.max(0, Math.min(top, view.shown.length - room) - OVERSCAN);
  return [from, Math.min(view.shown.length, top + room + OVERSCAN)];
}

function draw(anew) {
  const [from, to] = range();
  if (!anew && draw.from === from && draw.to === to) return;
  [draw.from, draw.to] = [from, to];
  const width = columns().length;
  const held = body.contains(document.activeElement) ? document.activeElement : null;
  if (anew) drawn.clear();
  for (const index of drawn.keys()) if (index < from || index >= to) drawn.delete(index);
  const all = columns(), rows = [];
  for (let index = from; index < to; index++) {
    if (!drawn.has(index)) drawn.set(index, drawRow(index, all));
    rows.push(drawn.get(index));
  }
  const kept = new Set(rows);
  for (const row of [...body.rows]) if (!kept.has(row)) row.remove();
  rows.forEach((row, number) => { if (body.rows[number] !== row) body.insertBefore(row, body.rows[number] ?? null); });
  body.prepend(space(from, width));
  body.append(space(view.shown.length - to, width));
  mark();
  if (held && !body.contains(held)) box.focus({ preventScroll: true });
  if (anew) placePinned();
  if (anew && rows.length) {
    const height = rows[0].getBoundingClientRect().height;
    if (Math.abs(height - view.height) > 0.01) { view.height = height; draw(true); }
  }
  draw(false);  // the rows may have made room for more of them
}

function space(rows, width) {
  const cell = make("td", { colSpan: width });
  cell.style.height = `${rows * view.height}px`;
  return make("tr", { className: "bp-space", "aria-hidden": "true", hidden: rows === 0 }, cell);
}

function mark() {
  let reached = false;
  for (const [index, row] of drawn) {
    row.classList.toggle("bp-current", view.shown[index] === view.opened);
    if (view.shown[index] === view.opened) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    const button = row.querySelector("button");
    button.tabIndex = index === view.active ? 0 : -1;
    reached ||= index === view.active;
  }
  if (!reached) {  // the row that Tab would reach has scrolled away: the first in sight stands in
    const top = Math.ceil(box.scrollTop / view.height);
    drawn.get(Math.min(top, view.shown.length - 1))?.querySelector("button").setAttribute("tabindex", "0");
  }
}

function reveal(index) {
  const top = index * view.height, room = box.clientHeight - head.offsetHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + view.height > box.scrollTop + room) box.scrollTop = top + view.height - room;
  draw(false);
}

function walk(index) {
  view.active = Math.max(0, Math.min(view.shown.length - 1, index));
  reveal(view.active);
  mark();
  const row = drawn.get(view.active);
  row?.querySelector("button").focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || head.contains(event.target) || !view.shown.length) return;
  const row = event.target.closest("tbody tr[data-index]");
  const at = row ? Number(row.dataset.index) : Math.ceil(box.scrollTop / view.height) - 1;
  const page = Math.max(1, Math.floor((box.clientHeight - head.offsetHeight) / view.height) - 1);
  const goal = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page,
    Home: 0, End: view.shown.length - 1 }[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  walk(goal);
}

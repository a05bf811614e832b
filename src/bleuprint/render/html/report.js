"use strict";
// The table of segments: rows are made as they scroll into view. Every text is put in as text, never as markup.
(() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  const { systems, unit } = data;
  const chosen = unit !== "tokens";  // of several references one is taken, the best for the candidate
  const count = data.segments, withTexts = data.references !== null;
  const OVERSCAN = 8, SNIPPET = 240, MOST_PRINTED = 2000;
  const view = { shown: [], sort: "segment", descending: false, active: 0, opened: -1,
    first: data.focus[0] ?? 0, second: data.focus[1] ?? -1, influence: -1, shading: data.focus[0] ?? 0, height: 36 };
  const box = find("rows"), body = find("table").tBodies[0], head = find("table").tHead;

  const unpack = (packed) => typeof packed === "string" ? Array.from(packed, (digit) => parseInt(digit, 36)) : packed;
  const score = (value) => value > 0 && value < 0.005 ? String(value) : value.toFixed(2);
  const signed = (value, digits) => {
    const text = Math.abs(value).toFixed(digits);
    return Number(text) === 0 ? text : (value < 0 ? "\u2212" : "+") + text;
  };
  const grouped = (number) => number.toLocaleString("en-US");

  function make(tag, settings = {}, ...children) {
    const { data: own, on, ...rest } = settings;
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(rest)) {
      if (name in element && name !== "form") element[name] = value; else element.setAttribute(name, value);
    }
    Object.assign(element.dataset, own ?? {});
    for (const [name, act] of Object.entries(on ?? {})) element.addEventListener(name, act);
    element.append(...children);
    return element;
  }

  // What the columns hold

  const paired = () => view.second >= 0;
  const difference = (place) => systems[view.first].scores[place] - systems[view.second].scores[place];
  function influence(place) {
    if (view.influence >= 0) return systems[view.influence].influences[place];
    const own = systems[view.first].influences[place];
    return paired() ? own - systems[view.second].influences[place] : own;
  }
  const target = () => view.influence >= 0 ? systems[view.influence].name : paired() ? pairName() : systems[view.first].name;
  const pairName = () => `${systems[view.first].name} \u2212 ${systems[view.second].name}`;

  function columns() {
    const scores = systems.map((system, number) => ({ key: `score-${number}`, title: system.name, falls: false,
      value: (place) => system.scores[place], text: (place) => score(system.scores[place]) }));
    const between = paired() ? [{ key: "difference", title: pairName(), falls: true, value: difference,
      text: (place) => signed(difference(place), 2) }] : [];
    const labels = data.labels.map((label, number) => ({ key: `label-${number}`, title: label.name, kind: "bp-tag",
      text: (place) => label.values[label.places[place]] }));
    return [
      { key: "segment", title: "Segment", falls: false, value: (place) => place, text: (place) => grouped(place + 1) },
      ...scores, ...between,
      { key: "influence", title: `Moves ${target()} by${data.better === "lower" ? " (\u2212 is better)" : ""}`, falls: true, value: influence,
        text: (place) => signed(influence(place), 4) },
      ...(withTexts ? [{ key: "length", title: unit === "tokens" ? "Length" : `Length in ${unit}`, falls: true, value: (place) => data.lengths[place],
        text: (place) => grouped(data.lengths[place]) }] : []),
      ...labels,
      ...(withTexts ? [{ key: "text", title: "Reference", kind: "bp-snippet", whole: (place) => data.references[place][0] ?? "",
        text: (place) => snippet(data.references[place][0] ?? "") }] : []),
    ];
  }
  const snippet = (text) => text.length > SNIPPET ? `${text.slice(0, SNIPPET)}\u2026` : text;

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
    const column = columns().find((one) => one.key === view.sort) ?? columns()[0];
    const keys = new Map(kept.map((place) => [place, column.value(place)]));
    const way = view.descending ? -1 : 1;
    kept.sort((one, other) => way * (keys.get(one) - keys.get(other)) || one - other);
    view.shown = kept;
    view.active = Math.max(0, kept.indexOf(view.opened));
    find("status").textContent = `${grouped(kept.length)} of ${grouped(count)} segments, sorted by ` +
      `${column.title}, ${view.descending ? "highest" : "lowest"} first.`;
    drawHead();
    box.scrollTop = 0;
    draw(true);
    if (view.active > 0) reveal(view.active);
    if (view.opened >= 0) drawOpened();  // what is next depends on what is shown
  }

  function sortBy(column) {
    view.descending = view.sort === column.key ? !view.descending : column.falls;
    view.sort = column.key;
    choose();
    head.querySelector(`[data-key="${column.key}"]`).focus({ preventScroll: true });
  }

  // Drawing

  function drawHead(onPaper = false) {
    const cells = columns().map((column) => {
      const own = view.sort === column.key;
      const cell = make("th", { scope: "col", className: column.kind ?? "", dir: "auto" });
      const parts = [column.title, ...(own ? [make("span", { "aria-hidden": "true" }, view.descending ? " \u25bc" : " \u25b2")] : [])];
      if (!column.value || onPaper) { cell.append(...parts); return cell; }
      cell.setAttribute("aria-sort", own ? (view.descending ? "descending" : "ascending") : "none");
      cell.append(make("button", { type: "button", data: { key: column.key }, on: { click: () => sortBy(column) } }, ...parts));
      return cell;
    });
    head.replaceChildren(make("tr", { "aria-rowindex": "1" }, ...cells));
    find("table").setAttribute("aria-rowcount", String(view.shown.length + 1));
  }

  const drawn = new Map();  // rows in the document, by their place among the shown
  function drawRow(index, all, onPaper = false) {
    const place = view.shown[index];
    const row = make("tr", { "aria-rowindex": String(index + 2), data: { index: String(index) } });
    for (const column of all) {
      if (column.key === "segment" && onPaper) {
        row.append(make("th", { scope: "row" }, column.text(place)));
      } else if (column.key === "segment") {
        row.append(make("th", { scope: "row" }, make("button", { type: "button", tabIndex: -1,
          "aria-label": `Open segment ${place + 1}` }, column.text(place))));
      } else {
        const text = onPaper && column.whole ? column.whole(place) : column.text(place);
        row.append(make("td", { className: column.kind ?? "", dir: column.kind ? "auto" : "" }, text));
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

  // Paper does not scroll: all rows are made for it, every text is whole, and what is folded up is opened.

  let before = null;
  function prepareForPrint() {
    if (before) return;
    const folded = [...document.querySelectorAll("details:not([open])")], shown = Math.min(view.shown.length, MOST_PRINTED);
    before = { folded, top: box.scrollTop };
    for (const one of folded) one.open = true;
    const all = columns();
    drawHead(true);
    body.replaceChildren(...Array.from({ length: shown }, (_, index) => drawRow(index, all, true)));
    find("printed").textContent = shown < view.shown.length
      ? `Printed are the first ${grouped(shown)} of these ${grouped(view.shown.length)} segments; filter or sort them to print others.` : "";
  }

  function returnFromPrint() {
    if (!before) return;
    for (const one of before.folded) one.open = false;
    const { top } = before;
    before = null;
    drawHead();
    draw(true);
    box.scrollTop = top;
    draw(false);
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
    drawn.get(view.active)?.querySelector("button").focus({ preventScroll: true });
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

  // One segment

  function open(index, focus = false) {
    view.active = index;
    view.opened = view.shown[index];
    drawOpened();
    reveal(index);
    mark();
    const panel = find("opened");
    if (focus) panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  function close() {
    const index = view.shown.indexOf(view.opened);
    if (index >= 0) walk(index); else box.focus();
    box.scrollIntoView({ block: "nearest" });
  }

  function drawOpened() {
    const place = view.opened, panel = find("opened"), index = view.shown.indexOf(place);
    const labels = data.labels.map((label) => `, ${label.name}: ${label.values[label.places[place]]}`).join("");
    const step = (title, way) => make("button", { type: "button", disabled: view.shown[index + way] === undefined,
      data: { step: String(way) }, on: { click: () => { open(index + way); refocus(way); } } }, title);
    const shading = choice("References shaded for ", "shading", systems.map((system) => system.name), view.shading,
      (value) => { view.shading = value; drawOpened(); find("shading").focus(); });
    panel.replaceChildren(
      make("h3", { id: "opened-title", dir: "auto" }, `Segment ${grouped(place + 1)}${labels}`),
      make("div", { className: "bp-actions" }, step("Previous", -1), step("Next", 1),
        make("button", { type: "button", on: { click: close } }, "Back to the table"), ...(systems.length > 1 && withTexts ? [shading] : [])),
      ...(withTexts ? [legend()] : []),
      make("div", { className: "bp-cards" }, ...sourceOf(place).map(sourceCard), ...(data.references?.[place] ?? []).map((text, number) => referenceCard(text, number, place)),
        ...systems.map((system) => candidateCard(system, place))));
    panel.hidden = false;
  }

  function refocus(way) {
    const panel = find("opened"), button = panel.querySelector(`[data-step="${way}"]`);
    (button.disabled ? panel : button).focus({ preventScroll: true });
  }

  function legend() {
    const token = (kind, match, text) => make("span", { className: `bp-token ${kind}`, ...(match ? { data: { match } } : {}) }, text);
    const line = (...parts) => make("li", {}, ...parts);
    const matched = unit === "words" ? [
      line(token("bp-matched bp-m1", "", "in place"), " where the reference has it"),
      line(token("bp-matched bp-m4", "", "moved"), " there after a shift"),
      line(token("bp-unmatched", "", "edited"), " substituted or too many"),
    ] : [
      line(token("bp-matched bp-m1", "1", "one"), " to ", token("bp-matched bp-m4", "4", "four"),
        `${chosen ? " and more" : ""} matched; the number is the length of the longest matched n-gram over the ${unit.slice(0, -1)}`),
      line(token("bp-clipped", "", "clipped"), ` more often than in ${chosen ? "the" : "any"} reference`),
      line(token("bp-unmatched", "", "unmatched"), ` in ${chosen ? "the reference not at all" : "no reference"}`),
    ];
    return make("ul", { className: "bp-legend bp-small" }, ...matched,
      line(token("bp-missed", "", "missed"), ` in ${chosen ? "the" : "a"} reference, not in the candidate`),
      ...(chosen && data.references[view.opened].length > 1
        ? [line("A reference without marks is not the one that the system is held against.")] : []));
  }

  function candidateCard(system, place) {
    const counts = unpack(system.counts[place]);
    const parts = data.parts.map(([title, places]) => `${title} ${places.map((one) => counts[one]).join("/")}`);
    const facts = [`${grouped(counts[0])} ${unit}, reference ${grouped(counts[1])}`, ...parts,
      `moves ${system.name} by ${signed(system.influences[place], 4)}`];
    return make("article", { className: "bp-card", data: { system: system.name } },
      make("h4", {}, make("span", { dir: "auto" }, system.name), make("strong", {}, score(system.scores[place]))),
      ...(withTexts ? [shade(system.texts[place], system.cuts[place], system.marks[place], "bp-unmatched")] : []),
      make("p", { className: "bp-small bp-counts" }, ...facts.flatMap((fact) => [make("span", { className: "bp-fact" }, fact), " "])));
  }

  function sourceOf(place) {
    return data.sources === null ? [] : [data.sources[place]];
  }

  function sourceCard(text) {
    return make("article", { className: "bp-card bp-human", data: { source: "yes" } },
      make("h4", {}, "Source"), make("p", { className: "bp-whole", dir: "auto" }, text));
  }

  function referenceCard(text, number, place) {
    const marks = systems[view.shading].referenceMarks[place][number];
    return make("article", { className: "bp-card bp-human", data: { reference: String(number + 1) } },
      make("h4", {}, `Reference ${number + 1}`), shade(text, data.referenceCuts[place][number], marks, "bp-missed"));
  }

  function shade(text, cuts, marks, rest) {
    if (marks === null) return make("p", { className: "bp-whole", dir: "auto" }, text);
    const lengths = unpack(marks), numbers = unpack(cuts), line = make("p", { className: "bp-whole", dir: "auto" });
    const own = typeof numbers[0] === "string";
    let at = 0, last = null;
    lengths.forEach((length, place) => {
      const match = Math.max(0, length - 1);
      if (last !== null && !own && last.mark === length && unit === "characters") {  // a run of characters is one
        const stop = at + numbers[2 * place] + numbers[2 * place + 1];
        last.span.append(text.slice(at, stop));
        at = stop;
        return;
      }
      const depth = unit === "words" && match > 1 ? 4 : Math.min(match, 4);
      const kind = match ? `bp-matched bp-m${depth}` : length === 1 ? "bp-clipped" : rest;
      const [gap, size] = own ? [0, 0] : [numbers[2 * place], numbers[2 * place + 1]];
      const token = own ? numbers[place] : text.slice(at + gap, at + gap + size);
      if (own) line.append(place ? " " : ""); else if (gap) line.append(text.slice(at, at + gap));
      const span = make("span", { className: `bp-token ${unit === "characters" ? "bp-run " : ""}${kind}`, ...(match && unit !== "words" ? { data: { match: String(match) } } : {}) }, token);
      line.append(span);
      last = { mark: length, span };
      at += gap + size;
    });
    if (!own && at < text.length) line.append(text.slice(at));
    if (!line.childNodes.length) line.append(make("span", { className: "bp-small" }, "(empty)"));
    return line;
  }

  // The controls

  function choice(title, id, names, chosen, act, start = 0) {
    const options = names.map((name, number) => make("option", { value: String(number + start), selected: number + start === chosen }, name));
    return make("label", {}, title, make("select", { id, on: { change: (event) => act(Number(event.target.value)) } }, ...options));
  }

  function drawTools() {
    const names = systems.map((system) => system.name);
    let waiting = 0;
    const later = () => { clearTimeout(waiting); waiting = setTimeout(choose, 120); };
    const pair = paired() ? [
      choice("Compare", "first", names, view.first, (value) => { view.first = value; choose(); }),
      choice("with", "second", names, view.second, (value) => { view.second = value; choose(); })] : [];
    const what = paired() ? [choice("Influence on", "influence", ["the difference", ...names], view.influence,
      (value) => { view.influence = value; choose(); }, -1)] : [];
    const search = make("label", { className: "bp-wide" }, "Texts that contain",
      make("input", { type: "search", id: "filter", autocomplete: "off", on: { input: later } }));
    find("tools").replaceChildren(
      ...(withTexts ? [search] : []),
      ...data.labels.map((label, number) =>
        choice(label.name, `label-${number}`, ["all", ...label.values], -1, choose, -1)),
      ...pair, ...what);
  }

  drawTools();
  for (const id of ["tools", "rows", "keys"]) find(id).hidden = false;
  let asked = false;
  box.addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; if (!before) draw(false); });
  }, { passive: true });
  box.addEventListener("keydown", press);
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-index]");
    if (row) open(Number(row.dataset.index), event.target.closest("button") !== null);
  });
  find("opened").addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  addEventListener("resize", () => { if (!before) draw(true); });
  addEventListener("beforeprint", prepareForPrint);
  addEventListener("afterprint", returnFromPrint);
  choose();
  document.body.dataset.ready = "yes";
})();

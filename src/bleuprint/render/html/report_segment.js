// One segment: its texts and counts below the table, and its address, which Back, Forward and reload go by.
const ADDRESS = /^#segment-(\d+)$/;
const chosen = unit !== "tokens";  // of several references one is taken, the best for the candidate

const open = (index, focus = false) => openPlace(view.shown[index], { focus });

function openPlace(place, { focus = false, from = null, record = true } = {}) {
  const index = view.shown.indexOf(place);
  view.opened = place;
  view.from = from;
  drawOpened();
  if (index >= 0) {
    view.active = index;
    reveal(index);
  }
  mark();
  plots.forEach(markPlot);
  if (record && location.hash !== `#segment-${place + 1}`) location.hash = `segment-${place + 1}`;
  const panel = find("opened");
  if (focus) panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

// The address says what is open: without a segment in it, none is.
function follow() {
  const wanted = ADDRESS.exec(location.hash), place = wanted ? Number(wanted[1]) - 1 : -1;
  find("no-segment").textContent = wanted && !(place >= 0 && place < count)
    ? `Expected the number of a segment in the address, 1 to ${grouped(count)}, got ${wanted[1]}. Choose one in the table.` : "";
  if (place === view.opened) return;
  if (place >= 0 && place < count) { openPlace(place, { record: false }); return; }
  if (find("opened").contains(document.activeElement)) leave();
  view.opened = -1;
  find("opened").hidden = true;
  mark();
  plots.forEach(markPlot);
}

function leave() {
  const index = view.shown.indexOf(view.opened), plot = plots[view.from?.number];
  if (plot) { plot.field.focus(); plot.figure.scrollIntoView({ block: "nearest" }); return; }
  if (index >= 0) walk(index); else box.focus();
  box.scrollIntoView({ block: "nearest" });
}

function drawOpened() {
  const place = view.opened, panel = find("opened"), index = view.shown.indexOf(place);
  const labels = data.labels.map((label) => `, ${label.name}: ${label.values[label.places[place]]}`).join("");
  const step = (title, way) => make("button", { type: "button", disabled: view.shown[index + way] === undefined,
    data: { step: String(way) }, on: { click: () => { openPlace(view.shown[index + way], { from: view.from }); refocus(way); } } }, title);
  const shading = choice("References shaded for ", "shading", systems.map((system) => system.name), view.shading,
    (value) => { view.shading = value; drawOpened(); find("shading").focus(); });
  const shown = systems.filter((_, number) => isShown(`score-${number}`)), pinned = systems[Number(/^score-(\d+)$/.exec(view.pinned)?.[1] ?? -1)];
  const kept = [...sourceOf(place).map(sourceCard), ...(data.references?.[place] ?? []).map((text, number) => referenceCard(text, number, place)),
    ...(pinned ? [candidateCard(pinned, place)] : [])];
  const hidden = systems.length - shown.length - (pinned && !shown.includes(pinned) ? 1 : 0);
  panel.replaceChildren(
    make("h3", { id: "opened-title", dir: "auto" }, `Segment ${grouped(place + 1)}${labels}`),
    make("div", { className: "bp-actions" }, step("Previous", -1), step("Next", 1),
      make("button", { type: "button", on: { click: leave } }, view.from ? "Back to the plot" : "Back to the table"), ...(systems.length > 1 && withTexts ? [shading] : [])),
    ...(withTexts ? [legend()] : []),
    make("div", { className: "bp-cards" },
      ...(kept.length ? [make("div", { className: "bp-kept", tabIndex: 0, role: "region", "aria-label": pinned ? "Kept in sight" : "References" }, ...kept)] : []),
      make("div", { className: "bp-others" }, ...shown.filter((system) => system !== pinned).map((system) => candidateCard(system, place)))),
    ...(hidden ? [make("p", { className: "bp-small" }, `${grouped(hidden)} of ${grouped(systems.length)} systems are left out, as their columns are.`)] : []));
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
  const others = data.recipes.slice(1).map((recipe, number) => `${recipe.title} ${score(system.scores[number + 1][place], recipe)}`);
  const facts = [`${grouped(counts[0])} ${unit}, reference ${grouped(counts[1])}`, ...parts, ...others,
    ["moves ", nameTag(system), ` by ${signed(rounded(system.influences[place], INFLUENCE_DIGITS), 4)}`]];
  return make("article", { className: "bp-card", data: { system: system.name } },
    make("h4", {}, nameTag(system), make("strong", {}, score(system.scores[0][place]))),
    ...(withTexts ? [shade(system.texts[place], system.cuts[place], system.marks[place], "bp-unmatched")] : []),
    make("p", { className: "bp-small bp-counts" }, ...facts.flatMap((fact) => [make("span", { className: "bp-fact" }, ...[fact].flat()), " "])));
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

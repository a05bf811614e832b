// Two systems' scores of every segment against each other, a plot for each recipe. A dot is a segment, and opens it.
const LAYERS = 8;  // dots of different layers shade each other, so that crowded places are darker
const REACH = 14;  // so many pixels beside a dot still mean it
const SIZE = 250;
const KINDS = ["ahead", "level", "behind"];
const plots = [];

function drawPlots() {
  find("plots").hidden = !paired();
  if (!paired()) return;
  const held = plots.findIndex((plot) => plot.field === document.activeElement);
  plots.splice(0, plots.length, ...data.recipes.map(makePlot));
  find("plots-list").replaceChildren(...plots.map((plot) => plot.figure));
  if (held >= 0) plots[held].field.focus();
}

const scoreAt = (plot, system, place) => systems[system].scores[plot.number][place];

function makePlot(recipe, number) {
  const plot = { recipe, number, at: -1 };
  const [ahead, level, behind] = recipe.leads[view.first][view.second], names = [systems[view.first], systems[view.second]];
  const key = (kind) => makeDrawn("svg", { class: "bp-key", viewBox: "0 0 10 10", "aria-hidden": "true" },
    makeDrawn("circle", { class: `bp-key-${kind}`, cx: 5, cy: 5, r: 4 }));
  const line = (kind, ...words) => make("li", {}, key(kind), ...words);
  const readout = make("p", { className: "bp-small bp-readout", id: `readout-${number}`, role: "status" });
  const label = `${recipe.title} of ${grouped(view.shown.length)} segments, ${names[0].name} across, ${names[1].name} upwards. ` +
    `Left and right, up and down walk from dot to dot, Enter opens its segment.`;
  Object.assign(plot, { readout, dots: makeDots(plot), mark: makeDrawn("circle", { class: "bp-mark", r: (recipe.high - recipe.low) / 40 }),
    open: makeDrawn("circle", { class: "bp-mark bp-mark-open", r: (recipe.high - recipe.low) / 40 }) });
  plot.inner = makeDrawn("svg", { class: "bp-dots", x: 0, y: 0, width: SIZE, height: SIZE,
    viewBox: `${recipe.low} ${-recipe.high} ${recipe.high - recipe.low} ${recipe.high - recipe.low}` }, ...plot.dots, plot.open, plot.mark);
  plot.field = make("div", { className: "bp-field", tabIndex: 0, role: "application", "aria-roledescription": "scatter plot", "aria-label": label,
    data: { plot: recipe.title },
    on: { keydown: (event) => pressPlot(plot, event), click: (event) => openAt(plot, event),
      pointermove: (event) => hover(plot, nearest(plot, event)), pointerleave: () => hover(plot, -1),
      focus: () => point(plot, plot.at >= 0 ? plot.at : start(plot)), blur: () => point(plot, -1) } }, drawFrame(plot, names));
  plot.figure = make("figure", { className: "bp-plot" },
    make("figcaption", {}, make("strong", {}, recipe.title), recipe.better === "lower" ? ", lower is better" : "",
      make("ul", { className: "bp-legend bp-small" }, line("ahead", nameTag(names[0]), ` ahead on ${grouped(ahead)}`),
        line("behind", nameTag(names[1]), ` ahead on ${grouped(behind)}`), line("level", `level on ${grouped(level)}`))),
    plot.field, readout);
  markPlot(plot);
  point(plot, -1);
  return plot;
}

// Scores are the coordinates themselves; what is beyond the end of the axis stands at its end.
function makeDots(plot) {
  const { low, high, better } = plot.recipe, paths = KINDS.map(() => Array.from({ length: LAYERS }, () => []));
  plot.places = view.shown.map((place, turn) => {
    const [x, y] = [scoreAt(plot, view.first, place), scoreAt(plot, view.second, place)];
    const kind = x === y ? 1 : (x > y) === (better === "higher") ? 0 : 2;
    const dot = { place, x: Math.min(x, high), y: Math.min(y, high) };
    paths[kind][turn % LAYERS].push(`M${dot.x} ${-dot.y}h0`);
    return dot;
  });
  const width = (high - low) / (view.shown.length > 500 ? 70 : 45);
  return paths.flatMap((layers, kind) => layers.filter((path) => path.length)
    .map((path) => makeDrawn("path", { class: `bp-dot-${KINDS[kind]}`, d: path.join(""), "stroke-width": width })));
}

function drawFrame(plot, names) {
  const { low, high, ticks } = plot.recipe, line = (one) => makeDrawn("line", { class: "bp-grid", ...one });
  const grid = ticks.flatMap(([x, y, label]) => [
    line({ x1: x, x2: x, y1: 0, y2: "100%" }), line({ x1: 0, x2: "100%", y1: y, y2: y }),
    makeDrawn("text", { class: "bp-tick", x, y: "100%", dy: 14 }, label),
    makeDrawn("text", { class: "bp-tick bp-end", x: 0, y, dx: -5, dy: 4 }, label)]);
  const title = (name, place) => makeDrawn("text", { class: "bp-tick bp-axis-title", ...place }, name.short ?? name.name);
  const diagonal = makeDrawn("line", { class: "bp-zero", x1: 0, y1: "100%", x2: "100%", y2: 0 });
  return makeDrawn("svg", { viewBox: "0 0 312 300", "aria-hidden": "true" },
    makeDrawn("svg", { x: 44, y: 8, width: SIZE, height: SIZE, overflow: "visible" }, ...grid, diagonal, plot.inner),
    title(names[0], { x: 169, y: 293 }), title(names[1], { x: 0, y: 0, transform: "translate(11 133) rotate(-90)" }));
}

const dotAt = (plot, place) => plot.places.find((dot) => dot.place === place);

function setMark(circle, dot) {
  circle.setAttribute("visibility", dot ? "visible" : "hidden");
  if (dot) { circle.setAttribute("cx", dot.x); circle.setAttribute("cy", -dot.y); }
}

function point(plot, place) {
  const dot = dotAt(plot, place);
  plot.at = dot ? place : -1;
  setMark(plot.mark, dot);
  if (!dot) { plot.readout.textContent = "A dot is a segment: point at one to read its scores, click it to open it."; return; }
  const others = sharing(plot, dot).length - 1, own = (system) => `${systems[system].name} ${score(scoreAt(plot, system, place), plot.recipe)}`;
  plot.readout.textContent = `Segment ${grouped(place + 1)}: ${own(view.first)}, ${own(view.second)}` +
    (others ? `; ${grouped(others)} more in this place` : "");
}

// Beside all dots, the one that the keys have reached stays.
const hover = (plot, place) => { if (place >= 0 || document.activeElement !== plot.field) point(plot, place); };
const sharing = (plot, dot) => plot.places.filter((one) => one.x === dot.x && one.y === dot.y);
const start = (plot) => dotAt(plot, view.opened)?.place ?? plot.places[0]?.place ?? -1;
const markPlot = (plot) => setMark(plot.open, dotAt(plot, view.opened));

function nearest(plot, event) {
  const matrix = plot.inner.getScreenCTM();
  let best = -1, least = REACH * REACH;
  for (const { place, x, y } of plot.places) {
    const across = matrix.a * x + matrix.e - event.clientX, down = matrix.f - matrix.d * y - event.clientY;
    const far = across * across + down * down;
    if (far < least) { least = far; best = place; }
  }
  return best;
}

// Where several segments have the same scores, another click opens the next of them.
function openAt(plot, event) {
  const dot = dotAt(plot, nearest(plot, event));
  if (!dot) return;
  const all = sharing(plot, dot), next = all[(all.findIndex((one) => one.place === view.opened) + 1) % all.length];
  openPlace(next.place, { from: plot, focus: true });
}

function pressPlot(plot, event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !plot.places.length) return;
  const upwards = event.key === "ArrowUp" || event.key === "ArrowDown";
  const way = [...plot.places].sort((one, other) => (upwards ? one.y - other.y || one.x - other.x : one.x - other.x || one.y - other.y) || one.place - other.place);
  const at = way.findIndex((dot) => dot.place === plot.at), last = way.length - 1;
  const goal = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: last, Enter: at }[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  if (event.key === "Enter") { if (at >= 0) openPlace(plot.at, { from: plot, focus: true }); return; }
  point(plot, way[Math.max(0, Math.min(last, goal))].place);
}

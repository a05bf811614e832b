/**
 * The page: collects the form, calls the engine, puts the answers in place. There is no metric in here.
 */
import { decode, watchCorpus } from "./corpus.js";
import { watchFrame } from "./frame.js";
import { watchHighlights } from "./highlight.js";
import { limits } from "./limits.js";
import { isKept, keepRecipe, readOptions, showChoices, startTexts, watchOptions } from "./options.js";
import { beginPlace, keepPlace, readPlace } from "./places.js";
import { download, readLink, writeLink } from "./share.js";
import { watchWhatIf } from "./what_if.js";

const WAIT = 150;
/** Milliseconds after which a result that is still to come is announced. */
const SLOW = 500;
const REFUSED = "Nothing was exported: there is no result of these texts and options yet.";
const $ = (id) => document.getElementById(id);

/** @type {{call: (request: object) => Promise<object>}} */
let engine;
let newest = 0;
let timer;
let mode = "segment";
let failure = null;
/** The mode whose result is shown; of one segment, also the form that it belongs to. */
let shownFor = "segment";
let shownForm = "";
/** The order of n-grams that alone shades the texts; none is the longest match. */
let shadeOrder = null;

function referenceBoxes() {
  return [...document.querySelectorAll("#references textarea")];
}

function readForm() {
  return {
    candidate: $("candidate").value,
    references: referenceBoxes().map((box) => box.value),
    recipe: readOptions(),
  };
}

/** Fill the form in from an example, a link or an opened segment. */
function writeForm({ candidate, references, recipe }) {
  $("opened-segment").hidden = true;
  $("candidate").value = candidate;
  while (referenceBoxes().length > references.length) referenceBoxes().at(-1).closest(".box").remove();
  while (referenceBoxes().length < references.length) addReference();
  referenceBoxes().forEach((box, place) => (box.value = references[place]));
  if (recipe) showChoices({ base: recipe.base, changes: recipe });
  nameReferences();
}

/** Show what the address asks for: a shared link, or a mode by its name. */
function followAddress() {
  const { state, problem } = readLink();
  if (state) return restore(state);
  if (problem) return showProblem(problem);
  const [name] = decodeFragment().split("/"); // a mode may name its own places behind it
  if (name in MODES) return chooseMode(name, { entry: false });
  if (name && !$(name)) showProblem({ message: `address: expected the name of a mode behind #, got “${name}”. Nothing was changed.` });
}

function decodeFragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}

/** Show what a link carries, or an example, whose recipe nobody has chosen. */
function restore(linked, { isExample = false } = {}) {
  if (TEXTS[linked.mode] === "own") {
    chooseMode(linked.mode, { entry: false });
    return MODES[mode].restore(linked);
  }
  if (!isExample) keepRecipe();
  const takesRecipe = !isExample || TEXTS[linked.mode] !== "either";
  if (linked.files && takesRecipe) showChoices({ base: linked.recipe.base, changes: linked.recipe });
  else if (!linked.files) writeForm(linked);
  if (linked.files) corpus.fill(linked);
  const texts = linked.files ? "corpus" : "segment";
  chooseMode(["either", texts].includes(TEXTS[linked.mode]) ? linked.mode : texts, { texts, entry: false });
  MODES[mode].restore(linked);
}

/** What an entry of the history carries: the texts of both kinds, the recipe, and whether there was a result. */
function readState() {
  const { candidate, references, recipe } = readForm();
  const worked = mode !== "segment" && !$("result-html").querySelector(".invitation");
  return { mode, source: source(), segment: { candidate, references }, corpus: corpus.state(), recipe, kept: isKept(), worked, own: MODES[mode].peek?.() };
}

/** Come back to an entry of the history; a result that is not there any more, as after a reload, is worked out again. */
async function recall(state) {
  if (state.kept) keepRecipe();
  else if (hasRecipe(state.mode)) startTexts(TEXTS[state.mode]);
  if (state.segment) writeForm({ ...state.segment, recipe: state.recipe });
  if (state.corpus) corpus.fill(state.corpus);
  const own = TEXTS[state.mode] === "own" && state.own;
  await chooseMode(state.mode, { texts: state.source, entry: false, show: !own });
  if (own) return MODES[mode].restore(own);
  if (mode !== state.mode || !state.worked || !$("result-html").querySelector(".invitation")) return;
  MODES[mode].restore({ ...state.corpus, ...state.own });
}

function addReference() {
  $("references").append($("reference-template").content.cloneNode(true));
}

function nameReferences() {
  const boxes = [...document.querySelectorAll("#references .box")];
  boxes.forEach((box, place) => {
    const name = `reference-${place + 1}`;
    box.querySelector("label").textContent = `Reference ${place + 1}`;
    box.querySelector("label").htmlFor = name;
    const area = box.querySelector("textarea");
    area.id = name;
    area.setAttribute("aria-describedby", `${name}-count`);
    box.querySelector(".count").id = `${name}-count`;
    const remove = box.querySelector(".remove");
    remove.hidden = boxes.length === 1;
    remove.setAttribute("aria-label", `Remove reference ${place + 1}`);
  });
  $("add-reference").disabled = boxes.length >= limits.references;
}

function showCounts(lengths) {
  frame.offerCorpus();
  const areas = [$("candidate"), ...referenceBoxes()];
  const counts = lengths ? [lengths.candidate, ...lengths.references] : [];
  areas.forEach((area, place) => {
    const length = [...area.value].length; // characters, as Python counts them
    const most = limits.characters;
    const count = area.closest(".box").querySelector(".count");
    const known = describeCount(counts[place]);
    count.textContent = `${known}${length.toLocaleString("en")} of ${most.toLocaleString("en")} characters`;
    count.classList.toggle("over", length > most);
    area.setAttribute("aria-invalid", String(length > most));
  });
}

/** What the engine said of a box: nothing yet, that it is left out, or how long it is in tokens or the like. */
function describeCount(counted) {
  if (counted === undefined) return "";
  return counted === null ? "blank, so left out; " : `${counted}, `;
}

export function showProblem(error) {
  $("problem").hidden = !error;
  $("problem").textContent = error ? error.message : "";
  if (mode === "segment") markOutdated(Boolean(error) && !isShown());
}

/** Whether the result shown is that of the boxes as they are; the page opens with that of the first example. */
function isShown() {
  return shownForm ? shownForm === JSON.stringify(readForm()) : isFirstExample();
}

/** Say in words that the result shown belongs to another form than the one that stands here now, and what to do. */
function markOutdated(wanted, remedy = "") {
  const outdated = wanted && !$("result-html").querySelector(".invitation");
  $("outdated").hidden = !outdated;
  $("outdated").textContent = outdated ? `Outdated: this is not the result of the texts and options as they are now. ${remedy}` : "";
  for (const part of ["result-html", "more"]) $(part).classList.toggle("stale", outdated);
  $("score-bar").classList.toggle("outdated", outdated);
}

/** Put a result in place; it is the mode's own, and up to date. What stands below the texts is there for one segment. */
function showHtml(html, summary = "") {
  $("result-html").innerHTML = html;
  $("summary-html").innerHTML = summary;
  shownFor = mode;
  markOutdated(false);
  if (html) frame.reveal();
}

/** Say what to do, in the place of a result. */
function invite(text) {
  showHtml("");
  $("result-html").append(Object.assign(document.createElement("p"), { className: "invitation", textContent: text }));
}

export function say(text) {
  $("said").textContent = text;
}

function schedule() {
  showCounts();
  if (!engine) markOutdated(!isShown(), failure ? "" : "Python is still loading.");
  clearTimeout(timer);
  timer = setTimeout(() => update(), WAIT);
}

/** Ask for the headline first, then for everything below it; an answer that came too late is dropped. */
async function update({ trying = false } = {}) {
  if (!trying) whatIf.forget();
  if (!engine || mode !== "segment") return;
  const turn = ++newest;
  const form = readForm();
  $("result").setAttribute("aria-busy", "true");
  const slow = setTimeout(() => turn === newest && markOutdated(!isShown(), "Theirs is being worked out."), SLOW);
  const answer = await engine.call({ action: "explain", before: whatIf.before(), ...form });
  clearTimeout(slow);
  if (turn !== newest) return;
  $("result").setAttribute("aria-busy", "false");
  showProblem(answer.ok ? null : answer.error);
  if (!answer.ok) {
    whatIf.tell("there is no score");
    return shownFor === mode || clearSegment();
  }
  showHtml(answer.html, answer.summary);
  if (shownForm && JSON.stringify(JSON.parse(shownForm).recipe) !== JSON.stringify(form.recipe)) shadeOrder = null;
  shownForm = JSON.stringify(form);
  whatIf.tell(answer.change);
  $("score-bar").querySelector("span").textContent = answer.headline;
  showSignature(answer.signature);
  showChoices(answer);
  showCounts(answer.lengths);
  notePlace();
  document.body.dataset.shown = String(turn);
  await updateDetails(form, turn);
}

/** A signature may go on in a new line after each of its parts. */
function showSignature(signature) {
  const parts = signature.split("|").map((part, place, all) => (place < all.length - 1 ? `${part}|` : part));
  $("signature").replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}

/** Take away what belongs to another mode, or to a headline that is gone. */
function clearSegment() {
  invite("There is no result of these texts.");
  clearDetails();
}

function clearDetails() {
  for (const part of ["texts", "what-if", "summary", "derivation", "ngrams", "dialects"]) $(`${part}-html`).replaceChildren();
}

/** What could not be worked out is said, and nothing older is left in its place. */
function refuseDetails({ error }) {
  clearDetails();
  $("problem").hidden = false;
  $("problem").textContent = error.message;
}

async function updateDetails(form, turn) {
  const details = await engine.call({ action: "details", shade_order: shadeOrder, ...form });
  if (turn !== newest) return;
  if (!details.ok) return refuseDetails(details);
  $("texts-html").innerHTML = details.html.texts;
  $("derivation-html").innerHTML = details.html.derivation;
  $("ngrams-html").innerHTML = details.html.ngrams;
  const trials = await engine.call({ action: "what-if", ...form });
  if (turn !== newest) return;
  if (!trials.ok) return refuseDetails(trials);
  $("what-if-html").innerHTML = trials.html;
  const dialects = await engine.call({ action: "dialects", ...form });
  if (turn !== newest) return;
  if (!dialects.ok) return refuseDetails(dialects);
  $("dialects-html").innerHTML = dialects.html;
  document.body.dataset.complete = String(turn);
}

/** Show the choices of the recipe that holds now, where no result does so. */
async function showRecipe() {
  const wanted = JSON.stringify(readOptions());
  const answer = engine && (await engine.call({ action: "recipe", recipe: readOptions() }));
  if (answer?.ok && wanted === JSON.stringify(readOptions())) showChoices(answer);
}

/** Which texts a mode takes: those of one segment, those of a corpus, either, as the form says, or its own. */
const TEXTS = { segment: "segment", corpus: "corpus", compare: "corpus", reconcile: "either", identify: "either", learn: "own" };

/** Whether a mode takes the recipe of the options, which one segment and a corpus each start with their own. */
const hasRecipe = (name) => ["segment", "corpus"].includes(TEXTS[name]);

/**
 * The modes by the names of their tabs. Each can show (what it has), leave, start (the engine has come), be changed (an
 * option) or touched (a text), give its state for a link and restore it, and export.
 */
const MODES = {
  segment: {
    show: () => update(),
    leave: () => {},
    start: () => isFirstExample() || update(),
    changed: schedule,
    state: () => ({}),
    restore: () => {},
    export: async (request) => {
      if (!isShown()) await update();
      if (isShown()) return engine.call({ action: "export", ...request, ...readForm() });
      say(REFUSED);
      return null;
    },
  },
  get corpus() {
    return { ...corpus, state: () => ({}), start: () => {} }; // it starts itself
  },
  compare: loadLate("compare"),
  reconcile: loadLate("reconcile"),
  identify: loadLate("identify"),
  learn: loadLate("learn", "learning.js"),
};

/**
 * A mode whose script comes when it is first needed; until then its part of the form takes no clicks, so none is lost.
 * Where somebody has left the mode by then, it shows nothing.
 */
function loadLate(name, script = `${name}.js`) {
  let made = null;
  let loading = null;
  const load = () => (loading ??= fetchMode());
  const fetchMode = async () => {
    const own = document.querySelectorAll(`[data-modes="${name}"]`);
    for (const part of own) part.inert = true;
    made = (await import(`./${script}`)).watchMode(desk);
    for (const part of own) part.inert = false;
    return made;
  };
  const refuse = (error) => showProblem({ message: `${script}: ${error.message}` });
  const later = (verb) => (argument) => load().then((loaded) => loaded[verb](argument), refuse);
  const isLeft = () => mode !== name;
  return {
    show: (now) => load().then((loaded) => isLeft() || loaded.show(now), refuse),
    restore: (state) => load().then((loaded) => [loaded.restore(state), isLeft() && loaded.leave()], refuse),
    state: later("state"),
    peek: () => made?.state(),
    export: later("export"),
    start: () => made?.start(),
    leave: () => made?.leave(),
    touched: () => made?.touched(),
    changed: () => made?.changed?.(),
  };
}

/** What the page lends to modes. */
const desk = {
  call: (request) => engine.call(request),
  ready: () => Boolean(engine),
  source: () => source(),
  unreadable: () => (source() === "corpus" ? corpus.unreadable() : null),
  textsRequest: () => (source() === "corpus" ? corpus.request() : { action: "segment-read", ...readForm() }),
  textsState: () => readTexts(),
  readOptions,
  showChoices,
  decode,
  say,
  showProblem: (problem) => showProblem(problem),
  showResult: (html, more) => {
    showHtml(html);
    $("told-html").innerHTML = more;
  },
  showInvitation: (text) => {
    invite(text);
    $("told-html").replaceChildren();
  },
  markOutdated,
  notePlace: () => notePlace(),
  share: () => share(),
  /** Say at the boxes which references the engine left out. */
  showLeftOut: (numbers) => {
    const references = referenceBoxes().map((box, place) => (numbers.includes(place + 1) ? null : undefined));
    showCounts({ references });
  },
};

/** Whose texts are used: in a mode that takes either, as chosen there. */
function source() {
  return TEXTS[mode] === "either" ? document.querySelector("[name=source]:checked").value : TEXTS[mode];
}

/** The texts as a link carries them. */
function readTexts() {
  if (source() === "corpus") return corpus.state();
  const { candidate, references } = readForm();
  return { candidate, references };
}

function showParts() {
  for (const part of document.querySelectorAll("[data-modes]")) part.hidden = !part.dataset.modes.split(" ").includes(mode);
  for (const part of document.querySelectorAll("[data-texts]")) part.hidden = part.dataset.texts !== source();
  frame.offerCorpus();
  $(mode === "learn" ? "learn-step" : "outdated").before($("problem")); // where it is seen
}

/**
 * Go to a mode: with the texts of the one before, if there are any, `fill` putting others in their place, and what is to
 * be done `now` being done. It is a new entry of the history, unless it comes from there.
 */
function chooseMode(name, { texts = corpus.isEmpty() ? "segment" : source(), now = false, fill = () => {}, entry = true, show = true } = {}) {
  if (entry) keepPlace(readState(), false);
  MODES[mode].leave();
  fill();
  mode = name;
  if (texts !== "own") document.querySelector(`[name=source][value=${texts}]`).checked = true;
  for (const tab of tabs) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) $("question").textContent = tab.dataset.question;
  }
  showParts();
  if (hasRecipe(name) && startTexts(TEXTS[name])) showRecipe();
  say("");
  newest += 1;
  $("result").setAttribute("aria-busy", "false");
  showProblem(failure);
  markOutdated(false);
  const shown = show ? MODES[name].show(now) : null;
  if (entry) beginPlace(readState());
  return shown;
}

/** Take a recipe that was found into the calculator, with the same texts. */
function useRecipe({ recipe, remark }) {
  const texts = source();
  keepRecipe();
  chooseMode(texts, { now: true, fill: () => showChoices({ base: recipe, changes: {} }) });
  say(remark ? `The recipe is used as usual here; the number came of it by: ${remark}.` : "The recipe is used.");
  $("result").focus();
}

function watchForm() {
  $("example").addEventListener("click", showExample);
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("segment-texts").addEventListener("input", () => (mode === "segment" ? schedule() : showCounts()));
  $("form").addEventListener("input", () => MODES[mode].touched?.());
  $("source").addEventListener("change", () => {
    showParts();
    MODES[mode].show();
  });
  $("add-reference").addEventListener("click", () => {
    addReference();
    nameReferences();
    referenceBoxes().at(-1).focus();
    changeTexts();
  });
  $("references").addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    event.target.closest(".box").remove();
    nameReferences();
    $("add-reference").focus();
    changeTexts();
  });
  document.querySelector(".lessons").addEventListener("click", (event) => {
    const button = event.target.closest(".lesson");
    if (!button) return;
    writeForm(JSON.parse(button.dataset.form));
    update();
  });
  watchOptions(() => MODES[mode].changed());
}

/** Keep what the form says now with the entry of the history, if it says something else than that. */
function notePlace() {
  const content = (state) => JSON.stringify({ ...state, worked: null });
  const state = readState();
  if (content(state) !== content(readPlace())) keepPlace(state);
}

/** Follow the browser through the entries of its history. */
function watchPlaces() {
  let waiting;
  for (const kind of ["input", "change", "click"]) {
    $("form").addEventListener(kind, () => {
      clearTimeout(waiting);
      waiting = setTimeout(notePlace, WAIT);
    });
  }
  addEventListener("pagehide", () => keepPlace(readState(), false));
  addEventListener("popstate", ({ state }) => {
    clearTimeout(waiting);
    if (state?.mode) recall(state);
  });
  addEventListener("hashchange", () => {
    if (readPlace()) return;
    followAddress();
    keepPlace(readState(), false);
  });
}

function changeTexts() {
  if (mode === "segment") return schedule();
  showCounts();
  MODES[mode].touched?.();
}

function watchModes() {
  const moves = {
    ArrowLeft: (place) => place - 1,
    ArrowRight: (place) => (place + 1) % tabs.length,
    Home: () => 0,
    End: () => -1,
  };
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => tab.id === `tab-${mode}` || chooseMode(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      if (!moves[event.key]) return;
      event.preventDefault();
      const other = tabs.at(moves[event.key](place));
      other.focus();
      other.click();
    });
  });
}

function watchResult() {
  $("copy-signature").addEventListener("click", () => copy($("signature").textContent, "Signature copied."));
  $("share").addEventListener("click", share);
  $("selftest").addEventListener("click", async () => {
    const answer = engine ? await engine.call({ action: "selftest" }) : { error: failure };
    if (answer.ok) $("selftest-html").innerHTML = answer.html;
    else $("selftest-html").textContent = answer.error?.message ?? "Python is still loading.";
  });
  $("teach").addEventListener("click", teach);
  $("print").addEventListener("click", () => window.print());
  for (const button of document.querySelectorAll(".export")) {
    button.addEventListener("click", async () => {
      if (!engine) return showProblem(failure);
      const answer = await MODES[mode].export({ format: button.dataset.format });
      if (!answer) return;
      showProblem(answer.ok ? null : answer.error);
      if (answer.ok) download(answer);
    });
  }
  $("ngrams-html").addEventListener("click", async (event) => {
    const turn = event.target.closest(".bp-turn");
    if (!turn) return;
    const request = { order_shown: Number(turn.dataset.order), page: Number(turn.dataset.page) };
    const answer = await engine.call({ action: "ngrams", ...request, ...readForm() });
    if (!answer.ok) return showProblem(answer.error);
    const table = turn.closest("details");
    const forward = turn.nextElementSibling === null;
    turn.closest(".bp-ngram-page").outerHTML = answer.html;
    const buttons = [...table.querySelectorAll(".bp-turn:not(:disabled)")];
    (forward ? buttons.at(-1) : buttons[0])?.focus();
  });
  $("dialects-html").addEventListener("click", (event) => {
    const button = event.target.closest(".bp-dialect");
    if (event.target.matches(".bp-all-metrics")) showAllMetrics(event.target);
    if (!button) return;
    keepRecipe();
    showChoices({ base: button.dataset.dialect, changes: {} });
    update();
    $("result").focus();
  });
  $("result-html").addEventListener("click", (event) => {
    const { dataset } = event.target;
    if (event.target.matches(".bp-copy")) copy(dataset.text, "Signature copied.");
    if (event.target.matches(".bp-use")) useRecipe(dataset);
  });
  $("texts-html").addEventListener("click", (event) => event.target.closest(".bp-all-tokens") && showTexts(true));
  $("texts-html").addEventListener("change", async (event) => {
    shadeOrder = event.target.value ? Number(event.target.value) : null;
    await showTexts();
    $("texts-html").querySelector(".bp-shading :checked")?.focus();
  });
}

/** Show the dialects of every metric for texts that are too long to do so after each key. */
async function showAllMetrics(button) {
  button.disabled = true;
  const turn = newest;
  const answer = await engine.call({ action: "dialects", all_metrics: true, ...readForm() });
  if (turn !== newest) return;
  showProblem(answer.ok ? null : answer.error);
  if (answer.ok) $("dialects-html").innerHTML = answer.html;
}

/** Copy a link to what is shown: it carries the texts and the recipe, or the name of a lesson. */
async function share() {
  const unreadable = desk.unreadable();
  if (unreadable) return say(unreadable.message);
  notePlace();
  const own = await MODES[mode].state();
  if (own.address) return copy(location.href, "Link copied.");
  const refusal = writeLink({ ...(TEXTS[mode] !== "own" && { ...readTexts(), recipe: readOptions() }), ...own });
  if (refusal) return say(refusal);
  copy(location.href, "Link copied; your texts are part of it.");
}

/** Take the texts and the recipe at hand through the steps of a lesson. */
async function teach() {
  if (!engine) return showProblem(failure);
  const recipe = readOptions();
  const answer = await engine.call(desk.textsRequest());
  if (!answer.ok) return showProblem(answer.error);
  const lesson = { lesson: "own", segments: answer.segments, recipe };
  const first = await engine.call({ action: "learn", ...lesson }); // what cannot be taught is said here
  if (!first.ok) return showProblem(first.error);
  chooseMode("learn", { show: false });
  MODES.learn.restore(lesson);
}

/** Fill the mode in with its example. */
async function showExample() {
  if (!engine) return showProblem(failure);
  const answer = await engine.call({ action: "example", mode });
  if (answer.ok) restore(answer.state, { isExample: true });
}

/** Show the texts again: all of their tokens, or shaded in another way. */
async function showTexts(all = false) {
  if (!engine) return showProblem(failure);
  const turn = newest;
  const answer = await engine.call({ action: "details", all_tokens: all, shade_order: shadeOrder, ...readForm() });
  if (turn !== newest) return;
  if (answer.ok) $("texts-html").innerHTML = answer.html.texts;
  else showProblem(answer.error);
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(`Copy it from here: ${text}`);
  }
}

function showProgress({ loaded, total, stage }) {
  $("engine").hidden = false;
  $("engine-progress").value = total ? loaded / total : 0;
  $("engine-text").textContent = stage ?? "";
}

async function startEngine() {
  const served = document.body.dataset.engine === "served";
  const module = await (served ? import("./engine-served.js") : import("./engine-static.js"));
  const giveUp = (error) => {
    $("engine").hidden = true;
    engine = null;
    corpus.start(null);
    failure = { message: `Python could not be loaded: ${error.message}` };
    showProblem(failure);
  };
  try {
    await module.start(showProgress, giveUp);
  } catch (error) {
    return giveUp(error);
  }
  $("engine").hidden = true;
  engine = module;
  engine.counter?.then((words) => ($("counter").textContent = `Counted by the engine ${words}.`));
  document.body.dataset.ready = "yes";
  corpus.start(engine);
  if (mode !== "segment") showRecipe();
  MODES[mode].start();
}

/** The first example is on the page already; it need not be computed again. */
function isFirstExample() {
  const first = JSON.parse(document.querySelector(".lesson").dataset.form);
  const form = readForm();
  return (
    form.candidate === first.candidate &&
    JSON.stringify(form.references) === JSON.stringify(first.references) &&
    form.recipe.base === first.recipe.base &&
    Object.keys(form.recipe).length === 1
  );
}

const tabs = [...document.querySelectorAll("[role=tab]")];
const corpus = watchCorpus({
  isChosen: () => mode === "corpus",
  touched: () => MODES[mode].touched?.(),
  readOptions,
  showChoices,
  showProblem,
  showHtml,
  invite,
  markOutdated,
  say,
  back: () => chooseMode("corpus"),
  open: (candidate, references) => {
    keepRecipe();
    chooseMode("segment", { fill: () => writeForm({ candidate, references }) });
    $("result").focus();
    const blank = references.some((text) => text.trim() === "");
    say(blank ? "In the corpus this segment has an empty reference, which counts; a blank box here does not." : "");
  },
});
const frame = watchFrame({
  mode: () => mode,
  readForm,
  update: () => update(),
  showProblem,
  say,
  useCorpus: (state, now) => {
    const fill = () => corpus.fill(state);
    if (TEXTS[mode] === "corpus" && !now) fill();
    else chooseMode("corpus", { texts: "corpus", now, fill });
  },
});
watchForm();
watchModes();
watchResult();
watchHighlights(async (request) => {
  const answer = engine && isShown() ? await engine.call({ action: "ngrams", ...request, ...readForm() }) : { ok: false };
  return answer.ok ? answer.html : "";
});
const whatIf = watchWhatIf({
  readForm,
  writeForm,
  update: () => update({ trying: true }),
  ask: async (request) => {
    const answer = engine ? await engine.call(request) : { error: failure };
    if (!answer.ok) showProblem(answer.error);
    return answer.ok ? answer : null;
  },
});
const place = readPlace();
if (place) recall(place);
else followAddress();
keepPlace(readState(), false);
watchPlaces();
nameReferences();
showCounts(isFirstExample() ? JSON.parse($("first-lengths").dataset.lengths) : undefined);
startEngine();

/**
 * Exercises: Python draws the texts, checks the answers and names the mistakes; this script shows what it says.
 */
const $ = (id) => document.getElementById(id);
const LOADING = "Python is still loading; the exercise follows.";
const MARKS = { right: "✓", wrong: "✗", unreadable: "?" };

/**
 * @param {object} desk what the page lends to modes, and `close`, which goes back to the lesson
 */
export function watchExercises(desk) {
  /** The exercise that is shown, and the one that is asked for. */
  let shown = null;
  let wanted = null;
  let address = "";
  let newest = 0;

  const fields = () => [...$("exercise-html").querySelectorAll("[data-name]")];

  /** Ask Python for something of this exercise; nothing where the answer came too late or is a refusal, which is shown. */
  async function ask(request) {
    const turn = ++newest;
    const answer = await desk.call(request);
    if (turn !== newest) return null;
    desk.showProblem(answer.ok ? null : answer.error);
    return answer.ok ? answer : null;
  }

  async function show({ seed, level }) {
    wanted = { seed, level };
    $("exercise-seed").value = seed;
    $("exercise-level").value = level;
    if (!desk.ready()) return ($("exercise-html").textContent = LOADING);
    if (shown && seed === shown.seed && level === shown.level) return desk.notePlace();
    const answer = await ask({ action: "exercise", ...wanted });
    if (!answer) return;
    shown = { seed: answer.seed, level: answer.level };
    address = answer.address;
    $("exercise-html").innerHTML = answer.html;
    $("exercise-actions").hidden = false;
    forgetSolution();
    tell("", answer.announced);
    desk.notePlace();
    count("exercised");
  }

  /** Show a summary, and have it read out; what is read out may say more. */
  function tell(summary, announced) {
    $("exercise-summary").hidden = !summary;
    $("exercise-summary").textContent = summary;
    $("exercise-said").textContent = announced;
  }

  const count = (what) => (document.body.dataset[what] = String(Number(document.body.dataset[what] ?? 0) + 1));

  async function check() {
    const answers = Object.fromEntries(fields().map((field) => [field.dataset.name, field.value]));
    const answer = await ask({ action: "exercise-check", ...shown, answers });
    if (!answer) return;
    const verdicts = Object.fromEntries(answer.verdicts.map((verdict) => [verdict.name, verdict]));
    for (const field of fields()) showVerdict(field, verdicts[field.dataset.name]);
    tell(answer.summary, answer.announced);
    fields().find((field) => field.getAttribute("aria-invalid") === "true")?.focus();
    count("checked");
  }

  function showVerdict(field, verdict) {
    const place = $(field.getAttribute("aria-describedby"));
    place.textContent = verdict ? `${MARKS[verdict.kind]} ${verdict.message}` : "";
    place.dataset.kind = verdict?.kind ?? "";
    place.dataset.mistakes = verdict?.mistakes.join(" ") ?? "";
    if (verdict && verdict.kind !== "right") field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  function forgetSolution() {
    $("exercise-solution").replaceChildren();
    $("exercise-solve").setAttribute("aria-expanded", "false");
    $("exercise-solve").textContent = "Show solution";
  }

  async function solve() {
    if ($("exercise-solution").childElementCount) return forgetSolution();
    const answer = await ask({ action: "exercise-solution", ...shown });
    if (!answer) return;
    $("exercise-solution").innerHTML = answer.html;
    $("exercise-solve").setAttribute("aria-expanded", "true");
    $("exercise-solve").textContent = "Hide solution";
    $("exercise-solution").focus();
  }

  /** Any seed will do; one of few digits is easy to say and to write on a board. */
  function draw() {
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    return String(number % 10000);
  }

  const showChosen = () => show({ seed: $("exercise-seed").value.trim(), level: $("exercise-level").value });

  $("exercise-choice").addEventListener("submit", (event) => {
    event.preventDefault();
    showChosen();
  });
  $("exercise-level").addEventListener("change", showChosen);
  $("exercise-seed").addEventListener("change", showChosen);
  $("exercise-new").addEventListener("click", () => show({ seed: draw(), level: $("exercise-level").value }));
  $("exercise-close").addEventListener("click", () => desk.close());
  $("exercise-sheet").addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  $("exercise-solve").addEventListener("click", solve);
  $("exercise-print").addEventListener("click", () => window.print());
  // Keys that move through the lesson, or run what a mode has to run, mean nothing here; Ctrl and Enter check.
  $("exercises").addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("exercise-sheet").requestSubmit();
  });

  return { show, start: () => wanted && show(wanted), state: () => shown, address: () => address };
}

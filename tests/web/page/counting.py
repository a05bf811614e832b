"""What the page's engine says of itself, and much to count by it."""

from __future__ import annotations

BULK = """async (recipes) => {
  const { call, counter } = await import(new URL("static/engine-static.js", document.baseURI));
  const words = await counter, texts = ["the cat is on mat", "a dog", "eins zwei drei vier fünf", "a b c d e f g", ""];
  const pair = (n) => [`${texts[n % 5]} ${n % 7} x`, [`the ${texts[(n * 3) % 5]} ${n % 4}`, texts[n % 3]]];
  const segments = Array.from({ length: 24 }, (_, n) => pair(n));
  const systems = [{ name: "b", text: segments.map(([, [reference]]) => reference).join("\\n") }];
  const answers = [];
  for (const base of recipes) {
    const recipe = { base };
    answers.push(await call({ action: "corpus-count", recipe, segments }));
    const asked = { recipe, segments, name: "a", systems, resamples: "100" };
    const read = await call({ action: "compare-read", ...asked });
    const { names, candidates, references, resamples: count } = read;
    const counted = await call({ action: "compare-count", ...asked, names, candidates, references });
    const whole = { ...asked, start: 0, count, tables: counted.tables[0] };
    answers.push(counted);
    for (const action of ["compare-draw", "compare-swap"]) answers.push(await call({ action, ...whole }));
    const form = { candidate: "c d e a b x y a", references: ["a b c d e y x", "b"] };
    answers.push(await call({ action: "details", recipe, ...form }));
  }
  return { words, answers };
}"""


RECIPES = ["sacrebleu", "nltk", "chrf++", "ter"]
KERNEL = "browser (compiled kernel, as WebAssembly)"
MISSING = "python (no kernel as WebAssembly: kernel.wasm could not be fetched"

/**
 * A link that carries the texts and the recipe behind the #, which browsers do not send.
 */
import { limits } from "./limits.js";

/**
 * Put the state into the address; the entry of the history keeps what it carries.
 * @returns {string} why that cannot be done, or nothing
 */
export function writeLink(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const link = `#s=${btoa(binary(bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  if (link.length > limits.link) {
    const [most, length] = [limits.link, link.length].map((number) => number.toLocaleString("en"));
    return `No link was made: it carries the texts, at most ${most} characters, and would need ${length}. Share the files.`;
  }
  history.replaceState(history.state, "", link);
  return "";
}

/** Turn bytes into the string that btoa takes, in pieces that fit a call. */
function binary(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCodePoint(...bytes.subarray(start, start + 8192));
  }
  return text;
}

const DAMAGED = "link: expected texts and a recipe behind #s=, got something damaged or cut short. Ask for the link again.";

/**
 * Read what the address carries.
 * @returns {{state?: object, problem?: {message: string}}} a state, or why there is none; neither where there is no link
 */
export function readLink() {
  if (!location.hash.startsWith("#s=")) return {};
  try {
    const bytes = Uint8Array.from(atob(location.hash.slice(3).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.codePointAt(0));
    const state = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    if (typeof state.recipe?.base === "string" && (state.mode === "learn" ? isTaught(state) : isSegment(state) || isCorpus(state))) return { state };
  } catch {
    // Whatever it is, it is no link of this page.
  }
  return { problem: { message: DAMAGED } };
}

const isText = (value) => typeof value === "string";
const isList = (value) => Array.isArray(value) && value.length > 0;

function isSegment({ candidate, references }) {
  return isText(candidate) && isList(references) && references.length <= limits.references && references.every(isText);
}

function isCorpus({ files, pasted }) {
  if (!isList(files) || !files.every((file) => isText(file?.name) && isText(file.text))) return false;
  return pasted === false || (pasted === true && files.length >= 2 && files.length <= limits.references + 1);
}

/** Of a lesson: candidates, each with its references. */
function isTaught({ segments }) {
  if (!isList(segments)) return false;
  return segments.every((pair) => Array.isArray(pair) && isSegment({ candidate: pair[0], references: pair[1] }));
}

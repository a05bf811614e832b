/**
 * A link that carries the form behind the #, which browsers do not send; and files to download.
 */

/** Put the form into the address. */
export function writeLink(form) {
  const bytes = new TextEncoder().encode(JSON.stringify(form));
  const safe = btoa(binary(bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  history.replaceState(null, "", `#s=${safe}`);
}

/** Turn bytes into the string that btoa takes, in pieces that fit a call. */
function binary(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCodePoint(...bytes.subarray(start, start + 8192));
  }
  return text;
}

/** Read the form from the address; a link that is damaged or of another make is no form. */
export function readLink() {
  const match = /^#s=([\w-]+)$/.exec(location.hash);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[1].replaceAll("-", "+").replaceAll("_", "/")), (c) => c.codePointAt(0));
    const form = JSON.parse(new TextDecoder().decode(bytes));
    const fits =
      typeof form.candidate === "string" &&
      Array.isArray(form.references) &&
      form.references.length > 0 &&
      form.references.length <= 20 &&
      form.references.every((text) => typeof text === "string") &&
      typeof form.recipe?.base === "string";
    return fits ? form : null;
  } catch {
    return null;
  }
}

/** Offer a file. */
export function download({ name, type, text }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Marks of direction that no letter shows: in a name they would turn round the words beside it, too. */
const MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Read a file as text, or say that it is none. */
export async function decode(file) {
  const name = file.name.replace(MARKS, "");
  const refuse = (message) => ({ name, problem: { message: `${name}: ${message}` } });
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return refuse("expected a file, got nothing that can be read. Folders cannot be dropped here: choose their files.");
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse("expected UTF-8, got other bytes. Convert a text to UTF-8; unpack an archive, and export a document as text.");
  }
  if (text.includes("\0")) return refuse("expected UTF-8, got NUL bytes, which no text has. Convert the file to UTF-8 if it is UTF-16.");
  return { name, text };
}

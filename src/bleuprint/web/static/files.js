/** Read a file as text, or say that it is none. */
export async function decode(file) {
  const refuse = (message) => ({ name: file.name, problem: { message: `${file.name}: ${message}` } });
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
  return { name: file.name, text };
}

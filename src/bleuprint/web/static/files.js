/** Read a file as text, or say that it is none. */
export async function decode(file) {
  const refuse = (message) => ({ name: file.name, problem: { message: `${file.name}: ${message}` } });
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return refuse("expected a file, got nothing that can be read. Folders cannot be dropped here: choose their files.");
  }
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return refuse("expected UTF-8, got other bytes. Convert the file to UTF-8.");
  }
}

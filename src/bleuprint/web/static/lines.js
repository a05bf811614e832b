/** Say below a box how many lines it holds; a last line break begins no line. */
export function countLines(area) {
  const count = area.closest(".box").querySelector(".count");
  if (!count || !area.matches("textarea")) return;
  const lines = area.value === "" ? 0 : area.value.replace(/\r?\n$/, "").split("\n").length;
  count.textContent = lines ? `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}` : "";
}

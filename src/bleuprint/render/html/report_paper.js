// Paper does not scroll: all rows and columns are made for it, every text and name is whole, and what is folded up is opened.

const MOST_PRINTED = 2000;  // a second or two; who wants more asks for all
const PRINTED_TABLE = 500;  // parting a table into pages takes a browser longer the longer the table is: of 10,000 rows it never ended
let before = null;
const onPaper = () => before !== null;

function prepareForPrint() {
  if (onPaper()) return;
  const folded = [...document.querySelectorAll("details:not([open])")];
  before = { folded, top: box.scrollTop };
  for (const one of folded) one.open = true;
  const all = columns(), printed = view.printAll ? view.shown : view.shown.slice(0, MOST_PRINTED);
  drawHead();
  const rows = printed.map((_, index) => drawRow(index, all));
  body.replaceChildren(...rows.splice(0, PRINTED_TABLE));
  while (rows.length) box.append(make("table", { className: "bp-paper-table" }, head.cloneNode(true), make("tbody", {}, ...rows.splice(0, PRINTED_TABLE))));
  find("printed").textContent = printed.length < view.shown.length
    ? `Printed are the first ${grouped(printed.length)} of these ${grouped(view.shown.length)} segments, ` +
      `${grouped(view.shown.length - printed.length)} are left out: filter or sort them to print others, or choose \u201cOn paper: all\u201d above the table.` : "";
  if (view.opened >= 0) drawOpened();
}

function returnFromPrint() {
  if (!onPaper()) return;
  const { folded, top } = before;
  before = null;
  for (const one of folded) one.open = false;
  for (const table of box.querySelectorAll(".bp-paper-table")) table.remove();
  drawHead();
  draw(true);
  box.scrollTop = top;
  draw(false);
  if (view.opened >= 0) drawOpened();
}

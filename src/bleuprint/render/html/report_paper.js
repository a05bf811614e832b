// Paper does not scroll: all rows and columns are made for it, every text and name is whole, and what is folded up is opened.

const MOST_PRINTED = 5000;  // a browser takes minutes to part a table of 10,000 rows into pages
let before = null;
const onPaper = () => before !== null;

function prepareForPrint() {
  if (onPaper()) return;
  const folded = [...document.querySelectorAll("details:not([open])")];
  before = { folded, top: box.scrollTop };
  for (const one of folded) one.open = true;
  const all = columns();
  drawHead();
  body.replaceChildren(...view.shown.slice(0, MOST_PRINTED).map((_, index) => drawRow(index, all)));
  find("printed").textContent = view.shown.length > MOST_PRINTED
    ? `Printed are the first ${grouped(MOST_PRINTED)} of these ${grouped(view.shown.length)} segments; filter or sort them to print others.` : "";
  if (view.opened >= 0) drawOpened();
}

function returnFromPrint() {
  if (!onPaper()) return;
  const { folded, top } = before;
  before = null;
  for (const one of folded) one.open = false;
  drawHead();
  draw(true);
  box.scrollTop = top;
  draw(false);
  if (view.opened >= 0) drawOpened();
}

/**
 * The tabs of the modes, by clicks and by keys; and whose texts are used, where a mode takes either.
 */
import { chooseMode, MODES, showParts, touchMode } from "./modes.js";
import { where } from "./where.js";

const $ = (id) => document.getElementById(id);

export function watchTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const moves = {
    ArrowLeft: (place) => place - 1,
    ArrowRight: (place) => (place + 1) % tabs.length,
    Home: () => 0,
    End: () => -1,
  };
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => tab.id === `tab-${where.mode}` || chooseMode(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      if (!moves[event.key]) return;
      event.preventDefault();
      const other = tabs.at(moves[event.key](place));
      other.focus();
      other.click();
    });
  });
  $("source").addEventListener("change", () => {
    showParts();
    MODES[where.mode].show();
  });
  $("form").addEventListener("input", touchMode);
}

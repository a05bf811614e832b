/**
 * The recipes that systems are compared by beside that of the options: chosen from a menu, each with a button that takes
 * it away.
 */
const $ = (id) => document.getElementById(id);

/** @param {function(): void} touched called after a change */
export function watchRecipes(touched) {
  const list = $("more-recipes");
  const menu = $("add-recipe");
  const read = () => [...list.querySelectorAll("button")].map(({ dataset }) => dataset.recipe);

  function add(name) {
    if (read().includes(name)) return;
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${name} ✕` });
    button.dataset.recipe = name;
    button.setAttribute("aria-label", `Remove ${name}`);
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }

  menu.append(...[...$("base").querySelectorAll("optgroup")].map((group) => group.cloneNode(true)));
  menu.value = "";
  menu.addEventListener("change", () => {
    if (menu.value) add(menu.value);
    menu.value = "";
    touched();
  });
  list.addEventListener("click", ({ target }) => {
    if (!target.matches("button")) return;
    target.closest("li").remove();
    menu.focus();
    touched();
  });
  return {
    read,
    /** Put back what `read` gave, as far as a link carried it. */
    write: (given) => {
      list.replaceChildren();
      for (const name of Array.isArray(given) ? given : []) if (typeof name === "string") add(name);
    },
  };
}

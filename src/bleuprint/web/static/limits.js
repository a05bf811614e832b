/**
 * What the page takes. The numbers stand in `limits.py`; the page carries them.
 */
const given = Object.entries(document.getElementById("limits").dataset);

/** @type {{characters: number, references: number, systems: number, link: number}} */
export const limits = Object.fromEntries(given.map(([name, most]) => [name, Number(most)]));

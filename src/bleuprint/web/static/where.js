/** Where somebody is: the mode by the name of its tab. */
export const where = { mode: "segment" };

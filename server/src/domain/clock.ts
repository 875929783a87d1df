/** The source of time. Only compositions choose one; all other code takes the time as an argument. */
export type Clock = { readonly now: () => Date };

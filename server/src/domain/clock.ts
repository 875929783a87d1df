/** Where the time comes from. Only compositions choose one; everything below takes the time as an argument. */
export type Clock = { readonly now: () => Date };

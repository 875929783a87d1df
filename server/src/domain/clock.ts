/** A source of time. Only compositions choose one; all other code takes the time as an argument. */
export type Clock = { readonly now: () => Date };

/**
 * What the own clock of a process shows: for reading, for finding what is due, for waiting. It has too little of a
 * `Date` to be one, and whatever writes takes a `Date`: the compiler refuses to write what a process's clock shows.
 */
export type ProcessTime = Pick<Date, 'getTime' | 'toISOString'>;

export type ProcessClock = { readonly now: () => ProcessTime };

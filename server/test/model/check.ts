// Everything the model is asked: the product's rules keep every promise, and no rule can be taken away.
import { UNMATCHED, type PromiseName } from './promises.ts';
import { CHARGES_AGAIN, HARMLESS, SILENT, VARIANTS, type Variant } from './rules.ts';
import { search, type Search } from './search.ts';

/** Beyond this a search would fill the memory of a small machine. */
const STATES_MAX = 5_000_000;

/** By the operator's habit. */
export const OPERATORS = {
  'an operator that charges again': CHARGES_AGAIN,
  'an operator that charges again and never notifies': SILENT,
  'an operator that recognises repeats': HARMLESS,
} as const;

export function searchAll(
  name: keyof typeof OPERATORS,
  { workerCount }: { readonly workerCount: number },
): Search {
  return search({ rules: OPERATORS[name], workerCount, statesMax: STATES_MAX });
}

/** Looks only for what the variant is expected to break, so that the trace ends in the harm itself. */
export function searchVariant(name: string): Search & { readonly expected: string } {
  const variant: Variant | undefined = VARIANTS[name];
  if (variant === undefined) throw new Error(`there is no variant called ${name}`);
  const { rules, breaks } = variant;
  const promises: readonly PromiseName[] = breaks === UNMATCHED ? [] : [breaks];
  return { ...search({ rules, workerCount: 2, promises, statesMax: STATES_MAX }), expected: breaks };
}

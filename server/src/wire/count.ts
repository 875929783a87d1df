// Whole numbers in requests, and their validation messages.
import { Type } from 'typebox';
import { invalidFault, type Fault } from './fault.ts';
import { valueAt } from './json.ts';

export type CountRule = { readonly min: number; readonly max: number };

export function countSchema({ min, max }: CountRule, description: string, example = Math.max(min, 1)) {
  return Type.Integer({ minimum: min, maximum: max, description, examples: [example] });
}

/** The errors of numbers that are present and invalid. */
export function listCountFaults(body: unknown, rules: Readonly<Record<string, CountRule>>): readonly Fault[] {
  return Object.entries(rules).flatMap(([name, { min, max }]) => {
    const value = valueAt(body, name);
    if (value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max))
      return [];
    return [invalidFault(name, `it must be a whole number from ${min} to ${max}`)];
  });
}

// A provider in API v1.
import { Type } from 'typebox';
import { invalidFault, type Fault } from '../../fault.ts';
import { valueAt } from '../../json.ts';

export const correspondentSchema = Type.String({
  description: 'The code of the mobile-money provider in one country, as the active configuration lists it.',
  examples: ['MTN_MOMO_ZMB'],
});

/** What parsing needs to know about providers. */
export type CorrespondentSurroundings = { readonly isProvider: (code: string) => boolean };

/** The provider in a body, whatever else is wrong with it; null if there is none. */
export function correspondentIn(body: unknown): string | null {
  const code = valueAt(body, 'correspondent');
  return typeof code === 'string' ? code : null;
}

/** The error of an unknown provider code. `body` may be anything. */
export function listCorrespondentFaults(
  body: unknown,
  { isProvider }: CorrespondentSurroundings,
): readonly Fault[] {
  const code = correspondentIn(body);
  return code === null || isProvider(code) ? [] : [unknownCorrespondentFault()];
}

export function unknownCorrespondentFault(): Fault {
  return invalidFault('correspondent', 'there is no correspondent with this code');
}

/** The operator's name in keys and predictions: `MTN` of `MTN_MOMO_ZMB`. */
export function operatorOf(code: string): string {
  return code.split('_')[0] ?? code;
}

// A provider, as API v1 names it.
import { Type } from 'typebox';
import { invalidFault, type Fault } from '../../fault.ts';
import { valueAt } from '../../json.ts';

export const correspondentSchema = Type.String({
  description: 'The code of the mobile-money provider in one country, as the active configuration lists it.',
  examples: ['MTN_MOMO_ZMB'],
});

/** What reading a request needs to know of providers. */
export type CorrespondentSurroundings = { readonly isProvider: (code: string) => boolean };

/** The provider a body names, whatever else is wrong with the body; null when it names none. */
export function correspondentIn(body: unknown): string | null {
  const code = valueAt(body, 'correspondent');
  return typeof code === 'string' ? code : null;
}

/** The fault of a code no one has. `body` may be anything. */
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

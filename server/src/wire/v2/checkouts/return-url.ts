// The address to which a payer returns from a hosted page.
import { Type } from 'typebox';
import { invalidFault, type Fault } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { isWebAddress, URL_LENGTH_MAX, webAddressCause } from '../payments/authorisation.ts';

/** What parsing a request needs besides its body. */
export type PageSurroundings = {
  /** Whether a returnUrl may be http: only in the sandbox. */
  readonly httpUrlsAllowed: boolean;
  readonly isCountry: (alpha3: string) => boolean;
};

export function returnUrlSchema(added: string) {
  return Type.String({
    format: 'uri',
    maxLength: URL_LENGTH_MAX,
    description: `Where the customer returns to, with ${added} in the query. An https URL; the sandbox takes http too.`,
    examples: ['https://merchant.example/orders/123456'],
  });
}

export const redirectUrlSchema = (example: string) =>
  Type.String({ format: 'uri', description: 'Where you send the customer.', examples: [example] });

/** The error of a returnUrl that is not a web address. `body` may be anything. */
export function listReturnUrlFaults(body: unknown, surroundings: PageSurroundings): readonly Fault[] {
  const url = valueAt(body, 'returnUrl');
  if (typeof url !== 'string' || isWebAddress(url, surroundings)) return [];
  return [invalidFault('returnUrl', webAddressCause(surroundings))];
}

export function unknownCountryFault(parameter: string): Fault {
  return invalidFault(parameter, 'there is no country with this code among those served');
}

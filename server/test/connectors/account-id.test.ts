// Which credentials are of the same operator account.
import { describe, expect, test } from 'vitest';
import { accountIdOf } from '../../src/connectors/account-id.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';

const KEY = Buffer.alloc(32, 3);

/** Every field of every product of every connector. */
const FIELDS = Object.entries(OPERATORS).flatMap(([connector, { credentials }]) =>
  Object.entries(credentials).flatMap(([product, form]) =>
    Object.entries(form).map(([field, { identifiesAccount }]) => {
      return { connector, product, form, field, identifies: identifiesAccount === true };
    }),
  ),
);

const valuesOf = (form: object) => Object.fromEntries(Object.keys(form).map((name) => [name, `a ${name}`]));

/** What would let a secret be replaced by its operator, or a setting by the host, without another account. */
const NEVER_IDENTIFIES =
  /^(apiKey|subscriptionKey|clientSecret|consumerSecret|passkey|pin|initiatorPassword|securityCredential|.*Secret)$/;

describe('A1: the fields that identify an account', () => {
  test('every product of every connector has some, and no secret that can be replaced is one of them', () => {
    for (const [connector, { credentials }] of Object.entries(OPERATORS)) {
      for (const [product, form] of Object.entries(credentials)) {
        const identifying = Object.keys(form).filter((name) => form[name]?.identifiesAccount === true);
        expect(identifying.length, `${connector} ${product}`).toBeGreaterThan(1);
        expect(identifying.filter((name) => NEVER_IDENTIFIES.test(name))).toEqual([]);
      }
    }
  });

  test('an address is the same one with a slash at its end, and with spaces around it', () => {
    const form = { baseUrl: { what: 'address', kind: 'OPEN', identifiesAccount: true } } as const;
    const idOf = (baseUrl: string) =>
      accountIdOf(KEY, { connector: 'wave', product: '', form, values: { baseUrl } });
    expect(idOf(' https://API.wave.com/ ')).toBe(idOf('https://api.wave.com'));
    expect(idOf('https://api.wave.com/v2')).not.toBe(idOf('https://api.wave.com'));
  });

  test.each(FIELDS)('another $field of $connector $product: $identifies', (one) => {
    const { connector, product, form, field, identifies } = one;
    const values = valuesOf(form);
    const idOf = (changed: Readonly<Record<string, string>>) =>
      accountIdOf(KEY, { connector, product, form, values: { ...values, ...changed } });
    expect(idOf({ [field]: 'another' }) !== idOf({})).toBe(identifies);
  });

  test('an empty value is as good as none, and the order of values does not matter', () => {
    const form = OPERATORS['mtn-momo']!.credentials['collection']!;
    const idOf = (values: Readonly<Record<string, string>>) =>
      accountIdOf(KEY, { connector: 'mtn-momo', product: 'collection', form, values });
    const id = idOf({ baseUrl: 'https://one.example', apiUser: 'user' });
    expect(idOf({ apiUser: 'user', targetEnvironment: '', baseUrl: 'https://one.example' })).toBe(id);
  });

  test('accounts of two products, connectors or keys are never the same', () => {
    const values = { baseUrl: 'https://one.example', apiUser: 'user' };
    const form = OPERATORS['mtn-momo']!.credentials['collection']!;
    const all = [
      accountIdOf(KEY, { connector: 'mtn-momo', product: 'collection', form, values }),
      accountIdOf(KEY, { connector: 'mtn-momo', product: 'disbursement', form, values }),
      accountIdOf(KEY, { connector: 'gsma', product: 'collection', form, values }),
      accountIdOf(Buffer.alloc(32, 4), { connector: 'mtn-momo', product: 'collection', form, values }),
    ];
    expect(new Set(all).size).toBe(4);
  });
});

// Requests no one would think of. A predicate written manually, not from the schema, says which bodies are deposits.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURES } from '../../../src/domain/failure.ts';
import { renderAmount } from '../../../src/domain/money.ts';
import { parseDepositRequest } from '../../../src/wire/v2/payments/deposit.ts';
import { renderFault } from '../../../src/wire/v2/failure.ts';
import type { PaymentRequest } from '../../../src/wire/v2/payments/payment-request.ts';
import { depositBody, PRODUCTION, PROVIDERS, SANDBOX } from './deposit-body.ts';

const oddNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'isPII',
  'toString',
  'length',
  '',
  'payer',
  'depositId',
);
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(oddNames, fc.jsonValue({ maxDepth: 2 })),
);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
const urls = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom('http://localhost/', 'https://', 'https://a b', 'ftp://a.example/', 'https:a', ''),
);

const values: Record<string, fc.Arbitrary<unknown>> = {
  depositId: fc.oneof(fc.uuid({ version: 4 }), fc.uuid({ version: 7 }), anyText),
  amount: fc.oneof(
    fc.stringMatching(/^(0|[1-9][0-9]{0,17})([.][0-9]{1,4})?$/),
    fc.stringMatching(/^[0-9.]{0,24}$/),
  ),
  currency: fc.oneof(fc.stringMatching(/^[A-Z]{3}$/), fc.stringMatching(/^[A-Za-z]{2,4}$/)),
  type: fc.constantFrom('MMO', 'mmo'),
  phoneNumber: anyText,
  provider: fc.oneof(fc.constantFrom(...PROVIDERS), anyText),
  customerMessage: fc.oneof(fc.stringMatching(/^[a-zA-Z0-9 ]{3,23}$/), anyText),
  clientReferenceId: anyText,
  preAuthorisationCode: fc.string({ maxLength: 37 }),
  successfulUrl: urls,
  failedUrl: urls,
  metadata: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.tuple(anyText, anyText).map(([name, value]) => ({ [name]: value })) },
      fc.dictionary(oddNames, fc.oneof(anyText, fc.boolean()), { maxKeys: 3 }),
    ),
    { maxLength: 11 },
  ),
};

/** The good body with some fields replaced by plausible values, and few by anything at all. */
const nearlyDeposits = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(...Object.keys(values)).chain((name) => withValue(name, values[name]!)),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...Object.keys(values)).chain((name) => withValue(name, anyJson)),
      },
      { weight: 1, arbitrary: oddNames.chain((name) => withValue(name, anyJson)) },
    ),
    { maxLength: 5 },
  )
  .map((changes) => {
    let body: unknown = depositBody();
    for (const one of changes) body = change(body, one);
    return body;
  });

describe('whatever the body', () => {
  it('parsing never throws, and a refusal is a 400 with a complete message', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyJson, nearlyDeposits),
        fc.constantFrom(PRODUCTION, SANDBOX),
        (body, surroundings) => {
          const parsed = parseDepositRequest(body, surroundings);
          if (parsed.type === 'PARSED') return;
          expect(FAILURES[renderFault(parsed.fault).failureCode].httpStatus).toBe(400);
          expect(parsed.fault.cause).toMatch(/^(it|there) /);
          expect(parsed.fault.cause).not.toMatch(/undefined|null|NaN|Infinity/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('it is accepted exactly when the hand-written predicate says so, and then nothing of it is lost', () => {
    let acceptedCount = 0;
    fc.assert(
      fc.property(nearlyDeposits, fc.boolean(), (body, httpUrlsAllowed) => {
        const parsed = parseDepositRequest(body, { ...PRODUCTION, httpUrlsAllowed });
        expect(parsed.type === 'PARSED', JSON.stringify(body)).toBe(isDeposit(body, { httpUrlsAllowed }));
        if (parsed.type === 'FAULT') return;
        acceptedCount += 1;
        expect(retold(parsed.request)).toStrictEqual(withMetadataAsTriples(body as JsonObject));
        expect(renderAmount(parsed.request.amount)).toBe(withoutTrailingZeroes(parsed.request.amountText));
        expect(parsed.request.paymentId).toBe(parsed.request.writtenId.toLowerCase());
      }),
      { numRuns: 5_000 },
    );
    // The property means little unless both answers are common.
    expect(acceptedCount).toBeGreaterThan(500);
    expect(acceptedCount).toBeLessThan(4_500);
  });

  it('parsing does not touch the body', () => {
    fc.assert(
      fc.property(nearlyDeposits, (body) => {
        const before = JSON.stringify(body);
        parseDepositRequest(body, PRODUCTION);
        expect(JSON.stringify(body)).toBe(before);
      }),
    );
  });
});

type JsonObject = { [name: string]: unknown };
type Change = { readonly name: string; readonly value: unknown };

function withValue(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Change> {
  return value.map((chosen) => ({ name, value: chosen }));
}

const inside: Record<string, readonly string[]> = {
  type: ['payer'],
  phoneNumber: ['payer', 'accountDetails'],
  provider: ['payer', 'accountDetails'],
};

function change(body: unknown, { name, value }: Change): unknown {
  const changed = structuredClone(body) as JsonObject;
  let place: unknown = changed;
  for (const step of Object.hasOwn(inside, name) ? inside[name]! : [])
    place = isObject(place) ? place[step] : null;
  if (isObject(place)) {
    // Assignment would set the prototype instead of a field called __proto__.
    Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return changed;
}

function isDeposit(body: unknown, { httpUrlsAllowed }: { httpUrlsAllowed: boolean }): boolean {
  if (!isObject(body)) return false;
  const { depositId, amount, currency, payer, metadata = [], ...texts } = body;
  if (!isUuid4(depositId) || !isAmount(amount)) return false;
  if (typeof currency !== 'string' || !/^[A-Z][A-Z][A-Z]$/.test(currency)) return false;
  if (!isObject(payer) || Object.keys(payer).toSorted().join() !== 'accountDetails,type') return false;
  const details = payer['accountDetails'];
  if (payer['type'] !== 'MMO' || !isObject(details)) return false;
  if (Object.keys(details).toSorted().join() !== 'phoneNumber,provider') return false;
  const { phoneNumber, provider } = details;
  if (typeof phoneNumber !== 'string' || !PROVIDERS.includes(provider as string)) return false;
  if (provider === 'ORANGE_BFA' && !Object.hasOwn(texts, 'preAuthorisationCode')) return false;
  if (
    provider === 'WAVE_SEN' &&
    !(Object.hasOwn(texts, 'successfulUrl') && Object.hasOwn(texts, 'failedUrl'))
  )
    return false;
  return (
    Object.entries(texts).every(([name, value]) => isText(name, value, { httpUrlsAllowed })) &&
    isMetadata(metadata)
  );
}

function isText(name: string, value: unknown, { httpUrlsAllowed }: { httpUrlsAllowed: boolean }): boolean {
  if (typeof value !== 'string') return false;
  switch (name) {
    case 'customerMessage':
      return (
        value.length >= 4 &&
        value.length <= 22 &&
        Array.from(value).every((sign) => /[a-zA-Z0-9 ]/.test(sign))
      );
    case 'clientReferenceId':
      return Array.from(value).length <= 1_000;
    case 'preAuthorisationCode':
      return value !== '' && Array.from(value).length <= 36;
    case 'successfulUrl':
    case 'failedUrl':
      return (
        (value.startsWith('https://') || (httpUrlsAllowed && value.startsWith('http://'))) &&
        value.length <= 2_048 &&
        !value.includes(' ') &&
        URL.canParse(value)
      );
    default:
      return false;
  }
}

function isUuid4(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const groups = value.toLowerCase().split('-');
  return (
    groups.map((group) => group.length).join() === '8,4,4,4,12' &&
    groups.every((group) => Array.from(group).every((digit) => '0123456789abcdef'.includes(digit))) &&
    groups[2]!.startsWith('4') &&
    '89ab'.includes(groups[3]!.charAt(0))
  );
}

function isAmount(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [whole = '', fraction, ...more] = value.split('.');
  if (more.length > 0 || !isDigits(whole) || whole.length > 18) return false;
  if (whole.length > 1 && whole.startsWith('0')) return false;
  return fraction === undefined || (isDigits(fraction) && fraction.length <= 4);
}

function isDigits(text: string): boolean {
  return text !== '' && Array.from(text).every((digit) => digit >= '0' && digit <= '9');
}

function isMetadata(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > 10) return false;
  const names = new Set<string>();
  for (const entry of value as unknown[]) {
    if (!isObject(entry)) return false;
    const fields = Object.entries(entry);
    if (fields.some(([name, field]) => typeof field !== (name === 'isPII' ? 'boolean' : 'string')))
      return false;
    const named = fields.map(([name]) => name).filter((name) => name !== 'isPII');
    if (named.length !== 1 || names.has(named[0]!)) return false;
    names.add(named[0]!);
  }
  return true;
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The body a request came from, its metadata as triples of name, value and mark. */
function retold({ writtenId, amountText, currency, provider, details }: PaymentRequest): JsonObject {
  const { phoneNumber, metadata, ...texts } = details;
  return {
    depositId: writtenId,
    amount: amountText,
    currency,
    payer: { type: 'MMO', accountDetails: { phoneNumber, provider } },
    ...texts,
    ...(metadata !== undefined && {
      metadata: metadata.map(({ name, value, isPii }) => [name, value, isPii]),
    }),
  };
}

function withMetadataAsTriples(body: JsonObject): JsonObject {
  if (!Object.hasOwn(body, 'metadata')) return body;
  const triples = (body['metadata'] as JsonObject[]).map((entry) => {
    const [name, value] = Object.entries(entry).find(([key]) => key !== 'isPII')!;
    return [name, value, Object.hasOwn(entry, 'isPII') && entry['isPII'] === true];
  });
  return { ...body, metadata: triples };
}

function withoutTrailingZeroes(amountText: string): string {
  return amountText.includes('.') ? amountText.replace(/0+$/, '').replace(/[.]$/, '') : amountText;
}

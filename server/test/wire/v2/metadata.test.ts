// The specification's row "metadata", the limit of ten, and "Metadata entry" of its completions.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { metadataToRecord } from '../../../src/domain/metadata.ts';
import type { Metadata } from '../../../src/domain/payments/payment.ts';
import { renderDeposit } from '../../../src/wire/v2/payments/deposit-record.ts';
import { renderFault } from '../../../src/wire/v2/failure.ts';
import { accepted, depositBody, depositPayment, faultOf, refused } from './deposit-body.ts';

function metadataOf(metadata: unknown): Metadata | undefined {
  return accepted(depositBody({ metadata })).details.metadata;
}

describe('metadata (request)', () => {
  it('each entry is one custom name with a string, optionally with isPII', () => {
    expect(
      metadataOf([{ orderId: 'ORD-1' }, { email: 'a@b.example', isPII: true }, { isPII: false, note: '' }]),
    ).toStrictEqual([
      { name: 'orderId', value: 'ORD-1', isPii: false },
      { name: 'email', value: 'a@b.example', isPii: true },
      { name: 'note', value: '', isPii: false },
    ]);
  });

  it('left out stays left out, and an empty list stays an empty list', () => {
    expect(metadataOf(undefined)).toBeUndefined();
    expect(metadataOf([])).toStrictEqual([]);
  });

  it('limits: at most 10 entries', () => {
    const entries = Array.from({ length: 11 }, (_, index) => ({ [`name${index}`]: 'x' }));
    expect(metadataOf(entries.slice(0, 10))).toHaveLength(10);
    expect(faultOf(depositBody({ metadata: entries }))).toBe('INVALID_PARAMETER metadata');
  });

  it.each([null, 'x', 1, true, {}, { orderId: 'ORD-1' }])('%j is not a list of entries', (metadata) => {
    expect(faultOf(depositBody({ metadata }))).toBe('INVALID_PARAMETER metadata');
  });
});

describe('metadata entry: exactly one name besides isPII, string value; anything else 400 INVALID_PARAMETER', () => {
  it.each([
    [{}],
    [{ isPII: true }],
    [{ a: '1', b: '2' }],
    [{ a: '1', b: '2', isPII: true }],
    [{ a: 1 }],
    [{ a: null }],
    [{ a: true }],
    [{ a: ['x'] }],
    [{ a: { b: 'c' } }],
    [{ a: 1, isPII: true }],
    [null],
    ['text'],
    [['a', 'b']],
  ])('%j', (entry) => {
    expect(faultOf(depositBody({ metadata: [{ fine: 'x' }, entry] }))).toBe('INVALID_PARAMETER metadata[1]');
  });

  it.each(['true', 1, null, {}])('isPII must be true or false, not %j', (isPII) => {
    expect(faultOf(depositBody({ metadata: [{ a: 'x', isPII }] }))).toBe(
      'INVALID_PARAMETER metadata[0].isPII',
    );
  });

  it.each([[{ a: '1', b: '2' }], [{ a: 1 }], [{}]])(
    'the message says what an entry looks like: %j',
    (entry) => {
      expect(renderFault(refused(depositBody({ metadata: [entry] }))).failureMessage).toBe(
        "The parameter 'metadata[0]' is not valid: it must hold one name with a string as its value, besides isPII.",
      );
    },
  );
});

describe('two entries with one name: 400 DUPLICATE_METADATA_FIELD', () => {
  it('DUPLICATE_METADATA_FIELD names the field that two entries have', () => {
    expect(
      renderFault(refused(depositBody({ metadata: [{ a: '1' }, { b: '1' }, { a: '2' }] }))),
    ).toStrictEqual({
      failureCode: 'DUPLICATE_METADATA_FIELD',
      failureMessage: "The metadata field 'a' is given more than once.",
    });
  });

  it('DUPLICATE_METADATA_FIELD is answered also when only one of them is personal data, and for odd names', () => {
    expect(faultOf(depositBody({ metadata: [{ a: '1' }, { a: '1', isPII: true }] }))).toBe(
      'DUPLICATE_METADATA_FIELD a',
    );
    const proto: unknown = JSON.parse('[{"__proto__": "1"}, {"__proto__": "2"}]');
    expect(faultOf({ ...depositBody(), metadata: proto })).toBe('DUPLICATE_METADATA_FIELD __proto__');
  });

  it('names that differ in case are two names', () => {
    expect(metadataOf([{ a: '1' }, { A: '2' }])).toHaveLength(2);
  });
});

describe('metadata (response)', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'isPii', '0', '10', '', '\n'),
  );
  const entries = fc.uniqueArray(
    fc.record({ name: names, value: fc.string(), isPii: fc.boolean() }, { noNullPrototype: true }),
    {
      maxLength: 10,
      selector: (entry) => entry.name,
    },
  );

  it('every name and value of a request comes back in the record, whatever the names', () => {
    fc.assert(
      fc.property(entries, (metadata) => {
        fc.pre(metadata.every(({ name }) => name !== 'isPII'));
        const sent = metadata.map(writeEntry).join(',');
        const body: unknown = JSON.parse(
          JSON.stringify(depositBody()).replace(/}$/, () => `,"metadata":[${sent}]}`),
        );
        const { details } = accepted(body);
        expect(details.metadata).toStrictEqual(metadata);

        const deposit = depositPayment({ details: { ...details, customerMessage: 'Order' } });
        const record = JSON.stringify(renderDeposit(deposit, 'PROVIDER_AUTH').metadata);
        const told = Object.entries(JSON.parse(record) as object);
        expect(new Map(told)).toStrictEqual(new Map(metadata.map(({ name, value }) => [name, value])));
        expect(told).toHaveLength(metadata.length);
      }),
      { examples: [[[{ name: '__proto__', value: 'x', isPii: true }]]] },
    );
  });

  it('metadata pollutes no prototype', () => {
    metadataToRecord([{ name: '__proto__', value: 'polluted', isPii: false }]);
    expect({}).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(metadataToRecord([{ name: '__proto__', value: 'x', isPii: false }]))).toBe(
      Object.prototype,
    );
  });
});

/** The JSON text of an entry, written manually: an object literal would swallow `__proto__`. */
function writeEntry({ name, value, isPii }: Metadata[number]): string {
  return `{${JSON.stringify(name)}:${JSON.stringify(value)}${isPii ? ',"isPII":true' : ''}}`;
}

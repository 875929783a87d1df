import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDuplicateName, METADATA_ENTRIES_MAX, metadataToRecord } from '../../src/domain/metadata.ts';
import type { Metadata } from '../../src/domain/payments/payment.ts';

/** Names that every plain object already has, or that change what an object is when they are assigned. */
const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

const name = fc.oneof(fc.string(), fc.constantFrom(...PROTOTYPE_NAMES), fc.constantFrom('orderId', '1', '0'));
const entry = fc.record({ name, value: fc.string(), isPii: fc.boolean() });
const distinctEntries = fc.uniqueArray(entry, {
  selector: ({ name: entryName }) => entryName,
  maxLength: METADATA_ENTRIES_MAX,
});

test('at most ten entries are taken, as the specification says', () => {
  expect(METADATA_ENTRIES_MAX).toBe(10);
});

describe('a name given twice', () => {
  test('a name given twice is found wherever it stands', () => {
    fc.assert(
      fc.property(distinctEntries, entry, fc.nat(), (entries, repeated, position) => {
        const others = entries.filter((other) => other.name !== repeated.name);
        const at = position % (others.length + 1);
        const metadata = [
          ...others.slice(0, at),
          repeated,
          ...others.slice(at),
          { ...repeated, value: 'again' },
        ];
        expect(findDuplicateName(metadata)).toBe(repeated.name);
      }),
    );
  });

  test('a name given twice is not found where every name is there once', () => {
    fc.assert(
      fc.property(distinctEntries, (metadata) => {
        expect(findDuplicateName(metadata)).toBeNull();
      }),
    );
  });

  test('a name given twice is compared exactly as written', () => {
    expect(findDuplicateName(entriesNamed('orderId', 'OrderId', 'orderId '))).toBeNull();
    expect(findDuplicateName(entriesNamed('orderId', 'customer', 'orderId'))).toBe('orderId');
    expect(findDuplicateName(entriesNamed('', ''))).toBe('');
  });
});

describe('metadata as one object', () => {
  test('metadata, as one object, holds every entry as its own property, and nothing else', () => {
    fc.assert(
      fc.property(distinctEntries, (metadata) => {
        const record = metadataToRecord(metadata);
        expect(Object.keys(record).toSorted()).toEqual(metadata.map((told) => told.name).toSorted());
        for (const { name: entryName, value } of metadata) {
          expect(Object.getOwnPropertyDescriptor(record, entryName)?.value).toBe(value);
        }
      }),
    );
  });

  test.each(PROTOTYPE_NAMES)(
    'an entry called %s is told like any other and changes no object',
    (entryName) => {
      const record = metadataToRecord([{ name: entryName, value: 'told', isPii: false }]);
      expect(JSON.stringify(record)).toBe(`{"${entryName}":"told"}`);
      expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
      expect(Object.hasOwn({}, entryName)).toBe(false);
    },
  );
});

function entriesNamed(...names: readonly string[]): Metadata {
  return names.map((entryName) => ({ name: entryName, value: 'value', isPii: false }));
}

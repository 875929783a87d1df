// The samples of the reference pages of the API: each is a body that the OpenAPI document describes, with its examples.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsOf, listOperations, type Schema } from '../edge/description.ts';
import { readFences } from './page-blocks.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** By their texts, because many operations answer the same. */
const schemas = new Map<string, Schema>(
  listOperations(JSON.parse(read('openapi/v2.json')) as Schema).flatMap(({ described }) =>
    [described['requestBody'], ...Object.values<Schema>(described['responses'])].flatMap((body) => {
      const schema = body?.content?.['application/json']?.schema as Schema | undefined;
      return schema === undefined ? [] : [[JSON.stringify(schema), schema] as const];
    }),
  ),
);

const isDescribed = (sample: unknown) =>
  [...schemas.values()].some((schema) => faultsOf(schema, sample).length === 0);

/** A block holds one value, or one on each line. */
function readSamples(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }
}

test('a sample with another field, or without a required one, is noticed', () => {
  const sample = { depositId: '4405711b-eed9-4312-a048-0c8da503299c', status: 'ACCEPTED' };
  expect(isDescribed(sample)).toBe(true);
  expect(isDescribed({ ...sample, orderId: '7' })).toBe(false);
  expect(isDescribed({ depositId: sample.depositId, amount: '100', currency: 'RWF' })).toBe(false);
  expect(isDescribed({ ...sample, status: 'PAID' })).toBe(false);
});

test.each(['api-deposits', 'api-payments-out', 'api-events', 'api-lists'])(
  'every sample of %s is a body of the API',
  (page) => {
    const blocks = readFences(read(`docs/reference/${page}.md`)).filter(({ info }) => info === 'json');
    expect(blocks.length).toBeGreaterThan(0);
    for (const sample of blocks.flatMap(({ text }) => readSamples(text)))
      expect([isDescribed(sample), sample]).toEqual([true, sample]);
  },
);

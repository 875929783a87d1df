// Examples of whole bodies in the OpenAPI documents: they fit their schemas and do not contradict themselves.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addExamples } from '../../src/wire/openapi-examples.ts';
import { faultsOf, listOperations, type Schema } from './description.ts';

type Example = { readonly name: string; readonly schema: Schema; readonly value: unknown };

const FINAL_REASONS = ['REJECTED', 'FAILED'];
const REASONS = ['failureReason', 'rejectionReason'];

function listExamples(name: string): readonly Example[] {
  const document = JSON.parse(
    readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8'),
  ) as Schema;
  return listOperations(document).flatMap(({ method, path, described }) => {
    const bodies = [described['requestBody'], ...Object.values<Schema>(described['responses'])];
    return bodies.flatMap((body) => {
      const media: Schema = body?.content?.['application/json'] ?? {};
      const named = Object.values<Schema>(media['examples'] ?? {}).map(({ value }) => value);
      const values = 'example' in media ? [media['example']] : named;
      return values.map((value) => ({ name: `${method} ${path}`, schema: media['schema'], value }));
    });
  });
}

/** Every object inside a value that has a status. */
function withStatus(value: unknown): readonly Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(withStatus);
  return 'status' in value ? [value, ...inside] : inside;
}

describe.each(['v1', 'v2'])('the examples of %s', (document) => {
  const examples = listExamples(document);

  test('examples fit their schemas', () => {
    expect(examples.length).toBeGreaterThan(20);
    const faults = examples.flatMap(({ name, schema, value }) =>
      faultsOf(schema, value).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test('examples have a reason exactly where something was rejected or failed', () => {
    const told = examples.flatMap(({ value }) => withStatus(value));
    const contradicting = told.filter(
      ({ status, ...rest }) => FINAL_REASONS.includes(status) !== REASONS.some((name) => name in rest),
    );
    expect(contradicting).toEqual([]);
  });

  test('examples never show a placeholder', () => {
    expect(JSON.stringify(examples.map(({ value }) => value))).not.toMatch(/"(text|string)"/);
  });
});

test('examples of the console are left out, and other documents keep everything else', () => {
  const schema = { type: 'object', properties: { status: { enum: ['ACCEPTED', 'REJECTED'] } } };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const paths = (path: string) => structuredClone({ paths: { [path]: { get: { responses } } } });
  expect(addExamples(paths('/console/api/x'))).toEqual(paths('/console/api/x'));
  expect(addExamples(paths('/v2/x'))).toMatchObject(paths('/v2/x'));
  expect(addExamples(paths('/v2/x'))).not.toEqual(paths('/v2/x'));
});

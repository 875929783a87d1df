// The reference page of the toolkit against the program: its examples are what the service answers.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { FAILURES } from '../../src/domain/failure.ts';
import { findInstructions } from '../../src/domain/checkouts/instructions.ts';
import { predictProvider } from '../../src/domain/operators/prediction.ts';
import { renderInstructions } from '../../src/wire/v2/checkouts/instructions.ts';
import { readTextTable } from '../domain/text-table.ts';

const page = readFileSync(new URL('../../../docs/reference/api-toolkit.md', import.meta.url), 'utf8');
const document = JSON.parse(readFileSync(new URL('../../../openapi/v2.json', import.meta.url), 'utf8'));

/** The page in blocks of JSON, in their order. */
const [configuration, availability, request, prediction, publicKeys, balances] = [
  ...page.matchAll(/^```json\n([\s\S]*?)^```/gm),
].map(([, text = '']) => JSON.parse(text));

function faultsOf(schema: object, value: unknown): readonly unknown[] {
  const validate = new Ajv2020({ formats: { uri: (text: string) => URL.canParse(text) } }).compile(schema);
  validate(value);
  return validate.errors ?? [];
}

const answerSchema = (path: string, method = 'get') =>
  document.paths[path][method].responses[200].content['application/json'].schema;

describe('the examples', () => {
  test('fit the OpenAPI document', () => {
    expect(faultsOf(answerSchema('/v2/active-conf'), configuration)).toEqual([]);
    expect(faultsOf(answerSchema('/v2/availability'), availability)).toEqual([]);
    expect(faultsOf(answerSchema('/v2/predict-provider', 'post'), prediction)).toEqual([]);
    expect(faultsOf(answerSchema('/v2/public-key/http'), publicKeys)).toEqual([]);
    expect(faultsOf(answerSchema('/v2/wallet-balances'), balances)).toEqual([]);
  });

  test('tell the first steps of the instructions that are given', () => {
    const { DEPOSIT } = configuration.countries[0].providers[0].currencies[0].operationTypes;
    const [{ instructions, ...channel }] = DEPOSIT.pinPromptInstructions.channels;
    const [given] = renderInstructions(findInstructions('MTN_MOMO_RWA', 'RWF')!).channels;
    const { en, fr } = given!.instructions;
    expect({ ...channel, instructions }).toEqual({
      ...given,
      instructions: { en: en.slice(0, instructions.en.length), fr: fr.slice(0, instructions.fr.length) },
    });
    expect(instructions.en.length).toBeGreaterThan(1);
  });

  test('tell what is predicted', () => {
    expect(predictProvider(request.phoneNumber, { testNumbersAllowed: false })).toMatchObject(prediction);
  });
});

describe('the table of predictions', () => {
  const start = page.indexOf('| Written |');
  const table = page.slice(start, page.indexOf('\n\n', start));
  const rows = readTextTable(table).map((cells) => cells.map((cell) => cell.replaceAll('`', '')));

  test.each(rows)('%s%s is %s %s', (_, written = '', provider = '', phoneNumber = '') => {
    expect(predictProvider(written, { testNumbersAllowed: false })).toMatchObject({ provider, phoneNumber });
  });

  test('the table of predictions has rows', () => {
    expect(rows.length).toBeGreaterThan(3);
  });
});

test('every operation of the page is served, and every one of its groups is on the page', () => {
  const written = [...page.matchAll(/^\| (GET|POST) \| `(\/v2\/[\w/{}-]+)` \|/gm)].map(
    ([, method = '', path = '']) => `${method.toLowerCase()} ${path}`,
  );
  const served = Object.entries<Record<string, { tags: string[] }>>(document.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.some((tag) => tag === 'toolkit' || tag === 'finances'))
        // The event feed has a page of its own.
        .filter(() => path !== '/v2/events')
        .map(([method]) => `${method} ${path}`),
  );
  expect(written.toSorted()).toEqual(served.toSorted());
});

test('every code of the page is a failure code', () => {
  const codes = page.match(/`(?:[A-Z]+_)+(?:PARAMETER|UNAVAILABLE|ERROR)`|`INVALID_PROVIDER`/g) ?? [];
  expect(codes.length).toBeGreaterThan(4);
  expect(codes.map((code) => code.replaceAll('`', '')).filter((code) => !(code in FAILURES))).toEqual([]);
});

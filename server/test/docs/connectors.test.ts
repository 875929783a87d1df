import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { connectorRows, connectorsOf, holderConnectors } from './connectors-page.ts';

const page = readFileSync(new URL('../../../docs/reference/connectors.md', import.meta.url), 'utf8');

test('the page lists every provider of the catalogue with its connector and what that can do, and nothing else', () => {
  expect(page.split('\n').filter((line) => /`[A-Z0-9_]+` \|$/.test(line))).toEqual(connectorRows());
});

test('the page names the connectors that can say who holds a number, and no other', () => {
  const sentence = page.split('\n').find((line) => line.includes(' can say [who holds')) ?? '';
  const named = [...sentence.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(holderConnectors().toSorted());
});

test('the page names every connector', () => {
  for (const name of Object.keys(OPERATORS)) expect(page).toContain(`connectors/${name}/README.md`);
});

test('a provider is served by one connector, and a connector serves only what the catalogue has', () => {
  const codes = listProviders().map(({ code }) => code);
  expect(codes.filter((code) => connectorsOf(code).length > 1)).toEqual([]);
  const served = Object.values(OPERATORS).flatMap(({ providers }) => providers);
  expect(served.filter((code) => !codes.includes(code))).toEqual([]);
});

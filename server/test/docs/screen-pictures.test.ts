// `npm run generate:screenshots` takes pictures of every screen: a new one is not forgotten.
import { expect, test } from 'vitest';
import { DASHBOARD_SCREENS } from '../../../tools/screenshots/dashboard-screens.ts';
import { listRoutes } from '../dashboard/routes.ts';

type Address = { readonly parts: readonly string[]; readonly tab: string };

function readAddress(text: string): Address {
  const [path = '', query = ''] = text.split('?');
  return { parts: path.split('/').slice(1), tab: query.startsWith('tab=') ? query : '' };
}

/** A part that begins with "$" stands for anything. */
function leadsTo(address: Address, pattern: Address): boolean {
  const { parts, tab } = pattern;
  return (
    tab === address.tab &&
    parts.length === address.parts.length &&
    parts.every((part, index) => part.startsWith('$') || part === address.parts[index])
  );
}

const freedom = ({ parts }: Address) => parts.filter((part) => part.startsWith('$')).length;

/** The patterns that none of the addresses leads to. Of two patterns that fit, the exacter one is meant. */
function findMissing(patterns: readonly string[], addresses: readonly string[]): readonly string[] {
  const all = patterns.map((text) => ({ text, pattern: readAddress(text) }));
  const exactest = all.toSorted((a, b) => freedom(a.pattern) - freedom(b.pattern));
  const met = addresses.map((address) =>
    exactest.find(({ pattern }) => leadsTo(readAddress(address), pattern)),
  );
  return all.filter((one) => !met.includes(one)).map(({ text }) => text);
}

test('a picture is taken of every screen and tab of the dashboard', () => {
  const patterns = listRoutes().map(({ pattern }) => pattern);
  expect(patterns.length).toBeGreaterThan(60);
  expect(
    findMissing(
      patterns,
      DASHBOARD_SCREENS.map(({ at }) => at),
    ),
  ).toEqual([]);
});

test('a screen without a picture is found, also beside one whose address fits', () => {
  const patterns = ['/payouts/new', '/payouts/$id', '/risk', '/risk?tab=events'];
  expect(findMissing(patterns, ['/payouts/new', '/risk?from=now'])).toEqual([
    '/payouts/$id',
    '/risk?tab=events',
  ]);
});

// When a chaos run counts as passed, how it measures the time without a write, and that it can break what it breaks.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROKEN_RULES, textsOf } from '../../../drills/chaos/broken-rules.ts';
import type { NodeName } from '../../../drills/kit/database-cluster.ts';
import { listFaults } from '../../../drills/chaos/report.ts';
import type { ChaosOutcome } from '../../../drills/chaos/run.ts';
import { measureTakeover } from '../../../drills/chaos/takeover.ts';

const ENOUGH = {
  kills: 100,
  poolerKills: 9,
  pauses: 9,
  failovers: 4,
  switchovers: 1,
  longestWithoutWriteMs: 20_000,
  longestAfterPromotionMs: 9_000,
  skews: 9,
  farSkews: 9,
  farApiSkews: 9,
  cuts: 9,
  refusals: 9,
  accountReplacements: 0,
  forgeries: 0,
  deploys: 1,
  migrations: 1,
  operatorFaults: 99,
  inSecondCell: 9,
  moves: 9,
};

const AT_WORK = {
  settlements: 99,
  chosenIdentifiers: 50,
  decisions: 9,
  topUps: 9,
  refusedReferences: 9,
  voidedFiles: 9,
  silentCells: 1,
};

function outcome(
  faults: object,
  { payments = 20_000, lengthMs = 20 * 60_000, people = AT_WORK } = {},
): ChaosOutcome {
  return {
    operators: { type: 'SIMULATOR' },
    load: { earlier: 1 },
    faults: { ...ENOUGH, ...faults },
    screened: 1,
    feed: { events: 1, readerKills: 1 },
    callbacksReceived: 1,
    people,
    acknowledgedInSecondCell: 1,
    verdict: { payments, findings: [] },
    isSmoke: false,
    lengthMs,
  } as unknown as ChaosOutcome;
}

test('a run of twenty minutes passes only with enough payments, kills and changes of the primary', () => {
  expect(listFaults(outcome({}), null)).toEqual([]);
  expect(listFaults(outcome({}, { payments: 19_999 }), null)).toEqual(['19999 payments, fewer than 20000']);
  expect(listFaults(outcome({ kills: 99 }), null)).toEqual(['99 kills, fewer than 100']);
  expect(listFaults(outcome({ failovers: 3 }), null)).toEqual(['4 failovers and switchovers, fewer than 5']);
  expect(listFaults(outcome({ kills: 5 }, { payments: 900, lengthMs: 60_000 }), null)).toEqual([]);
});

test('a run of two cells fails where no merchant moved, nobody chose an identifier or no file was voided', () => {
  expect(listFaults(outcome({ moves: 0 }), null)).toEqual(['no moves of a merchant']);
  const idle = { ...AT_WORK, chosenIdentifiers: 0, voidedFiles: 0 };
  expect(listFaults(outcome({}, { people: idle }), null)).toEqual([
    'no settlements under identifiers of others',
    'no voided files',
  ]);
});

test('a run of any length fails when no payment was accepted for more than two minutes', () => {
  const late = outcome({ longestWithoutWriteMs: 121_000 }, { lengthMs: 60_000 });
  expect(listFaults(late, null)).toEqual(['no payment was accepted for 121000 ms']);
});

test('the time without a write begins before the primary changes, and ends with a payment accepted after that', async () => {
  const since = performance.now();
  // One is still accepted by the node that is then gone; the next one after the promotion.
  const acknowledgedAt = [since - 5, since + 1];
  const answers: (NodeName | null)[] = ['n1', null, null, 'n2'];
  const primary = async () => {
    const answer = answers.shift() ?? 'n2';
    if (answer === 'n2') setImmediate(() => acknowledgedAt.push(performance.now()));
    return answer;
  };
  const takeover = await measureTakeover({ cluster: { primary }, acknowledgedAt, before: 'n1', since });
  const acceptedAt = acknowledgedAt.at(-1)!;
  expect(takeover.isWhole).toBe(true);
  expect(takeover.withoutWriteMs).toBe(Math.round(acceptedAt - (since + 1)));
  expect(takeover.withoutWriteMs).toBeGreaterThan(takeover.afterPromotionMs);
});

// A text that moved would leave a rule whole unnoticed.
test.each(Object.entries(BROKEN_RULES))(
  '%s: each text that breaks it stands in its file exactly once',
  (_, rule) => {
    for (const { file, find } of textsOf(rule)) {
      const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
      expect(text.split(find)).toHaveLength(2);
    }
  },
);

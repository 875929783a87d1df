// Runs a batch of payouts, from its file to its results.
import { readFile } from 'node:fs/promises';
import type { Malipo } from '@malipo/sdk';
import { isOn, textOf, type Call, type Outcome } from '../command.ts';
import { openGateway, type Gateway } from '../gateway.ts';
import { renderTable } from '../table.ts';
import { openJournal, type BatchJournal, type RowResult } from './journal.ts';
import { startProgress } from './progress.ts';
import { readPayouts, type FileFault, type PlannedPayout } from './read-payouts.ts';
import { writeResults } from './results.ts';
import { sendPayouts } from './send.ts';
import { listShortages, sumPayouts, type WalletSum } from './sums.ts';

/** A batch can wait; stopping it for a short outage would only mean starting it again. */
const RETRY_FOR_MS = 60_000;

export async function runBatch(call: Call): Promise<Outcome> {
  const { FILE: path = '' } = call.args;
  const text = await readFile(path, 'utf8');
  const gateway = await openGateway(call, { retryForMs: RETRY_FOR_MS });
  const { malipo } = gateway;
  const { payouts, faults: fileFaults } = readPayouts(text, {
    configuration: await malipo.toolkit.activeConfiguration({ operationType: 'PAYOUT' }),
    testNumbersAllowed: gateway.profile.token.startsWith('mlp_sandbox_'),
    repeatsMeant: isOn(call, 'repeats-meant'),
  });
  if (fileFaults.length > 0) return refuse(fileFaults);
  if (isOn(call, 'dry-run')) return dryRun(malipo, payouts);
  const rowNos = payouts.map(({ rowNo }) => rowNo);
  const journal = await openJournal({ path: `${path}.journal`, text, url: gateway.profile.url, rowNos });
  try {
    return await pay(call, {
      gateway,
      payouts,
      journal,
      resultsPath: textOf(call, 'results') ?? `${path}.results.csv`,
    });
  } finally {
    await journal.close();
  }
}

type Batch = {
  readonly gateway: Gateway;
  readonly payouts: readonly PlannedPayout[];
  readonly journal: BatchJournal;
  readonly resultsPath: string;
};

async function pay(call: Call, batch: Batch): Promise<Outcome> {
  const { payouts, journal, resultsPath } = batch;
  const { malipo } = batch.gateway;
  const results = new Map(journal.results);
  const isAccepted = ({ rowNo }: PlannedPayout) => results.get(rowNo)?.outcome === 'accepted';
  if (!journal.isResumed) {
    const shortages = listShortages(sumPayouts(payouts, await malipo.wallets.balances()));
    for (const { message } of shortages) call.world.tell(`Mind: ${message}`);
  } else {
    call.world.tell(
      `Going on: ${payouts.filter(isAccepted).length} of ${payouts.length} were accepted before.`,
    );
  }
  const progress = startProgress(call.world, { total: payouts.length, what: 'accepted' });
  const interruption = await sendPayouts({
    malipo,
    journal,
    payouts,
    stopped: call.world.stopped,
    onResults: (some) => {
      for (const one of some) results.set(one.rowNo, one);
      progress.move(payouts.filter(isAccepted).length);
    },
  });
  progress.end();
  const accepted = payouts.filter(isAccepted);
  const statuses = isOn(call, 'wait') ? await waitForAll(call, batch, accepted) : new Map<number, string>();
  const rows = payouts.map((payout) => ({
    ...payout,
    payoutId: journal.ids.get(payout.rowNo) ?? '',
    result: results.get(payout.rowNo),
    status: statuses.get(payout.rowNo) ?? '',
  }));
  await writeResults(resultsPath, rows);
  return renderEnd({
    results: [...results.values()],
    statuses,
    total: payouts.length,
    resultsPath,
    interruption,
  });
}

/** How many are requested at once. */
const ASKED_TOGETHER = 8;

async function waitForAll(
  { world }: Call,
  { gateway: { malipo }, journal }: Batch,
  accepted: readonly PlannedPayout[],
): Promise<ReadonlyMap<number, string>> {
  const statuses = new Map<number, string>();
  const progress = startProgress(world, { total: accepted.length, what: 'final' });
  const queue = [...accepted];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const id = journal.ids.get(next.rowNo) ?? '';
      const seen = await malipo.payouts.waitForFinal(id, { signal: world.stopped });
      statuses.set(next.rowNo, 'still' in seen ? seen.still : seen.status);
      progress.move(statuses.size);
    }
  };
  await Promise.all(Array.from({ length: ASKED_TOGETHER }, work));
  progress.end();
  return statuses;
}

type End = {
  readonly results: readonly RowResult[];
  readonly statuses: ReadonlyMap<number, string>;
  readonly total: number;
  readonly resultsPath: string;
  readonly interruption: string | null;
};

function renderEnd({ results, statuses, total, resultsPath, interruption }: End): Outcome {
  const accepted = results.filter(({ outcome }) => outcome === 'accepted').length;
  const rejected = results.length - accepted;
  const completed = [...statuses.values()].filter((status) => status === 'COMPLETED').length;
  const isAll = accepted === total && (statuses.size === 0 || completed === total);
  const lines = [
    `${accepted} of ${total} payouts were accepted, ${rejected} rejected. See ${resultsPath}.`,
    ...(statuses.size === 0 ? [] : [`${completed} are COMPLETED.`]),
    ...(interruption === null ? [] : [`It is not finished: ${interruption} Start it again to go on.`]),
  ];
  return {
    value: { total, accepted, rejected, completed, results: resultsPath, interruption },
    text: lines.join('\n'),
    isFailure: !isAll,
  };
}

function refuse(faults: readonly FileFault[]): Outcome {
  const lines = faults.map(({ line, column, message }) =>
    [line === 0 ? 'file' : `line ${line}`, column, message].filter((part) => part !== '').join(': '),
  );
  const text = `Nothing was sent. ${faults.length} to fix:\n${lines.join('\n')}`;
  return { value: { faults }, text, isFailure: true };
}

async function dryRun(malipo: Malipo, payouts: readonly PlannedPayout[]): Promise<Outcome> {
  const sums = sumPayouts(payouts, await malipo.wallets.balances());
  const shortages = listShortages(sums);
  const table = renderTable(['country', 'currency', 'payouts', 'amount', 'available'], sums.map(renderSum));
  const mind = shortages.map(({ message }) => `\n${message}`).join('');
  const text = `Nothing was sent. The file is good:\n${table}${mind}`;
  return { value: { payouts: payouts.length, sums, shortages }, text, isFailure: shortages.length > 0 };
}

function renderSum({ country, currency, count, amount, available }: WalletSum): readonly string[] {
  return [country, currency, String(count), amount, available];
}

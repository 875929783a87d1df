// Runs a batch of payouts, from its file to its results.
import { readFile } from 'node:fs/promises';
import type { Malipo } from '@malipo/sdk';
import { startProgress } from '@malipo/server/terminal/progress';
import { isOn, textOf, type Call, type Outcome } from '../command.ts';
import { openGateway, type Gateway } from '../gateway.ts';
import { renderAmountText } from '../payment-text.ts';
import { renderTable } from '../table.ts';
import { openJournal, type BatchJournal } from './journal.ts';
import { readPayouts, type FileFault, type PlannedPayout } from './read-payouts.ts';
import { writeResults, type ResultRow } from './results.ts';
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
    areDuplicatesAllowed: isOn(call, 'allow-duplicates'),
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
  const countAccepted = () =>
    payouts.filter(({ rowNo }) => results.get(rowNo)?.outcome === 'accepted').length;
  const acceptedBefore = countAccepted();
  if (!journal.isResumed) {
    const shortages = listShortages(sumPayouts(payouts, await malipo.wallets.balances()));
    for (const { message } of shortages) call.world.tell(`Warning: ${message}`);
  } else {
    call.world.tell(`Continuing: ${acceptedBefore} of ${payouts.length} payouts were accepted before.`);
  }
  const progress = startProgress(call.world, { what: 'accepted', from: acceptedBefore });
  const unsent = await sendPayouts({
    malipo,
    journal,
    payouts,
    stopped: call.world.stopped,
    onResults: (some) => {
      for (const one of some) results.set(one.rowNo, one);
      progress.move(countAccepted(), payouts.length);
    },
  });
  progress.end();
  const accepted = payouts.filter(({ rowNo }) => results.get(rowNo)?.outcome === 'accepted');
  const statuses = isOn(call, 'wait') ? await waitForAll(call, batch, accepted) : new Map<number, string>();
  const rows = payouts.map((payout) => ({
    ...payout,
    payoutId: journal.ids.get(payout.rowNo) ?? '',
    result: results.get(payout.rowNo),
    status: statuses.get(payout.rowNo) ?? '',
  }));
  await writeResults(resultsPath, rows);
  const interruption = unsent ?? (call.world.stopped.aborted ? 'It was stopped.' : null);
  return renderEnd({ rows, isWaited: isOn(call, 'wait'), resultsPath, interruption });
}

/** How many are requested at once. */
const ASKED_TOGETHER = 8;

async function waitForAll(
  { world }: Call,
  { gateway: { malipo }, journal }: Batch,
  accepted: readonly PlannedPayout[],
): Promise<ReadonlyMap<number, string>> {
  const statuses = new Map<number, string>();
  const progress = startProgress(world, { what: 'final' });
  const queue = [...accepted];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const id = journal.ids.get(next.rowNo) ?? '';
      const seen = await malipo.payouts
        .waitForFinal(id, { signal: world.stopped })
        .catch((error: unknown) => {
          if (world.stopped.aborted) return null;
          throw error;
        });
      // Stopped: the results so far are written and counted.
      if (seen === null) return;
      statuses.set(next.rowNo, 'still' in seen ? seen.still : seen.status);
      progress.move(statuses.size, accepted.length);
    }
  };
  await Promise.all(Array.from({ length: ASKED_TOGETHER }, work));
  progress.end();
  return statuses;
}

type End = {
  readonly rows: readonly ResultRow[];
  /** Whether statuses were waited for. */
  readonly isWaited: boolean;
  readonly resultsPath: string;
  readonly interruption: string | null;
};

/** Every row is in one of the counts. */
function renderEnd({ rows, isWaited, resultsPath, interruption }: End): Outcome {
  const total = rows.length;
  const count = (of: (row: ResultRow) => boolean) => rows.filter(of).length;
  const accepted = count(({ result }) => result?.outcome === 'accepted');
  const rejected = count(({ result }) => result?.outcome === 'rejected');
  const withoutResult = total - accepted - rejected;
  const completed = count(({ status }) => status === 'COMPLETED');
  const failed = count(({ status }) => status === 'FAILED');
  const processing = accepted - completed - failed;
  const sent = isWaited
    ? `${completed} completed, ${failed} failed, ${processing} still processing`
    : `${accepted} accepted`;
  const lines = [
    `${total} rows: ${sent}, ${rejected} rejected, ${withoutResult} without a result.`,
    `Results: ${resultsPath}`,
    ...(interruption === null ? [] : [`Not finished: ${interruption} Run the command again to continue.`]),
  ];
  const waited = isWaited ? { completed, failed, processing } : {};
  return {
    value: { total, accepted, rejected, withoutResult, ...waited, results: resultsPath, interruption },
    text: lines.join('\n'),
    isFailure: (isWaited ? completed : accepted) < total,
  };
}

function refuse(faults: readonly FileFault[]): Outcome {
  const lines = faults.map(({ line, column, message }) =>
    [line === 0 ? 'file' : `line ${line}`, column, message].filter((part) => part !== '').join(': '),
  );
  const count = `${faults.length} ${faults.length === 1 ? 'error' : 'errors'}`;
  return { value: { faults }, text: `Nothing sent. ${count}:\n${lines.join('\n')}`, isFailure: true };
}

async function dryRun(malipo: Malipo, payouts: readonly PlannedPayout[]): Promise<Outcome> {
  const sums = sumPayouts(payouts, await malipo.wallets.balances());
  const shortages = listShortages(sums);
  const table = renderTable(['country', 'currency', 'payouts', 'amount', 'available'], sums.map(renderSum));
  const warnings = shortages.map(({ message }) => `\nWarning: ${message}`).join('');
  const text = `Nothing sent. The file has no errors:\n${table}${warnings}`;
  return { value: { payouts: payouts.length, sums, shortages }, text, isFailure: shortages.length > 0 };
}

function renderSum({ country, currency, count, amount, available }: WalletSum): readonly string[] {
  const [needed, held] = [amount, available].map((one) => renderAmountText(one, { country, currency }));
  return [country, currency, String(count), needed ?? '', held ?? ''];
}

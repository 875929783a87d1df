// Both sides of a day are compared once for everyone who looks at it, requests its signature or approves it. What came
// of it is kept with a digest of all that was compared. Whoever uses it counts that again in a snapshot of their own:
// where anything came, went or changed since, the day is compared anew. One comparison of an account runs at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { paymentKeyText } from '../../domain/payments/payment.ts';
import type { Movement } from '../../domain/reconciliation/daily-close.ts';
import type { NetStream, PaymentNet } from '../../domain/reconciliation/payment-nets.ts';
import {
  findComparison,
  isComparing,
  keepComparison,
  takeComparing,
} from '../../store/daily-close/comparisons.ts';
import type { CloseAccount, CountedLines } from '../../store/daily-close/closes.ts';
import type { FloatAccount } from '../../store/daily-close/movements.ts';
import {
  streamDifferingNets,
  streamMovementNets,
  type Agreed,
  type MovementPage,
} from '../../store/daily-close/payment-nets.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { addMs } from '../../domain/time.ts';
import type { Engine, StorePart } from '../engine.ts';
import {
  addNets,
  addOthers,
  compareSides,
  digestOf,
  type ComparedSides,
  type UnknownLines,
} from './compare-sides.ts';
import type { LineSpans } from './counted-lines.ts';
import type { DaySpan } from './gather-day.ts';

/** How the asker waits. */
export type Comparing = {
  /** For whoever cannot wait: see `withPatience`. Left out, the day is compared however long it takes. */
  readonly impatience?: Impatience | undefined;
  /** Told how many payments were compared of about how many. */
  readonly onPayments?: ((done: number, total: number) => void) | undefined;
};

/** Reads a day, and waits for it in some way. What was given up has no effect: nothing but reading happens in it. */
export type Waiting = <Result>(read: (comparing: Comparing) => Promise<Result>) => Promise<Result>;

type Impatience = {
  readonly patienceMs: number;
  /** Called where the sides have to be compared, which takes seconds for each few 100,000 lines. */
  readonly onBegin: () => void;
};

/** The day is being compared: whoever asks again a little later finds it compared. */
export class BeingCompared extends Error {
  constructor() {
    super('The day is being compared. Try again in a moment.');
  }
}

/** Who waits in a browser is told after so long that the day is being compared. */
export const PATIENCE_MS = 4_000;

/**
 * What is kept of a day that is not over is used this long, however much has come since: its figures move all the time,
 * and with many payments a page would never show any. Such a day is never signed.
 */
const KEPT_OF_UNFINISHED_MS = 60_000;

/**
 * Reads a day for somebody who does not wait longer than this for its comparison: then BeingCompared is thrown, and the
 * comparison goes on without them.
 */
export async function withPatience<Result>(
  patienceMs: number,
  read: (comparing: Comparing) => Promise<Result>,
  onLateError: (error: unknown) => void = () => undefined,
): Promise<Result> {
  let isGivenUp = false;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = Promise.withResolvers<never>();
  const onBegin = () => {
    timer ??= setTimeout(() => {
      isGivenUp = true;
      tooLate.reject(new BeingCompared());
    }, patienceMs);
  };
  const reading = read({ impatience: { patienceMs, onBegin } });
  // Nobody waits for it any more, so that only the log can say that it failed.
  reading.catch((error: unknown) => (isGivenUp ? onLateError(error) : undefined));
  tooLate.promise.catch(() => undefined);
  try {
    return await Promise.race([reading, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Another digest than before, where what is compared or kept has another meaning than in earlier releases. */
const VERSION = 1;

const ASKED_EVERY_MS = 250;

export async function compareOnce(
  engine: Engine,
  account: CloseAccount,
  sides: Comparing & {
    /** Under which it is kept. */
    readonly name: string;
    readonly span: DaySpan;
    readonly spans: LineSpans;
    readonly snapshots: readonly { readonly tx: Tx }[];
    readonly home: { readonly tx: Tx };
    readonly float: FloatAccount;
    readonly counted: CountedLines;
    /** Of each cell, beginning with its name and how many postings there are. */
    readonly movementDigests: readonly string[];
    readonly unknown: UnknownLines;
    readonly always: readonly PaymentKey[];
    readonly isOver: boolean;
  },
): Promise<ComparedSides> {
  const { home, span, snapshots, float, unknown, always, movementDigests } = sides;
  const { provider, currency } = account;
  const name = { provider, currency, day: sides.name };
  const basis = digestOf([
    `version ${VERSION}`,
    `lines ${spanText(sides.spans)} ${sides.counted.linesDigest}`,
    ...movementDigests.map((text) => `movements ${text}`),
    `owned ${unknown.digest()}`,
    `always ${digestOf(always.map(paymentKeyText))}`,
  ]);
  const keptSince =
    sides.isOver || sides.impatience === undefined
      ? null
      : addMs(await engine.clock.timeOf(home.tx), -KEPT_OF_UNFINISHED_MS);
  const kept = await findComparison(home.tx, { ...name, basis, keptSince });
  if (kept !== null) return kept;
  if (!(await takeComparing(home.tx, account))) throw new BeingCompared();
  sides.impatience?.onBegin();
  const others: Movement[] = [];
  const agreed: Agreed[] = [];
  const total = Math.max(...movementDigests.map(countIn), countIn(`lines ${sides.counted.linesDigest}`));
  const compared = await compareSides({
    nets: snapshots.map(({ tx }) =>
      tx === home.tx
        ? netsOf(streamDifferingNets(tx, { account, lines: sides.spans.lines, float, span }), others, agreed)
        : netsOf(streamMovementNets(tx, float, span), others, agreed),
    ),
    owned: unknown.owned,
    always,
    onPayments: sides.onPayments === undefined ? undefined : (done) => sides.onPayments?.(done, total),
  });
  for (const one of agreed) addNets(compared.sums, one);
  addOthers(compared.sums, others);
  const result = { ...compared, others };
  // Before the lock ends with the snapshot: whoever waits for it finds this.
  await inTransaction(engine.store.database, async (tx) => {
    await keepComparison(tx, { ...name, basis, comparedAt: await engine.clock.timeOf(tx), ...result });
  });
  return result;
}

/** Waits until nobody compares the account. Throws BeingCompared for whoever cannot wait so long. */
export async function waitForComparison(
  { store }: StorePart,
  account: AccountName,
  { impatience }: Comparing,
): Promise<void> {
  const begun = performance.now();
  while (await isComparing(store.database, account)) {
    if (impatience !== undefined && performance.now() - begun > impatience.patienceMs)
      throw new BeingCompared();
    await sleep(ASKED_EVERY_MS);
  }
}

function spanText({ lines: { from, to, late } }: LineSpans): string {
  return JSON.stringify([from, to, late]);
}

/** Digests of lines and movements begin with how many there are. */
function countIn(text: string): number {
  return Number(text.split(' ')[1] ?? 0);
}

/** The nets of one cell; what is not about payments goes into `others`, what agrees into `agreed`. */
async function* netsOf(
  pages: AsyncGenerator<MovementPage>,
  others: Movement[],
  agreed: Agreed[],
): NetStream & AsyncGenerator<readonly PaymentNet[]> {
  for await (const page of pages) {
    others.push(...page.others);
    agreed.push(...page.agreed);
    yield page.nets;
  }
}

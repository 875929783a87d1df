// The report of a run: a table for people, a graph, one line for programs.
import { roundedAll } from '../../benchmarks/gateway/report.ts';
import { renderPlot, type Series } from '../../benchmarks/gateway/plot.ts';
import { listUnkept } from '../kit/program.ts';
import { align } from '../kit/table.ts';
import { keptBesideSlowParts, renderNeighbours, summariseNeighbours } from './neighbours-report.ts';
import type { FullDisk } from './full-disk.ts';
import type { Outcome } from './run.ts';
import { shedShareOf, sum, within, type Count, type Second, type ShedShare, type Span } from './tally.ts';

/** For status checks during overload, or this many times what they take normally on this machine. */
const STATUS_MS_MAX = 5_000;
const STATUS_RATIO_MAX = 10;
/** A share that swings makes merchants retry at the wrong moment. */
const SHED_SHARE_DEVIATION_MAX = 0.15;

export function renderReport(outcome: Outcome): string {
  const { calm, overload, after, drained, slowDatabase, exhaustedPool, neighbours, verdict, fullDisk } =
    outcome;
  const rows = [
    ['', 'offered/s', 'accepted/s', 'shed/s', 'status p99', 'checks shed', 'initiation p99'],
    rowOf('calm', outcome.seconds, calm),
    rowOf('overload', outcome.seconds, overload),
    rowOf('after', outcome.seconds, after),
    rowOf('drained', outcome.seconds, drained),
    rowOf('slow database', outcome.seconds, slowDatabase),
    rowOf('exhausted pool', outcome.seconds, exhaustedPool),
    ...(fullDisk === null
      ? []
      : [
          rowOf('full disk', fullDisk.seconds, fullDisk.full),
          rowOf('room again', fullDisk.seconds, fullDisk.after),
        ]),
  ];
  const lines = [
    '',
    `${outcome.sustainable.toFixed(0)} deposits a second are carried to their callbacks`,
    ...align(rows),
    describeShare(shedShareOf(outcome.seconds, overload)),
    '',
    renderNeighbours(neighbours),
    `everything accepted was done ${outcome.drainedAfterSeconds?.toFixed(1) ?? '(never)'} s after the overload`,
    `waiting connections at most: ${slowDatabase.waitingMost} (slow), ${exhaustedPool.waitingMost} (exhausted)`,
    `answered otherwise: ${JSON.stringify(outcome.otherwise)} ${JSON.stringify(fullDisk?.otherwise ?? {})}`,
    `verdict: ${JSON.stringify(verdict)}`,
    fullDisk === null
      ? 'a full disk was not tried'
      : `after the full disk: ${JSON.stringify(fullDisk.verdict)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeShare(share: ShedShare | null): string {
  if (share === null) return 'the overload was too short for the shed share to settle';
  const [mean, deviation] = [share.mean, share.deviationMax].map((one) => (100 * one).toFixed(0));
  return `after ten seconds of overload ${mean} % is shed, ${deviation} points more or less in two seconds at most`;
}

function rowOf(name: string, seconds: readonly Second[], span: Span): readonly string[] {
  const some = within(seconds, span);
  const mean = (count: Count) => (sum(some, count) / Math.max(1, some.length)).toFixed(0);
  return [
    name,
    mean('offered'),
    mean('accepted'),
    mean('shed'),
    most(some.map(({ statusP99Ms }) => statusP99Ms)),
    String(sum(some, 'checksShed')),
    most(some.map(({ initiationP99Ms }) => initiationP99Ms)),
  ];
}

function most(values: readonly (number | null)[]): string {
  return `${Math.max(0, ...values.map((value) => value ?? 0)).toFixed(0)} ms`;
}

/** Missed goals. */
export function listFaults(outcome: Outcome): readonly string[] {
  const { verdict, neighbours, seconds, overload, drained } = outcome;
  const during = within(seconds, overload);
  const checked = during.filter(({ statusP99Ms }) => statusP99Ms !== null);
  const calmMs = Math.max(...within(seconds, outcome.calm).map(({ statusP99Ms }) => statusP99Ms ?? 0));
  const statusMsMax = Math.max(STATUS_MS_MAX, STATUS_RATIO_MAX * calmMs);
  return listUnkept({
    'nothing acknowledged is lost': verdict.lost === 0,
    'nothing that was shed is there': verdict.takenUnsaid === 0,
    'every callback is delivered': verdict.undelivered === 0,
    'the books balance': verdict.unbalancedWallets === 0,
    'an overload is shed': sum(during, 'shed') > 0,
    'the shed share is steady after ten seconds of overload':
      (shedShareOf(seconds, overload)?.deviationMax ?? 0) <= SHED_SHARE_DEVIATION_MAX,
    'every answer is ACCEPTED, or 429 or 503 with Retry-After': Object.keys(outcome.otherwise).length === 0,
    'status checks are answered under overload':
      checked.length >= during.length - 1 &&
      checked.every(({ statusP99Ms }) => (statusP99Ms ?? 0) < statusMsMax),
    'nothing is shed any more once it is drained': sum(within(seconds, drained), 'shed') === 0,
    'it drains by itself': outcome.drainedAfterSeconds !== null,
    ...keptBesideSlowParts(neighbours),
    ...(outcome.fullDisk !== null && keptOnFullDisk(outcome.fullDisk)),
  });
}

function keptOnFullDisk({ verdict, seconds, full, after, ...disk }: FullDisk): Record<string, boolean> {
  const { lost, takenUnsaid, undelivered, unbalancedWallets } = verdict;
  return {
    'a full disk loses nothing': lost + takenUnsaid + undelivered + unbalancedWallets === 0,
    'a full disk is answered with 503': Object.keys(disk.otherwise).length === 0,
    'orders are shed while the disk is full': sum(within(seconds, full), 'shed') > 0,
    'status checks are answered while the disk is full': sum(within(seconds, full), 'checksShed') === 0,
    'orders are taken when there is room again': sum(within(seconds, after).slice(-2), 'accepted') > 0,
    'a full disk is got over without help': disk.drainedAfterSeconds !== null,
  };
}

export function renderGraph({ seconds, calm, after }: Outcome): string {
  const some = within(seconds, { fromSecond: calm.fromSecond, toSecond: after.toSecond });
  const line = (name: string, read: (second: Second) => number | null): Series => {
    const points = some.flatMap((one) => {
      const value = read(one);
      return value === null ? [] : [[one.second - calm.fromSecond, value] as const];
    });
    return { name, points };
  };
  return renderPlot({
    title: 'Three times the sustainable load',
    xLabel: 'seconds',
    yLabel: 'deposits per second; milliseconds',
    series: [
      line('offered', ({ offered }) => offered),
      line('accepted', ({ accepted }) => accepted),
      line('shed', ({ shed }) => shed),
      line('status checks, p99 in ms', ({ statusP99Ms }) => statusP99Ms),
    ],
  });
}

export function renderSummary(outcome: Outcome): unknown {
  const { sustainable, drainedAfterSeconds, neighbours, verdict, overload, seconds } = outcome;
  const during = within(seconds, overload);
  return roundedAll({
    lost: verdict.lost,
    faults: listFaults(outcome),
    sustainable,
    overload: {
      offered: sum(during, 'offered'),
      accepted: sum(during, 'accepted'),
      shed: sum(during, 'shed'),
      shedShare: shedShareOf(seconds, overload),
    },
    statusP99MsMost: Math.max(...during.map(({ statusP99Ms }) => statusP99Ms ?? 0)),
    drainedAfterSeconds,
    ...summariseNeighbours(neighbours),
    verdict,
  });
}

// Wake-ups and the workers that take them: fetch, work, settle. A worker pauses between any two steps, or crashes; a
// job whose run has not ended in time is handed out again while the first run may still be at work; jobs get lost.
import type { PaymentEvent } from '../../src/domain/lifecycle.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { Attempt } from '../../src/store/attempts.ts';
import type { QueueName } from '../../src/store/queue.ts';
import type { Answer } from './operator.ts';
import { demand } from './violation.ts';
import type { Happening, Kept, World } from './world.ts';

export type Job = { readonly queue: QueueName; readonly eventNo: number; runNo: number };

/** As the queue has it: then another run gets the job. */
const EXPIRY_MS = 60_000;
const SWEEP_OVERDUE_MS = 30_000;

/** The wake-up of the payment's latest event. One that is there is not doubled. */
export function insertJob(world: World, kept: Kept, queue: QueueName): void {
  const { eventCount, nextActionAt } = kept.payment;
  if (nextActionAt === null || kept.jobs.has(eventCount)) return;
  const job: Job = { queue, eventNo: eventCount, runNo: 0 };
  kept.jobs.set(eventCount, job);
  world.agenda.plan(Math.max(nextActionAt.getTime(), world.nowMs()), () => fetch(world, kept, job));
}

/** Every step that is overdue has a wake-up again. */
export function sweep(world: World): void {
  for (const kept of world.open) {
    const { nextAction, nextActionAt } = kept.payment;
    if (nextAction === null || nextActionAt === null) continue;
    if (nextActionAt.getTime() + SWEEP_OVERDUE_MS > world.nowMs()) continue;
    insertJob(world, kept, nextAction === 'SUBMIT' ? 'submit' : 'enquire');
  }
}

function fetch(world: World, kept: Kept, job: Job): void {
  if (kept.jobs.get(job.eventNo) !== job) return;
  if (world.fault(0.01)) {
    world.counts.lostJobs += 1;
    kept.jobs.delete(job.eventNo);
    return;
  }
  const runNo = (job.runNo += 1);
  world.after(EXPIRY_MS, () => {
    if (job.runNo === runNo) fetch(world, kept, job);
  });
  const settle = () => {
    // A run that lost its job cannot settle it.
    if (kept.jobs.get(job.eventNo) === job && job.runNo === runNo) kept.jobs.delete(job.eventNo);
  };
  work(world, () => (job.queue === 'submit' ? claim : enquire)(world, kept, job, settle));
}

/** The next step of a worker: soon, after a pause, or never. */
function work(world: World, run: () => void): void {
  if (world.fault(0.01)) {
    world.counts.crashes += 1;
    return;
  }
  world.after(pauseMs(world), run);
}

function pauseMs(world: World): number {
  if (world.fault(0.02)) {
    world.counts.pauses += 1;
    return world.random.between(10_000, 150_000);
  }
  return world.fault(0.08) ? world.random.between(100, 9_000) : world.random.between(1, 50);
}

function claim(world: World, kept: Kept, _job: Job, settle: () => void): void {
  const [answer] = world.advance(kept, [{ event: { type: 'SUBMIT_CLAIMED' } }]);
  settle();
  const { attempt } = kept;
  if (answer?.type !== 'MOVE' || attempt === null) return;
  work(world, () => send(world, kept, attempt));
}

/** Asks for permission and writes to the socket at once. */
function send(world: World, kept: Kept, attempt: Attempt): void {
  if (!world.rules.maySend(attempt, world.now())) {
    work(world, () => tell(world, kept, { outcome: { type: 'UNKNOWN', reason: 'NOT_SENT' } }));
    return;
  }
  world.counts.sends += 1;
  world.note(kept, 'written to the socket');
  kept.operator.submit(kept, attempt, (answer) => work(world, () => tell(world, kept, answer)));
}

function tell(world: World, kept: Kept, answer: Answer): void {
  world.advance(kept, [happeningOf(answer.outcome, answer.version)]);
}

function enquire(world: World, kept: Kept, job: Job, settle: () => void): void {
  const { payment, attempt } = kept;
  const isOwnWakeUp = job.eventNo === payment.eventCount;
  const isDue = world.rules.isEnquiryDue(payment, { isOwnWakeUp, now: world.now() });
  if (attempt === null || !isDue) {
    settle();
    return;
  }
  work(world, () => ask(world, kept, { payment, attempt }, settle));
}

/** The facts were read before a pause; the answer comes after another. */
function ask(
  world: World,
  kept: Kept,
  { payment, attempt }: Pick<Kept, 'payment'> & { readonly attempt: Attempt },
  settle: () => void,
): void {
  const askedAt = world.now();
  kept.operator.query(kept, (answer) =>
    work(world, () => {
      const { outcome, version } = answer;
      const { state } = payment;
      const operator = kept.operator.facts;
      const { events, resubmits } = world.rules.concludeEnquiry({
        operator,
        state,
        attempt,
        outcome,
        askedAt,
      });
      const [first] = world.advance(
        kept,
        events.map((event) => ({ event, ...(version === undefined ? {} : { version }) })),
      );
      settle();
      const again = kept.attempt;
      if (!resubmits || first?.type !== 'MOVE' || again === null) return;
      demand(
        operator.repeatedSubmit === 'HARMLESS',
        'a payment is sent again only where that is harmless',
        kept,
      );
      work(world, () => send(world, kept, again));
    }),
  );
}

export function happeningOf(outcome: Outcome, version: number | undefined): Happening {
  const event: PaymentEvent = { type: 'OPERATOR_ANSWERED', outcome };
  return version === undefined ? { event } : { event, version };
}

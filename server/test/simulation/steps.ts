// Steps that are due and the workers that take them. A claim is one transaction; an enquiry is taken for a while, and a
// worker that pauses or crashes meanwhile leaves it to another. Between any two of its steps a worker may do either.
import { isExpired } from '../../src/core/payments/process/expired-event.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { Outcome } from '../../src/domain/payments/outcome.ts';
import { isPermitted, type Attempt } from '../../src/store/payments/attempts.ts';
import type { Answer } from './operator.ts';
import { demand } from './violation.ts';
import type { Happening, Kept, World } from './world.ts';

/** Then another worker takes the step: shorter than in the product, so that two are often at work on one payment. */
const LEASE_MS = 5_000;
/** The next worker looks after this. */
const POLL_MS = 250;

/** Somebody looks when the payment's next step is due. */
export function planStep(world: World, kept: Kept): void {
  const { nextActionAt } = kept.payment;
  if (nextActionAt === null) return;
  world.agenda.plan(Math.max(nextActionAt.getTime(), world.nowMs()), () => take(world, kept));
}

function take(world: World, kept: Kept): void {
  const { nextAction, nextActionAt } = kept.payment;
  // It was done, or put off, and somebody looks again then.
  if (nextAction === null || nextActionAt === null || nextActionAt > world.now()) return;
  if (world.fault(0.01)) {
    world.counts.crashes += 1;
    world.after(POLL_MS, () => take(world, kept));
    return;
  }
  if (nextAction === 'ENQUIRE') lease(world, kept);
  else if (isExpired(kept, { recovery: null, now: world.now() }))
    world.advance(kept, [{ event: { type: 'SUBMIT_EXPIRED' } }]);
  else if (world.fault(0.05)) claimAlone(world, kept);
  else claim(world, kept);
}

/** Payments that could not be claimed together are listed and claimed one by one: others may have come first. */
function claimAlone(world: World, kept: Kept): void {
  world.after(POLL_MS, () => take(world, kept));
  work(world, () => claim(world, kept));
}

/** Only the time of the step moves. */
function lease(world: World, kept: Kept): void {
  const until = new Date(world.nowMs() + LEASE_MS);
  kept.payment = { ...kept.payment, nextActionAt: until };
  planStep(world, kept);
  work(world, () => enquire(world, kept, until));
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

function claim(world: World, kept: Kept): void {
  const [answer] = world.advance(kept, [{ event: { type: 'SUBMIT_CLAIMED' } }]);
  const { attempt } = kept;
  // A claim that became a wait leaves an attempt that was given back as it is: nothing may be sent under it.
  if (answer?.type !== 'MOVE' || attempt === null || !isPermitted(attempt)) return;
  work(world, () => send(world, kept, attempt));
}

/** Asks for permission and writes to the socket at once. */
function send(world: World, kept: Kept, attempt: Attempt): void {
  // Our own rate budget keeps some back too, and those often more than once.
  if (world.fault(attempt.unsentCount === 0 ? 0.05 : 0.5) || !world.rules.maySend(attempt, world.now())) {
    work(world, () => giveBack(world, kept, attempt));
    return;
  }
  world.counts.sends += 1;
  world.note(kept, 'written to the socket');
  kept.operator.submit(kept, attempt, (answer) => work(world, () => tell(world, kept, answer)));
}

/** Nothing was written. What was sent under an earlier permission is asked about. */
function giveBack(world: World, kept: Kept, { sendCount, unsentCount }: Attempt): void {
  if (unsentCount === sendCount - 1) world.advance(kept, [{ event: { type: 'SUBMIT_UNSENT', sendCount } }]);
  else tell(world, kept, { outcome: { type: 'UNKNOWN', reason: 'NOT_SENT' } });
}

function tell(world: World, kept: Kept, answer: Answer): void {
  world.advance(kept, [happeningOf(answer.outcome, answer.version)]);
}

function enquire(world: World, kept: Kept, until: Date): void {
  const { payment, attempt } = kept;
  // It may have come to its end since it was taken.
  if (attempt === null || payment.nextAction !== 'ENQUIRE') return;
  work(world, () => ask(world, kept, { payment, attempt, until }));
}

/** The facts were read before a pause; the answer comes after another. */
function ask(
  world: World,
  kept: Kept,
  { payment, attempt, until }: Pick<Kept, 'payment'> & { readonly attempt: Attempt; readonly until: Date },
): void {
  const askedAt = world.now();
  kept.operator.query(kept, (answer) =>
    work(world, () => {
      const { outcome, version } = answer;
      const { state } = payment;
      const operator = kept.operator.facts;
      const { events, resubmits } = world.rules.interpretEnquiry({
        operator,
        state,
        attempt,
        outcome,
        askedAt,
      });
      const [first] = world.advance(
        kept,
        events.map((event) => ({ event, ...(version === undefined ? {} : { version }) })),
        until,
      );
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

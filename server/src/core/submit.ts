// Sends payments to operators, each at most once for each permission. Permission is the committed claim: the
// transition to PROCESSING that inserts the attempt. Whoever did not make it only enquires.
import type { SubmitAnswer } from '../connectors/port.ts';
import type { Attempt } from '../store/attempts.ts';
import type { StoredPayment } from '../store/payments.ts';
import type { HeldJob } from '../store/queue.ts';
import { advance, type Advance } from './advance.ts';
import { outcomeText } from './decide.ts';
import type { Engine } from './engine.ts';
import { connectorFor, orderFor, permissionFor } from './operator.ts';

/** A payment this process may send, until the attempt's deadline. */
export type Claimed = { readonly payment: StoredPayment; readonly attempt: Attempt };

/** Claims the payments of these jobs. Answers those this process may send; the jobs are gone with the commit. */
export async function claimSubmits(engine: Engine, jobs: readonly HeldJob[]): Promise<readonly Claimed[]> {
  const claims = jobs.map((job): Advance => ({ key: job.key, event: { type: 'SUBMIT_CLAIMED' }, job }));
  const advanced = await advance(engine, claims);
  return advanced.flatMap((one) => {
    if (one.type !== 'MOVE' || one.attempt === null) return [];
    return [{ payment: one.payment, attempt: one.attempt }];
  });
}

/** Sends one claimed payment and answers the event its outcome is. Never throws for what an operator does. */
export async function sendClaimed(engine: Engine, { payment, attempt }: Claimed): Promise<Advance> {
  const connector = connectorFor(engine, payment);
  const startedAt = performance.now();
  const answer = await connector.submit(orderFor(engine, payment, attempt), permissionFor(engine, attempt));
  const seconds = (performance.now() - startedAt) / 1_000;
  engine.observer.operatorAnswered(connector.name, 'submit', outcomeText(answer.outcome), seconds);
  return answerOf(payment, answer);
}

function answerOf(payment: StoredPayment, answer: SubmitAnswer): Advance {
  const { outcome, evidence, providerReference } = answer;
  return {
    key: payment,
    event: { type: 'OPERATOR_ANSWERED', outcome },
    evidence,
    ...(providerReference === undefined ? {} : { providerReference }),
  };
}

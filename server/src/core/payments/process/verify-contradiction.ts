// Evidence against a final state is asked about before it is believed. Messages and answers can be long on their way,
// in a process that stood still for instance, and be overtaken by others: only what the operator says now counts.
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import type { Outcome } from '../../../domain/payments/outcome.ts';
import type { Attempt } from '../../../store/payments/attempts.ts';
import { advance, type Advance, type Advanced } from './advance.ts';
import type { Engine } from '../../engine.ts';
import { askOperator } from './enquire.ts';
import { connectorFor } from '../../operators/operator-calls.ts';

/** What happens to evidence when the operator cannot be asked. */
export type WhenSilent = 'BELIEVE' | 'WAIT';

/** What an operator says about a payment. */
export type Said = Pick<Advance, 'event' | 'evidence'>;

/**
 * Does what is left to do when `advance` has answered `advanced` to `told`, which had to be confirmed. LATER: the
 * operator said nothing clear, and nothing was done. `heardSince`: what it answered meanwhile, where its answers come
 * as messages; asking about each of them again would make two messages out of one, permanently.
 */
export async function verifyContradiction(
  engine: Engine,
  told: Advance,
  advanced: Advanced | undefined,
  whenSilent: WhenSilent,
  heardSince: () => Promise<Said | null> = async () => null,
): Promise<'DONE' | 'LATER'> {
  if (!isQuestionable(engine, told, advanced)) return 'DONE';
  const { mustBeVerified: _asked, lineHash, ...evidence } = told;
  const said = (await heardSince()) ?? (await askAgain(engine, advanced));
  // A hint has done all it can once the question is asked.
  if (said === 'COMES_LATER' && told.event.type === 'HINTED') return 'DONE';
  const saidNow = typeof said === 'object' ? said : null;
  if (saidNow === null && whenSilent === 'WAIT') return 'LATER';
  // What the operator confirms is its own word, and no file's any more.
  const source = saidNow === null && lineHash !== undefined ? { lineHash } : {};
  await advance(engine, [{ ...evidence, ...source, ...saidNow }]);
  return 'DONE';
}

type Questionable = Extract<Advanced, { readonly attempt: Attempt | null }>;

/**
 * Evidence against a final state, or a hint about one: an operator whose messages are not authentic has no other way to
 * say that a payment ended otherwise.
 */
function isQuestionable(
  engine: Pick<Engine, 'connectors'>,
  { event, fromConnector }: Advance,
  advanced: Advanced | undefined,
): advanced is Questionable {
  if (advanced?.type === 'UNCONFIRMED') return true;
  if (advanced?.type !== 'NOTHING' || event.type !== 'HINTED') return false;
  const { payment } = advanced;
  const isItsOperator = fromConnector === payment.connector;
  return isFinal(payment.state) && isItsOperator && connectorFor(engine, payment).query !== undefined;
}

/** Null where the operator cannot be asked, or says nothing clear. */
async function askAgain(
  engine: Engine,
  { payment, attempt }: Questionable,
): Promise<Said | 'COMES_LATER' | null> {
  const connector = connectorFor(engine, payment);
  if (connector.query === undefined || attempt === null) return null;
  const { outcome, evidence, comesLater } = await askOperator(engine, connector, payment, attempt);
  if (comesLater === true) return 'COMES_LATER';
  return isClear(outcome) ? { event: { type: 'OPERATOR_ANSWERED', outcome }, evidence } : null;
}

export function isClear(outcome: Outcome): boolean {
  return outcome.type === 'COMPLETED' || outcome.type === 'FAILED';
}

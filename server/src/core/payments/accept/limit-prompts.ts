// How often a phone may be asked for a PIN. On hosted pages anybody can type anybody's number, so a number is asked
// once at a time and a few times an hour; deposits by the API are limited where the host wants it.
import { factsOf } from '../../../connectors/port.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { failureReason } from '../../../domain/failure.ts';
import type { Tx } from '../../../store/database.ts';
import {
  insertPrompts,
  listUnapproved,
  lockNumbers,
  type NewPrompt,
} from '../../../store/payments/payer-prompts.ts';
import type { Refused } from '../admit.ts';
import type { Engine } from '../../engine.ts';
import type { ResolvedCandidate } from '../payment-request.ts';
import { addMs } from '../../../domain/time.ts';

export type PromptLimits = {
  /** Prompts of one merchant's pages to one number that were not approved, in an hour. */
  readonly perMerchant: number;
  /** The same of all merchants together. */
  readonly perNumber: number;
  /** Of deposits by the API, of one merchant to one number. Null: not limited. */
  readonly perPayer: number | null;
};

/** A payer who mistypes a PIN a few times still pays; a stranger does not keep a phone ringing. */
export const DEFAULT_PROMPTS: PromptLimits = { perMerchant: 10, perNumber: 20, perPayer: null };

const HOUR_MS = 3_600_000;

/** How long a request stays on a phone where the operator does not say: longer than most keep it. */
const APPROVAL_MS = 120_000;

/** In the transaction that accepts, before checkouts are locked. Answers the candidates in their order. */
export async function limitPrompts(
  engine: Engine,
  tx: Tx,
  candidates: readonly ResolvedCandidate[],
  now: Date,
): Promise<readonly ResolvedCandidate[]> {
  const prompts = new Map(candidates.flatMap((one) => promptOf(engine, one, now)));
  if (prompts.size === 0) return candidates;
  const hashes = [...prompts.values()].map(({ numberHash }) => numberHash);
  await lockNumbers(tx, hashes);
  const unapproved = [...(await listUnapproved(tx, { hashes, since: addMs(now, -HOUR_MS), now }))];
  const allowed: NewPrompt[] = [];
  const limited = candidates.map((candidate) => {
    const prompt = prompts.get(candidate);
    if (prompt === undefined) return candidate;
    const cause = causeAgainst(engine.promptLimits, prompt, unapproved);
    if (cause !== null) return { ...candidate, becomes: refused(cause) };
    allowed.push(prompt);
    unapproved.push({ ...prompt, numberHash: prompt.numberHash.toString('hex'), isOpen: true });
    return candidate;
  });
  await insertPrompts(tx, allowed);
  return limited;
}

type Prompt = NewPrompt & { readonly isFromPage: boolean };

function promptOf(
  engine: Engine,
  candidate: ResolvedCandidate,
  now: Date,
): readonly (readonly [ResolvedCandidate, Prompt])[] {
  const { becomes: payment } = candidate;
  if ('reason' in payment || payment.kind !== 'DEPOSIT') return [];
  const isFromPage = payment.details.isFromPage === true;
  const isPrompted = findProvider(payment.provider)?.authType === 'PROVIDER_AUTH';
  if (!isPrompted || (!isFromPage && engine.promptLimits.perPayer === null)) return [];
  const { merchantId, paymentNo, connector } = payment;
  const numberHash = engine.store.keyring.searchHash('payer-prompts', payment.details.phoneNumber);
  const openUntil = addMs(now, approvalMsOf(engine, connector));
  return [[candidate, { paymentNo, merchantId, numberHash, promptedAt: now, openUntil, isFromPage }]];
}

function approvalMsOf({ connectors }: Pick<Engine, 'connectors'>, name: string): number {
  const connector = connectors.get(name);
  return (
    (connector === undefined ? undefined : factsOf(connector, 'DEPOSIT').timing.approvalMs) ?? APPROVAL_MS
  );
}

type Known = { readonly merchantId: string; readonly numberHash: string; readonly isOpen: boolean };

function causeAgainst(limits: PromptLimits, prompt: Prompt, unapproved: readonly Known[]): string | null {
  const ofNumber = unapproved.filter(({ numberHash }) => numberHash === prompt.numberHash.toString('hex'));
  const ofMerchant = ofNumber.filter(({ merchantId }) => merchantId === prompt.merchantId);
  const { perMerchant, perNumber, perPayer } = limits;
  if (!prompt.isFromPage) {
    return ofMerchant.length >= (perPayer ?? Infinity) ? 'too many were not approved within an hour' : null;
  }
  if (ofMerchant.some(({ isOpen }) => isOpen)) return 'another one is waiting for approval';
  const isOver = ofMerchant.length >= perMerchant || ofNumber.length >= perNumber;
  return isOver ? 'too many were not approved within an hour' : null;
}

function refused(cause: string): Refused {
  return { type: 'REJECTED', reason: failureReason('TOO_MANY_PROMPTS', { cause }) };
}

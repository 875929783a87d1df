// Runs the cases of a certification and gathers the evidence: what was sent and answered, without secrets and personal
// data. That it begins is in the audit log before the first call, with the run that all references are made from.
import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../connectors/operator.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { inTransaction } from '../../store/database.ts';
import { record, type Actor } from '../audit.ts';
import { outcomeText } from '../operators/validate-answer.ts';
import { isFrozen, refusalFor } from './allowed.ts';
import { CASES, type Case } from './cases.ts';
import type { Finding } from './finding.ts';
import type { Trial } from './trial.ts';

export type CaseResult = Finding & {
  readonly name: string;
  readonly proves: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exchanges: readonly Omit<Exchange, 'connector'>[];
  /** How messages about its payment were read. */
  readonly messages: readonly { readonly receivedAt: string; readonly readAs: string }[];
};

export type Certificate = {
  readonly runId: string;
  readonly connector: string;
  readonly provider: string;
  /** What was tried: a fake proves nothing about the operator. */
  readonly place: Trial['order']['account']['place'];
  readonly hosts: readonly string[];
  readonly startedAt: string;
  readonly amount: string;
  readonly currency: string;
  readonly results: readonly CaseResult[];
  readonly payments: readonly MadePayment[];
  /** What was taken in, less what was paid out. It is not in the books. */
  readonly floatChange: string;
  /** What no case can try. */
  readonly questions: readonly string[];
};

export type MadePayment = { readonly name: string; readonly reference: string; readonly outcome: string };

export type CertifyTools = Omit<Trial, 'runId' | 'payments' | 'isFrozen'> & {
  /** Everything that was exchanged so far; it grows while the cases run. */
  readonly exchanges: readonly Exchange[];
  /** Called after every case: what is known must survive the end of the process. */
  readonly onResult: (certificate: Certificate, latest: CaseResult) => Promise<void>;
};

/** The evidence, or why nothing was sent. */
export async function certify(
  tools: CertifyTools,
  actor: Actor,
): Promise<Certificate | { readonly refusal: string }> {
  const { engine, order, exchanges, onResult } = tools;
  const trial = { ...tools, runId: randomUUID(), payments: new Map() };
  const startedAt = engine.clock.now();
  const refusal = await recordStart(trial, actor);
  if (refusal !== null) return { refusal };
  const results: CaseResult[] = [];
  for (const one of CASES) {
    // Asked each time: a run can last an hour.
    const now: Trial = { ...trial, isFrozen: await isFrozen(engine, order) };
    const latest = await runCase(now, one, exchanges);
    results.push(latest);
    await onResult(certificateOf(trial, startedAt, results), latest);
  }
  return certificateOf(trial, startedAt, results);
}

async function recordStart(
  { engine, connector, order, runId }: Omit<Trial, 'isFrozen'>,
  { by }: Actor,
): Promise<string | null> {
  const subject = `${connector.name}/${order.provider.code}`;
  return inTransaction(engine.store.database, async (tx) => {
    const refusal = await refusalFor(engine, tx, { order, subject });
    if (refusal !== null) return refusal;
    const detail = {
      reference: runId,
      amount: renderAmount(order.amount),
      currency: order.currency,
      isRealMoney: order.account.place === 'REAL',
    };
    await record(engine, tx, [
      { by, act: 'OPERATOR_CERTIFICATION_STARTED', merchantId: null, subject, detail },
    ]);
    return null;
  });
}

async function runCase(trial: Trial, one: Case, exchanges: readonly Exchange[]): Promise<CaseResult> {
  const { name, proves } = one;
  const { clock } = trial.engine;
  const startedAt = clock.now().toISOString();
  const exchangedBefore = exchanges.length;
  const lack = one.lacks(trial);
  const finding: Finding = lack === null ? await one.run(trial) : { result: 'NOT_TRIED', said: lack };
  const reference = trial.payments.get(name)?.attempt.reference ?? '';
  return {
    name,
    proves,
    ...finding,
    startedAt,
    endedAt: clock.now().toISOString(),
    exchanges: exchanges.slice(exchangedBefore).map(({ connector: _connector, ...exchange }) => exchange),
    messages: (trial.inbox?.about(reference) ?? []).map(({ raw, reading }) => ({
      receivedAt: raw.receivedAt.toISOString(),
      readAs: reading.type,
    })),
  };
}

function certificateOf(
  trial: Omit<Trial, 'isFrozen'>,
  startedAt: ProcessTime,
  results: readonly CaseResult[],
): Certificate {
  const { runId, connector, certification, order } = trial;
  const made = [...trial.payments];
  const floatChange = made
    .filter(([, { outcome }]) => outcome.type === 'COMPLETED')
    .map(([, { attempt }]) => (attempt.operation === 'DEPOSIT' ? order.amount : -order.amount))
    .reduce((sum: Amount, amount) => sum + amount, 0n);
  return {
    runId,
    connector: connector.name,
    provider: order.provider.code,
    place: order.account.place,
    hosts: order.account.hosts,
    startedAt: startedAt.toISOString(),
    amount: renderAmount(order.amount),
    currency: order.currency,
    results: [...results],
    payments: made.map(([name, { attempt, outcome }]) => ({
      name,
      reference: attempt.reference,
      outcome: outcomeText(outcome),
    })),
    floatChange: renderAmount(floatChange),
    questions: [...certification.questions, STATEMENT],
  };
}

const STATEMENT =
  "Find each payment of this run once in the operator's report. A second charge can have another number.";

// The wake-ups of payments, kept by pg-boss. The queue is disposable: payments carry their next step and its time,
// and `sweep` derives every job again. docs/internals/queue.md says why each rule here is as it is.
import { PgBoss, type Db } from 'pg-boss';
import type { PaymentKey } from '../domain/payment.ts';
import type { Database, Tx } from './database.ts';
import { derivedUuid } from './derived-uuid.ts';

export const QUEUES = ['submit', 'enquire'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The wake-up of one payment after its event `eventNo`. */
export type WakeUp = { readonly key: PaymentKey; readonly eventNo: number; readonly at: Date };

/** A job in hand. It names the run that holds it, so that a run that lost it cannot settle it. */
export type HeldJob = {
  readonly queue: QueueName;
  readonly id: string;
  readonly retryCount: number;
  readonly key: PaymentKey;
};

export type QueueOptions = {
  /** Workers recover the jobs of crashed workers; an API process only inserts. */
  readonly supervises: boolean;
  /** Three times a handler's deadline, at most 60: then another run gets the job. */
  readonly expireInSeconds: number;
  /** How often crashed runs are looked for. */
  readonly monitorIntervalSeconds: number;
  readonly onError: (error: Error) => void;
};

export const DEFAULT_QUEUE = {
  // Three times the 20 s a claim or an enquiry may take.
  expireInSeconds: 60,
  monitorIntervalSeconds: 5,
} as const;

/** Identifiers only: a job never carries what a payment says. */
type JobData = { readonly m: string; readonly k: PaymentKey['kind']; readonly p: string };

export class Queue {
  readonly #boss: PgBoss;
  readonly #options: QueueOptions;

  constructor(database: Database, options: QueueOptions) {
    this.#options = options;
    this.#boss = new PgBoss({
      db: adapter(database),
      schema: 'pgboss',
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: options.supervises,
      superviseIntervalSeconds: options.monitorIntervalSeconds,
      monitorIntervalSeconds: options.monitorIntervalSeconds,
    });
    this.#boss.on('error', options.onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  /** Inserts wake-ups in the caller's transaction. One that is missing aborts it. */
  async insert(tx: Tx, queue: QueueName, wakeUps: readonly WakeUp[]): Promise<void> {
    const inserted = await this.#insert(tx, queue, wakeUps);
    if (inserted !== wakeUps.length)
      throw new Error(`${queue}: ${inserted} of ${wakeUps.length} jobs inserted`);
  }

  /** Inserts the wake-ups that are not there. Answers how many were missing. */
  async insertMissing(tx: Tx, queue: QueueName, wakeUps: readonly WakeUp[]): Promise<number> {
    return this.#insert(tx, queue, wakeUps);
  }

  async fetch(queue: QueueName, countMax: number): Promise<readonly HeldJob[]> {
    const jobs = await this.#boss.fetch<JobData>(queue, { batchSize: countMax });
    return jobs.map(({ id, retryCount, data }) => ({
      queue,
      id,
      retryCount,
      key: { merchantId: data.m, kind: data.k, paymentId: data.p },
    }));
  }

  /** Removes jobs in the transaction of their work. Answers how many were still ours. */
  async settle(tx: Tx, jobs: readonly HeldJob[]): Promise<number> {
    let settled = 0;
    for (const queue of QUEUES) {
      const held = jobs.filter((job) => job.queue === queue);
      if (held.length === 0) continue;
      const answer = await this.#boss.deleteJob(queue, [...held], { db: adapter(tx) });
      settled += affectedBy(answer);
    }
    return settled;
  }

  async #insert(tx: Tx, queue: QueueName, wakeUps: readonly WakeUp[]): Promise<number> {
    if (wakeUps.length === 0) return 0;
    const jobs = wakeUps.map((wakeUp) => ({
      id: jobId(wakeUp),
      data: { m: wakeUp.key.merchantId, k: wakeUp.key.kind, p: wakeUp.key.paymentId } satisfies JobData,
      startAfter: wakeUp.at,
      expireInSeconds: this.#options.expireInSeconds,
    }));
    const ids = await this.#boss.insert(queue, jobs, { db: adapter(tx), returnId: true });
    return ids?.length ?? 0;
  }
}

/** Whether a job is the wake-up of a payment's step after its event `eventNo`, and not of an earlier one. */
export function isWakeUpOf(job: HeldJob, eventNo: number): boolean {
  return job.id === jobId({ key: job.key, eventNo });
}

/** The same wake-up always has the same identifier: deriving jobs again never doubles one that is there. */
function jobId({ key, eventNo }: Omit<WakeUp, 'at'>): string {
  return derivedUuid(`${key.merchantId}/${key.kind}/${key.paymentId}/${eventNo}`);
}

function adapter(tx: Tx): Db {
  return { executeSql: (text, values) => tx.query(text, values) };
}

/** pg-boss answers with a count that its published type leaves out. */
function affectedBy(answer: object): number {
  if ('affected' in answer && typeof answer.affected === 'number') return answer.affected;
  throw new Error('pg-boss did not say how many jobs it deleted');
}

// The platform's screening service of a run, which misbehaves by the seed: it hangs, lies, breaks off, fails, answers
// late, or twice in different ways. It remembers what it allowed, so that the verdict can look for what left without.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { askedByCommand } from '../../server/src/core/approvals/request.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { changeReviewRule } from '../../server/src/core/limits/set-review-rules.ts';
import { cancel } from '../../server/src/core/payments/act/cancel.ts';
import { readReviewQueue } from '../../server/src/core/reviews/decide-review.ts';
import type { Verdict } from '../../server/src/domain/limits/review.ts';
import type { Random } from '../kit/random.ts';
import { BY, type Environment } from '../kit/settings.ts';
import type { Finding } from '../kit/verdict/verdict.ts';

/** What is done without an answer, by kind. */
const WITHOUT_ANSWER: Readonly<Record<string, Verdict>> = {
  DEPOSIT: 'ALLOW',
  PAYOUT: 'HOLD',
  REFUND: 'ALLOW',
  REMITTANCE: 'REJECT',
};

const DEADLINE_MS = 800;

type Behaviour = 'ALLOW' | 'HOLD' | 'REJECT' | 'HANG' | 'LIE' | 'CROSSED' | 'FAIL' | 'BREAK' | 'LATE';

export class ScreeningService {
  readonly #server: Server;
  readonly #random: Random;
  readonly #allowed = new Set<string>();
  #asked = 0;
  #isCalm = false;

  constructor(random: Random) {
    this.#random = random;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => void this.#answer(Buffer.concat(chunks).toString(), response));
    });
  }

  static async start(hooks: ShutdownHooks, random: Random): Promise<ScreeningService> {
    const service = new ScreeningService(random);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    hooks.add(async () => {
      service.#server.closeAllConnections();
      await new Promise<void>((resolve) => service.#server.close(() => resolve()));
    });
    return service;
  }

  get environment(): Environment {
    const { port } = this.#server.address() as AddressInfo;
    return {
      MALIPO_SCREENING_URL: `http://127.0.0.1:${port}/screen`,
      MALIPO_SCREENING_DEADLINE_MS: String(DEADLINE_MS),
    };
  }

  get askedCount(): number {
    return this.#asked;
  }

  /** From now on it allows everything. */
  calm(): void {
    this.#isCalm = true;
  }

  mayHaveAllowed(screeningId: string): boolean {
    return this.#allowed.has(screeningId);
  }

  async #answer(text: string, response: ServerResponse): Promise<void> {
    const { screeningId } = JSON.parse(text) as { readonly screeningId: string };
    this.#asked += 1;
    const behaviour = this.#isCalm ? 'ALLOW' : this.#behaviour();
    const say = (decision: string, id = screeningId) =>
      response.end(JSON.stringify({ screeningId: id, decision, reason: 'by the seed' }));
    switch (behaviour) {
      case 'HANG':
        return;
      case 'BREAK':
        return void response.destroy();
      case 'FAIL':
        return void response.writeHead(503).end();
      case 'LIE':
        return void say('YES');
      case 'CROSSED':
        return void say('ALLOW', 'another');
      case 'LATE':
        // The gateway has given up waiting, unless its process was paused meanwhile.
        await sleep(2 * DEADLINE_MS);
        this.#allowed.add(screeningId);
        return void say('ALLOW');
      case 'ALLOW':
        this.#allowed.add(screeningId);
        return void say('ALLOW');
      case 'HOLD':
      case 'REJECT':
        return void say(behaviour);
    }
  }

  #behaviour(): Behaviour {
    return this.#random.pickWeighted<Behaviour>([
      [10, 'ALLOW'],
      [3, 'HOLD'],
      [1, 'REJECT'],
      [1, 'HANG'],
      [1, 'LIE'],
      [1, 'CROSSED'],
      [1, 'FAIL'],
      [1, 'BREAK'],
      [1, 'LATE'],
    ]);
  }
}

/** All payments of a merchant are screened. */
export async function screenMerchant(engine: Engine, merchantId: string): Promise<void> {
  for (const [subject, withoutAnswer] of Object.entries(WITHOUT_ANSWER)) {
    const key = { rule: 'SCREENING', subject } as const;
    const values = { withoutAnswer, amountAbove: null, hours: null };
    await changeReviewRule(engine, { ...askedByCommand(engine, BY), merchantId, key, values });
  }
}

/** What waits for people is cancelled by its merchant, so that the run can end. */
export async function cancelHeld(engine: Engine): Promise<void> {
  const held = await readReviewQueue(engine, { after: null, countMax: 100 });
  for (const review of held) await cancel(engine, { ...review, writtenId: review.paymentId });
}

type Sent = {
  kind: string;
  payment_id: string;
  payment_no: string;
  status: string | null;
  reasons: string[] | null;
};

/** Payments that were sent that were not allowed. */
export async function findUnreviewed(
  { store }: Engine,
  { merchantId, service }: { readonly merchantId: string; readonly service: ScreeningService },
): Promise<readonly Finding[]> {
  const { rows } = await store.database.query<Sent>(
    `select p.kind::text, p.payment_id, p.payment_no, r.status, r.reasons from payments p
     join payment_attempts a using (payment_no) left join payment_reviews r using (payment_no)
     where p.merchant_id = $1 and a.send_count > 0`,
    [merchantId],
  );
  return rows.flatMap(({ kind, payment_id: id, payment_no: number, status, reasons }) => {
    const isUnanswered = reasons?.includes('NO_ANSWER') === true;
    const mayLeave = isUnanswered ? WITHOUT_ANSWER[kind] === 'ALLOW' : service.mayHaveAllowed(number);
    const isAllowed = status === 'ALLOWED' && mayLeave;
    const what = `sent, its review is ${status ?? 'missing'}`;
    return isAllowed ? [] : [{ type: 'UNREVIEWED', subject: `${kind} ${id}`, what } as const];
  });
}

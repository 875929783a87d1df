// The platform's screening service of a run, which misbehaves by the seed: it hangs, lies, breaks off, dies for a
// while, fails, answers late, and says the opposite where it is asked again. It remembers what it said, so that the
// verdict can look for what was done without.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { askedByCommand } from '../../server/src/core/approvals/request.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { changeReviewRule } from '../../server/src/core/limits/set-review-rules.ts';
import { cancel } from '../../server/src/core/payments/act/cancel.ts';
import {
  readReviewQueue,
  requestReview,
  type ReviewView,
} from '../../server/src/core/reviews/decide-review.ts';
import type { Verdict } from '../../server/src/domain/limits/review.ts';
import type { ReviewStatus } from '../../server/src/store/reviews/payment-reviews.ts';
import { addPeople, ANA, approveAs, BEN } from '../../server/test/approval-requests.ts';
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
/** Some questions have no answer before their deadline then, and others are asked again in time. */
const DEAD_MS = 600;

type Behaviour = Verdict | 'HANG' | 'LIE' | 'CROSSED' | 'FAIL' | 'BREAK' | 'DIE' | 'LATE';

export class ScreeningService {
  readonly #server: Server;
  readonly #random: Random;
  /** What it may have been understood to say, by question. */
  readonly #said = new Map<string, Set<Verdict>>();
  /** What it has said first, also where nothing of it can have been heard. */
  readonly #first = new Map<string, Verdict>();
  #asked = 0;
  #isDead = false;
  #isCalm = false;

  constructor(random: Random) {
    this.#random = random;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => void this.#answer(Buffer.concat(chunks).toString(), response));
    });
    this.#server.on('connection', (socket) => {
      if (this.#isDead) socket.destroy();
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

  /** Every question in progress breaks off, and for a while every connection. Its port stays its own. */
  async #die(): Promise<void> {
    this.#isDead = true;
    this.#server.closeAllConnections();
    await sleep(DEAD_MS);
    this.#isDead = false;
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

  maySay(screeningId: string, verdict: Verdict): boolean {
    return this.#said.get(screeningId)?.has(verdict) === true;
  }

  async #answer(text: string, response: ServerResponse): Promise<void> {
    const { screeningId } = JSON.parse(text) as { readonly screeningId: string };
    this.#asked += 1;
    const behaviour = this.#isCalm ? 'ALLOW' : this.#behaviour();
    const render = (decision: string, id = screeningId) =>
      JSON.stringify({ screeningId: id, decision, reason: 'by the seed' });
    const say = (wanted: Verdict) => {
      const verdict = this.#isCalm ? wanted : this.#otherwise(screeningId, wanted);
      const said = this.#said.get(screeningId) ?? new Set();
      this.#said.set(screeningId, said.add(verdict));
      response.end(render(verdict));
    };
    switch (behaviour) {
      case 'HANG':
        return;
      case 'BREAK': {
        // Half an answer says nothing, and the whole one that follows says something else.
        const half = render(this.#otherwise(screeningId, 'ALLOW'));
        response.writeHead(200, { 'content-length': half.length + 1 });
        response.write(half, () => response.destroy());
        return;
      }
      case 'DIE':
        return this.#die();
      case 'FAIL':
        return void response.writeHead(503).end();
      case 'LIE':
        return void response.end(render('YES'));
      case 'CROSSED':
        return void response.end(render('ALLOW', 'another'));
      case 'LATE':
        // The gateway has given up waiting, unless its process was paused meanwhile.
        await sleep(2 * DEADLINE_MS);
        return say('ALLOW');
      case 'ALLOW':
      case 'HOLD':
      case 'REJECT':
        return say(behaviour);
    }
  }

  /** The opposite of what it said first, where it is asked again. */
  #otherwise(screeningId: string, wanted: Verdict): Verdict {
    const first = this.#first.get(screeningId);
    if (first === undefined) this.#first.set(screeningId, wanted);
    return first === undefined ? wanted : first === 'ALLOW' ? 'REJECT' : 'ALLOW';
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
      [1, 'DIE'],
      [1, 'LATE'],
    ]);
  }
}

/** Two administrators of the platform, who are signed in: a production database lets only such people approve. */
export async function addApprovers(engine: Engine): Promise<void> {
  await addPeople(engine);
  await engine.store.database.query(
    `insert into memberships (person_id, role, since)
     select id, 'OPERATOR_ADMIN', now() - interval '1 day' from people`,
  );
}

/** All payments of a merchant are screened, and two people decide about what is held. */
export async function screenMerchant(engine: Engine, merchantId: string): Promise<void> {
  for (const [subject, withoutAnswer] of Object.entries(WITHOUT_ANSWER)) {
    const key = { rule: 'SCREENING', subject } as const;
    const values = { withoutAnswer, amountAbove: null, hours: null };
    await changeReviewRule(engine, { ...askedByCommand(engine, BY), merchantId, key, values });
  }
}

/** Of what waits for people every other payment is released by two of them; its merchant cancels the rest. */
export async function endHeld(engine: Engine): Promise<void> {
  const held = await readReviewQueue(engine, { after: null, countMax: 100 });
  for (const review of held) {
    if (isReleased(review)) await release(engine, review);
    else await cancel(engine, { ...review, writtenId: review.paymentId });
  }
}

function isReleased({ paymentNo }: Pick<ReviewView, 'paymentNo'>): boolean {
  return /[02468ace]$/.test(paymentNo);
}

async function release(engine: Engine, review: ReviewView): Promise<void> {
  const order = { actor: ANA, key: review, decision: 'RELEASE', reason: 'drill' } as const;
  const requested = review.approval ?? (await requestReview(engine, order));
  if ('approvalId' in requested) await approveAs(engine, BEN, requested.approvalId);
}

type Reviewed = {
  kind: string;
  payment_id: string;
  payment_no: string;
  state: string;
  failure_code: string | null;
  status: ReviewStatus | null;
  reasons: string[] | null;
  is_sent: boolean;
};

/** Payments that were sent, held or failed otherwise than their review, or what the service said, has it. */
export async function findUnreviewed(
  { store }: Engine,
  { merchantId, service }: { readonly merchantId: string; readonly service: ScreeningService },
): Promise<readonly Finding[]> {
  const { rows } = await store.database.query<Reviewed>(
    `select p.kind::text, p.payment_id, p.payment_no, p.state::text, p.failure_code, r.status, r.reasons,
       exists (select from payment_attempts a where a.payment_no = p.payment_no and a.send_count > 0) as is_sent
     from payments p left join payment_reviews r using (payment_no) where p.merchant_id = $1`,
    [merchantId],
  );
  return rows.flatMap((row) => {
    const { kind, payment_id: id, state, failure_code: code, status } = row;
    if (isInOrder(row, service)) return [];
    const sent = row.is_sent ? 'sent' : 'not sent';
    const what = `${sent}, ${state} ${code ?? ''}, its review is ${status ?? 'missing'} ${String(row.reasons)}`;
    return [{ type: 'UNREVIEWED', subject: `${kind} ${id}`, what } as const];
  });
}

/** A review that is ENDED says nothing: its payment was cancelled, or its time was over, before it was settled. */
function isInOrder(row: Reviewed, service: ScreeningService): boolean {
  const { kind, payment_no: number, status, reasons, is_sent: isSent } = row;
  const may = (verdict: Verdict) =>
    reasons?.includes('NO_ANSWER') === true
      ? WITHOUT_ANSWER[kind] === verdict
      : service.maySay(number, verdict);
  const isRejected = row.state === 'FAILED' && row.failure_code === 'OTHER_ERROR';
  switch (status) {
    case 'ALLOWED':
      return may('ALLOW');
    // By two people, of whom none rejects in a run.
    case 'RELEASED':
      return may('HOLD');
    // A refund fails in this way too where its deposit was taken back.
    case 'HELD':
      return may('HOLD') && !isSent && (!isRejected || kind === 'REFUND');
    case 'REJECTED':
      return may('REJECT') && !isSent && isRejected;
    case 'ASKING':
    case 'ENDED':
    case null:
      return !isSent;
  }
}

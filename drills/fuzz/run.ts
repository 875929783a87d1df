// One run: sends everything, checks each answer, and checks the results again at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type Exchange } from './connection.ts';
import { randomCase } from './cases.ts';
import { readOperations } from './document.ts';
import { createClient } from './valid-client.ts';
import { withHooks } from '../kit/database.ts';
import type { Say } from '../kit/program.ts';
import type { Hole } from './holes.ts';
import { checkAnswer } from './check-answer.ts';
import { checkMemory, type MemoryVerdict } from './memory.ts';
import { fieldOf } from './schema.ts';
import { startSlowClients } from './slow.ts';
import { startSetup, type Setup } from './setup.ts';
import { Tally } from './tally.ts';
import type { Case, Family, World } from './world.ts';

export type FuzzOptions = {
  readonly seed: number;
  readonly count: number;
  /** One request alone, by its number; null for all. */
  readonly only: number | null;
  readonly hole: Hole | null;
  /** Whether to wait until the gateway has closed slow clients. */
  readonly waitsForSlow: boolean;
  readonly keep: boolean;
  readonly say: Say;
};

export type FuzzOutcome = {
  readonly seed: number;
  readonly tally: Tally;
  readonly memory: MemoryVerdict;
  readonly slowCount: number;
  readonly complaints: readonly string[];
  readonly seconds: number;
};

/** The number of clients at once; on two cores more would only wait for each other. */
const CLIENTS = 16;
/** Longer than anything takes, even on a busy machine. */
const ANSWER_MS_MAX = 15_000;
const CONFIRM_EVERY_MS = 60_000;

export function runFuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  return withHooks(async (hooks) => {
    const setup = await startSetup(hooks, options);
    const startedAt = performance.now();
    const tally = new Tally();
    const slow = startSlowClients(setup.world);
    const confirming = setInterval(() => void setup.confirm().catch(() => undefined), CONFIRM_EVERY_MS);
    await sendAll(setup, tally, options);
    clearInterval(confirming);
    const left = options.waitsForSlow ? await slow.ended() : slow.stop();
    for (const finding of left) tally.find({ ...finding, kind: 'HANG', ...OF_NO_REQUEST });
    await lookAfterwards(setup, tally);
    return {
      seed: options.seed,
      tally,
      memory: checkMemory(setup.samples()),
      slowCount: slow.count,
      complaints: setup.complaints(),
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  });
}

const OF_NO_REQUEST = { number: 0, family: 'framing' as Family, bytes: Buffer.alloc(0) };

async function sendAll(setup: Setup, tally: Tally, options: FuzzOptions): Promise<void> {
  const operations = readOperations();
  const { seed, count, only, say } = options;
  let next = only ?? 1;
  const last = only ?? count;
  const send = async (client: Client) => {
    while (next <= last && !setup.hasEnded()) {
      const number = next;
      next += 1;
      const sent = randomCase({ seed, number }, setup.world, operations);
      const exchange = await client.send(sent);
      tally.note(sent, exchange);
      const fault = checkAnswer(sent, exchange);
      const { family, what, bytes } = sent;
      if (fault !== null) tally.find({ ...fault, number, family, what, bytes });
      if (number % Math.ceil(count / 10) === 0) say(describe(tally));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, () => send(new Client(setup.world))));
  if (setup.hasEnded())
    tally.find({ ...OF_NO_REQUEST, kind: 'SERVER_ERROR', what: 'the gateway', why: 'its process ended' });
}

function describe({ requests, counts }: Tally): string {
  const { SERVER_ERROR, HANG, WRONG_ACCEPT } = counts;
  return `${requests} requests; ${SERVER_ERROR} server errors, ${HANG} hangs, ${WRONG_ACCEPT} wrong accepts`;
}

/** A client that keeps its connection, as most do. */
class Client {
  readonly #port: number;
  #connection: Connection | null = null;

  constructor({ port }: World) {
    this.#port = port;
  }

  async send(sent: Case): Promise<Exchange> {
    if (sent.isAlone === true) return this.#sendOn(new Connection(this.#port), sent);
    const isKept = this.#connection !== null && !this.#connection.isClosed;
    this.#connection = isKept ? this.#connection : new Connection(this.#port);
    const exchange = await this.#sendOn(this.#connection ?? new Connection(this.#port), sent);
    // A kept connection may be closed while a request is sent on it; then nothing was done.
    if (isKept && exchange.end === 'CLOSED' && exchange.answers.length === 0)
      return this.#sendOn(new Connection(this.#port), { ...sent, isAlone: true });
    return exchange;
  }

  close(): void {
    this.#connection?.close();
  }

  async #sendOn(connection: Connection, sent: Case): Promise<Exchange> {
    const exchange = await connection.exchange({
      bytes: sent.bytes,
      methods: sent.methods,
      isHalfClosed: sent.isHalfClosed ?? false,
      timeoutMs: ANSWER_MS_MAX,
    });
    const isSpoilt =
      exchange.end !== 'ANSWERED' || exchange.answers.at(-1)?.headers.get('connection') === 'close';
    if (sent.isAlone === true || isSpoilt) connection.close();
    if (isSpoilt && sent.isAlone !== true) this.#connection = null;
    return exchange;
  }
}

/** A refused request may still have started something, and an accepted one must end. */
async function lookAfterwards(setup: Setup, tally: Tally): Promise<void> {
  const { world, hasEnded, listOpen } = setup;
  if (hasEnded()) return;
  await setup.liftFreezes();
  for (const what of await waitForEnds(listOpen))
    tally.find({ ...OF_NO_REQUEST, kind: 'HANG', what, why: 'accepted, and did not come to its end' });
  const client = createClient(world.port, world.token);
  const wrong = (what: string, why: string) =>
    tally.find({ ...OF_NO_REQUEST, kind: 'WRONG_ACCEPT', what, why });
  for (const { statusPath, path, untouched } of world.pages) {
    const parsed = await client.read(statusPath);
    const status = String(fieldOf(parsed, 'data', 'status') ?? fieldOf(parsed, 'status'));
    if (!untouched.includes(status)) wrong(path, `a form that must start nothing left it ${status}`);
  }
  for (const { depositId, reference } of world.waiting) {
    const status = String(fieldOf(await client.read(`/v2/deposits/${depositId}`), 'data', 'status'));
    if (!['PROCESSING', 'IN_RECONCILIATION'].includes(status))
      wrong(reference, `a notification without a signature made it ${status}`);
  }
}

/** Everything ends within seconds on an idle machine. */
const ENDS_MS_MAX = 60_000;

async function waitForEnds(listOpen: Setup['listOpen']): Promise<readonly string[]> {
  const until = performance.now() + ENDS_MS_MAX;
  for (;;) {
    const open = await listOpen();
    if (open.length === 0 || performance.now() > until) return open;
    await sleep(250);
  }
}

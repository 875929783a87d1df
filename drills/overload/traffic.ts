// Merchants who send deposits and status checks at constant rates, whatever happened before.
import { runArrivals } from '../../benchmarks/gateway/arrivals.ts';
import { Connection, requestText, type Answer } from '../../benchmarks/gateway/connection.ts';
import { depositGenerator } from '../../benchmarks/gateway/figures.ts';
import type { PreparedRequest } from '../../benchmarks/gateway/requests.ts';
import type { Setup } from '../../benchmarks/gateway/setup.ts';
import { Tally } from './tally.ts';

/** Status checks have their own connections: on a shared one they would wait for earlier requests. */
const DEPOSIT_CONNECTIONS = 64;
const STATUS_CONNECTIONS = 8;
const STATUS_PER_SECOND = 50;
/** The latest deposits are asked for. */
const READABLE_MAX = 2_000;

export class Traffic {
  readonly tally = new Tally();
  readonly accepted = new Set<string>();
  /** Shed with Retry-After: nothing may have been done with them. */
  readonly shed = new Set<string>();
  /** Other answers, by status. */
  readonly otherwise = new Map<string, number>();
  readonly #ports: readonly number[];
  readonly #generate: () => PreparedRequest;
  #readable: string[] = [];

  constructor(setup: Setup) {
    this.#ports = setup.gatewayPorts;
    this.#generate = depositGenerator(setup);
  }

  /** Until everything due in this time is answered. On new connections: idle ones may have been closed since. */
  async offer({ perSecond, ms }: { readonly perSecond: number; readonly ms: number }): Promise<void> {
    const deposits = await Connection.openAll(this.#ports, DEPOSIT_CONNECTIONS);
    const checks = await Connection.openAll(this.#ports, STATUS_CONNECTIONS);
    const span = { warmMs: 0, windowMs: ms };
    try {
      await Promise.all([
        runArrivals({ perSecond, ...span }, (since, index) => this.#deposit(pick(deposits, index), since)),
        runArrivals({ perSecond: STATUS_PER_SECOND, ...span }, (since, index) =>
          this.#check(pick(checks, index), since, index),
        ),
      ]);
    } finally {
      for (const connection of [...deposits, ...checks]) connection.close();
    }
  }

  async #deposit(connection: Connection, since: number): Promise<Record<string, number>> {
    const order = this.#generate();
    this.tally.count('offered', since);
    const answer = await connection.send(order.text);
    this.tally.time('initiationMs', since);
    if (answer.status === 200 && answer.body.includes('"ACCEPTED"')) {
      this.tally.count('accepted', since);
      this.accepted.add(order.id);
      this.#readable.push(requestText('GET', `/v2/deposits/${order.id}`, order.apiToken));
      if (this.#readable.length > 2 * READABLE_MAX) this.#readable = this.#readable.slice(-READABLE_MAX);
    } else if (isShed(answer)) {
      this.tally.count('shed', since);
      this.shed.add(order.id);
    } else this.#note(`${answer.status} to a deposit`, since);
    return {};
  }

  async #check(connection: Connection, since: number, index: number): Promise<Record<string, number>> {
    const text = this.#readable[index % this.#readable.length];
    if (text === undefined) return {};
    const answer = await connection.send(text);
    const { status, body } = answer;
    this.tally.time('statusMs', since);
    if (isShed(answer)) this.tally.count('checksShed', since);
    else if (status !== 200 || !body.includes('"FOUND"')) this.#note(`${status} to a status check`, since);
    return {};
  }

  #note(what: string, since: number): void {
    this.tally.count('otherwise', since);
    this.otherwise.set(what, (this.otherwise.get(what) ?? 0) + 1);
  }
}

/** Shed, with a time to try again. */
function isShed({ status, head }: Answer): boolean {
  return (status === 429 || status === 503) && /\r\nretry-after: [1-9]/i.test(head);
}

function pick(connections: readonly Connection[], index: number): Connection {
  const connection = connections[index % connections.length];
  if (connection === undefined) throw new Error('there are no connections');
  return connection;
}

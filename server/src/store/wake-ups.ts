// Wakes sleeping loops in other processes. One coalesced NOTIFY on a connection of its own, never inside a money
// transaction: a NOTIFY there would serialise commits. Polling stays the floor, so a lost notification costs a moment
// only.
import { Client } from 'pg';
import { CONNECT_TIMEOUT_MS } from './database.ts';

const CHANNEL = 'malipo_work';

/** At most 50 notifications a second, however many commits there are. */
const RING_INTERVAL_MS = 20;

const RECONNECT_AFTER_MS = 1_000;

export type WakeupOptions = {
  readonly url: string;
  /** Then another connection is made: no one notices that this one leads to a server that all others have left. */
  readonly lifetimeMs: number;
  readonly onRing: () => void;
  /** Of tries in a row that failed, for the first one only. */
  readonly onError: (error: unknown) => void;
};

export class WakeupNotifier {
  readonly #options: WakeupOptions;
  #client: Client | undefined;
  #isRinging = false;
  #isClosed = false;
  #isFailing = false;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(options: WakeupOptions) {
    this.#options = options;
  }

  /** Returns after the first try: if that failed, others follow until it is closed, and polling finds the work. */
  async open(): Promise<void> {
    const client = new Client({
      connectionString: this.#options.url,
      application_name: 'malipo wake-ups',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('notification', this.#options.onRing);
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      // A standby takes connections, and lets no one listen.
      void client.end();
      if (!this.#isFailing) this.#options.onError(error);
      this.#isFailing = true;
      return this.#lost(client);
    }
    if (this.#isClosed) return client.end();
    this.#client = client;
    this.#isFailing = false;
    setTimeout(() => void client.end(), this.#options.lifetimeMs).unref();
  }

  /** Tells every process that there is work. Returns at once; notifications that come close together are one. */
  notify(): void {
    if (this.#isRinging || this.#isClosed) return;
    this.#isRinging = true;
    setTimeout(() => void this.#send(), RING_INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnect);
    await this.#client?.end();
  }

  /** One at a time on the connection, which is replaced where one cannot be sent. Polling makes up for that one. */
  async #send(): Promise<void> {
    const client = this.#client;
    await client?.query(`notify ${CHANNEL}`).catch(() => client.end());
    this.#isRinging = false;
  }

  #lost(client: Client): void {
    if (this.#isClosed || (this.#client !== undefined && this.#client !== client)) return;
    this.#client = undefined;
    clearTimeout(this.#reconnect);
    this.#reconnect = setTimeout(() => void this.open(), RECONNECT_AFTER_MS);
  }
}

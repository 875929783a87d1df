// Wakes sleeping loops in other processes. One coalesced NOTIFY on a connection of its own, never inside a money
// transaction: a NOTIFY there would serialise commits. Polling stays the floor, so a lost notification costs a moment
// only.
import { Client } from 'pg';

const CHANNEL = 'malipo_work';

/** At most 50 notifications a second, however many commits there are. */
const RING_INTERVAL_MS = 20;

const RECONNECT_AFTER_MS = 1_000;

export class WakeupNotifier {
  readonly #url: string;
  readonly #onRing: () => void;
  #client: Client | undefined;
  #isRinging = false;
  #isClosed = false;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(options: { readonly url: string; readonly onRing: () => void }) {
    this.#url = options.url;
    this.#onRing = options.onRing;
  }

  async open(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'malipo wake-ups',
      keepAlive: true,
    });
    client.on('notification', this.#onRing);
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    if (this.#isClosed) await client.end();
    else this.#client = client;
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

  /** One at a time on the connection. A notification that cannot be sent is made up for by polling. */
  async #send(): Promise<void> {
    await this.#client?.query(`notify ${CHANNEL}`).catch(() => undefined);
    this.#isRinging = false;
  }

  #lost(client: Client): void {
    if (this.#isClosed || (this.#client !== undefined && this.#client !== client)) return;
    this.#client = undefined;
    clearTimeout(this.#reconnect);
    this.#reconnect = setTimeout(() => {
      this.open().catch(() => this.#lost(client));
    }, RECONNECT_AFTER_MS);
  }
}

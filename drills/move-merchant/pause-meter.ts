// A client that never stops: a deposit every few hundredths of a second, each sent again until somebody says what
// was the outcome of it. The longest time in which none was accepted is what a merchant notices of a move.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Acknowledged, Merchant } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { drawDeposit, type Request } from '../kit/load/requests.ts';
import type { Random } from '../kit/random.ts';

const EVERY_MS = 50;
const TIMEOUT_MS = 8_000;
const SEND_AGAIN_AFTER_MS = 100;

export class PauseMeter {
  readonly acknowledged: Acknowledged[] = [];
  readonly #options: { readonly apiUrl: string; readonly merchant: Merchant; readonly random: Random };
  readonly #acceptedAt: number[] = [];
  readonly #agent = new Agent({ connections: 128 });
  readonly #inProgress = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: { apiUrl: string; merchant: Merchant; random: Random }) {
    this.#options = options;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const work = this.#send(drawDeposit(this.#options.random, MARKETS));
      const tracked = work.finally(() => this.#inProgress.delete(tracked));
      this.#inProgress.add(tracked);
      await sleep(EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#inProgress);
    await this.#agent.close();
  }

  /** Between two times, by this process's clock: how long each was and when it ended, the longest first. */
  pausesMs(from: number, until: number): readonly { readonly ms: number; readonly endedAt: number }[] {
    const times = [from, ...this.#acceptedAt.filter((at) => at > from && at < until), until].toSorted(
      (a, b) => a - b,
    );
    return times
      .map((at, index) => ({ ms: Math.round(at - (times[index - 1] ?? at)), endedAt: at }))
      .toSorted((a, b) => b.ms - a.ms);
  }

  async #send(wanted: Request): Promise<void> {
    for (;;) {
      const status = await this.#ask(wanted);
      if (status === 'ACCEPTED' || status === 'DUPLICATE_IGNORED') {
        this.#acceptedAt.push(performance.now());
        const { kind, apiVersion, ids } = wanted;
        const { merchantId } = this.#options.merchant;
        this.acknowledged.push(...ids.map((id) => ({ merchantId, kind, apiVersion, id })));
        return;
      }
      if (status !== null || this.#isStopped) return;
      await sleep(SEND_AGAIN_AFTER_MS);
    }
  }

  /** Null when nothing is known. */
  async #ask({ path, body }: Request): Promise<string | null> {
    const { apiUrl, merchant } = this.#options;
    try {
      const response = await request(`${apiUrl}${path}`, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.apiToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = (await response.body.json()) as { readonly status?: string };
      return response.statusCode < 500 ? (answer.status ?? `${response.statusCode}`) : null;
    } catch {
      return null;
    }
  }
}

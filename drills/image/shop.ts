// A merchant that uses the SDK: it starts deposits, and believes only callbacks whose signature is right.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallbackVerifier } from '../../sdk/src/callbacks.ts';
import { Malipo } from '../../sdk/src/malipo.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { apiCaller, callAccepted } from '../kit/api.ts';

const PAYER = {
  type: 'MMO',
  accountDetails: { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA' },
} as const;

const PAID_WITHIN_MS = 60_000;

export class Shop {
  readonly #paid = new Set<string>();
  readonly #refused: string[] = [];
  #malipo: Malipo | null = null;
  #verifier: CallbackVerifier | null = null;
  #merchantId = '';
  #baseUrl = '';
  #token = '';
  #origin = '';

  static async open(hooks: ShutdownHooks): Promise<Shop> {
    const shop = new Shop();
    const server = createServer((request, response) => {
      void shop.#receive(request).then(
        (status) => response.writeHead(status).end(),
        (error: unknown) => {
          shop.#refused.push(String(error));
          response.writeHead(503).end();
        },
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    hooks.add(async () => {
      server.closeAllConnections();
      server.close();
    });
    shop.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return shop;
  }

  get callbackUrl(): string {
    return `${this.#origin}/callbacks`;
  }

  /** Before it can verify callbacks: they name the merchant they are for. */
  register(merchantId: string): void {
    this.#merchantId = merchantId;
  }

  /** From now on it uses this gateway. */
  connect(baseUrl: string, token: string): void {
    this.#baseUrl = baseUrl;
    this.#token = token;
    const malipo = new Malipo({ baseUrl, token });
    this.#malipo = malipo;
    const merchantId = this.#merchantId;
    this.#verifier = new CallbackVerifier({ merchantId, readKeys: () => malipo.publicKeys.list() });
  }

  /** Returns the identifier of an accepted deposit. */
  async startDeposit(): Promise<string> {
    const started = await this.#malipo?.deposits.create({ amount: '100', currency: 'RWF', payer: PAYER });
    if (started?.outcome !== 'accepted') throw new Error(`a deposit was answered ${JSON.stringify(started)}`);
    return started.id;
  }

  /** The same in one attempt: the SDK would try again where it is safe. */
  async tryDeposit(): Promise<string> {
    const depositId = randomUUID();
    const body = { depositId, amount: '100', currency: 'RWF', payer: PAYER };
    await callAccepted(apiCaller(this.#baseUrl, this.#token), '/v2/deposits', body);
    return depositId;
  }

  /** Waits for the signed callback of each. */
  async waitUntilPaid(deposits: readonly string[]): Promise<void> {
    const deadline = Date.now() + PAID_WITHIN_MS;
    while (deposits.some((id) => !this.#paid.has(id))) {
      if (this.#refused.length > 0) throw new Error(`a callback was refused: ${this.#refused[0]}`);
      if (Date.now() > deadline) {
        const late = deposits.filter((id) => !this.#paid.has(id));
        throw new Error(`${late.length} of ${deposits.length} deposits were not announced: ${late[0]}`);
      }
      await sleep(100);
    }
  }

  async #receive(request: IncomingMessage): Promise<number> {
    const body = Buffer.concat(await request.toArray());
    const url = `${this.#origin}${request.url}`;
    const callback = await this.#verifier?.verify({ url, headers: request.headers, body });
    if (callback?.verified !== true) this.#refused.push(JSON.stringify(callback));
    else if (callback.kind === 'deposit' && callback.payment.paid) this.#paid.add(callback.id);
    return callback?.verified === true ? 200 : 401;
  }
}

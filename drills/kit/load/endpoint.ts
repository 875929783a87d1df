// A merchant's callback endpoint, which sometimes fails. It remembers what it acknowledged: only that counts as
// announced, not what the gateway believes.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../../server/src/commands/serve/shutdown-hooks.ts';
import type { ApiVersion } from '../../../server/src/domain/payments/payment.ts';
import { apiVersionOf } from './api-versions.ts';

export type BadMode = 'ERROR' | 'HANG' | 'REFUSE' | 'SLOW' | 'FLICKER';
export type EndpointMode = 'GOOD' | BadMode;

/** Longer than the gateway waits in a chaos run. */
const SLOW_MS = 1_200;

export class Endpoint {
  readonly #server: Server;
  #port = 0;
  #mode: EndpointMode = 'GOOD';
  #received = 0;
  /** The last acknowledged status of each payment, by "kind id", and its API version. */
  readonly #acknowledged = new Map<string, { readonly status: string; readonly apiVersion: ApiVersion }>();
  readonly #completedDeposits: ((depositId: string) => void)[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => void this.#answer(Buffer.concat(chunks).toString(), response));
    });
  }

  static async start(hooks: ShutdownHooks): Promise<Endpoint> {
    const endpoint = new Endpoint();
    await endpoint.open();
    hooks.add(() => endpoint.close());
    return endpoint;
  }

  /** Called for each deposit that was announced as COMPLETED: it can be refunded. */
  onCompletedDeposit(note: (depositId: string) => void): void {
    this.#completedDeposits.push(note);
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/callbacks`;
  }

  get receivedCount(): number {
    return this.#received;
  }

  acknowledgedStatus(kind: string, id: string): string | undefined {
    return this.#acknowledged.get(`${kind} ${id}`)?.status;
  }

  acknowledgedApiVersion(kind: string, id: string): ApiVersion | undefined {
    return this.#acknowledged.get(`${kind} ${id}`)?.apiVersion;
  }

  async change(mode: EndpointMode): Promise<void> {
    if (this.#mode === 'REFUSE' && mode !== 'REFUSE') await this.open();
    if (this.#mode !== 'REFUSE' && mode === 'REFUSE') await this.close();
    this.#mode = mode;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(text: string, response: ServerResponse): Promise<void> {
    this.#received += 1;
    switch (this.#mode) {
      case 'HANG':
      case 'REFUSE':
        return;
      case 'ERROR':
        response.writeHead(503).end();
        return;
      case 'FLICKER':
        if (this.#received % 2 === 0) {
          response.destroy();
          return;
        }
        break;
      case 'SLOW':
        await sleep(SLOW_MS);
        break;
      case 'GOOD':
        break;
    }
    if (response.destroyed) return;
    this.#remember(JSON.parse(text) as Record<string, unknown>);
    response.writeHead(200).end();
  }

  #remember(record: Record<string, unknown>): void {
    const kind = kindOf(record);
    const { status } = record;
    if (kind === null || typeof status !== 'string') return;
    const id = String(record[`${NOUNS[kind]}Id`]);
    this.#acknowledged.set(`${kind} ${id}`, { status, apiVersion: apiVersionOf(record) });
    if (kind !== 'DEPOSIT' || status !== 'COMPLETED') return;
    for (const note of this.#completedDeposits) note(id);
  }
}

/** The identifier field of each kind. A refund also contains its deposit's, so its own is checked first. */
export const NOUNS = {
  SPLIT_PAYMENT: 'splitPayment',
  REFUND: 'refund',
  REMITTANCE: 'remittance',
  PAYOUT: 'payout',
  DEPOSIT: 'deposit',
} as const;

export type Kind = keyof typeof NOUNS;

function kindOf(record: Record<string, unknown>): Kind | null {
  const kinds = Object.keys(NOUNS) as Kind[];
  return kinds.find((kind) => `${NOUNS[kind]}Id` in record) ?? null;
}

// Forwards requests to other cells and returns their answers. It must not interpret or change either.
import { Agent, request } from 'undici';
import { HOPS_HEADER, readHops, renderHops, type HopKeys } from './hops.ts';

/** A cell's addresses for other cells. */
export type CellAddress = { readonly id: string; readonly urls: readonly string[] };

/** A request as it was received. */
export type ForwardedRequest = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** How many cells have forwarded it before. */
  readonly hops: number;
};

export type ForwardAnswer =
  | {
      readonly type: 'ANSWERED';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[]>>;
      readonly body: Buffer;
    }
  /** The other cell never received it. */
  | { readonly type: 'NOT_SENT' }
  /** The outcome is unknown. */
  | { readonly type: 'UNKNOWN' };

/** Headers of one connection, not of the message. Lengths are computed again; the body is the same. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'content-length',
  HOPS_HEADER,
]);

/** Longer than a request waits while its merchant moves. */
const ANSWERS_WITHIN_MS = 15_000;

/** Errors before any byte of the request is sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

export class Forwarder {
  readonly #cells: ReadonlyMap<string, readonly string[]>;
  readonly #own: string;
  readonly #keys: HopKeys;
  readonly #agent = new Agent({
    connections: 64,
    keepAliveTimeout: 4_000,
    connect: { timeout: 2_000 },
    headersTimeout: ANSWERS_WITHIN_MS,
    bodyTimeout: ANSWERS_WITHIN_MS,
  });
  #turn = 0;

  /** `keys` are the same in all cells. */
  constructor(options: {
    readonly own: string;
    readonly cells: readonly CellAddress[];
    readonly keys: HopKeys;
  }) {
    this.#own = options.own;
    this.#keys = options.keys;
    this.#cells = new Map(options.cells.map(({ id, urls }) => [id, urls]));
  }

  /** Whether there is another cell with this name. */
  knows(cell: string): boolean {
    return cell !== this.#own && this.#cells.has(cell);
  }

  hasOthers(): boolean {
    return this.#cells.size > 1;
  }

  /** How many cells have forwarded a request before it came here. */
  hopsOf(received: { readonly method: string; readonly path: string; readonly header: string | undefined }) {
    return readHops(this.#keys, received.header, received);
  }

  /** Tries each address until one accepts. A request that passed all cells is not forwarded again. */
  async forward(cell: string, forwarded: ForwardedRequest): Promise<ForwardAnswer> {
    const urls = this.#cells.get(cell) ?? [];
    if (forwarded.hops > this.#cells.size) return { type: 'NOT_SENT' };
    this.#turn += 1;
    for (let tried = 0; tried < urls.length; tried += 1) {
      const answer = await this.#send(urls[(this.#turn + tried) % urls.length] ?? '', forwarded);
      if (answer.type !== 'NOT_SENT') return answer;
    }
    return { type: 'NOT_SENT' };
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #send(url: string, forwarded: ForwardedRequest): Promise<ForwardAnswer> {
    const { method, path, body, hops } = forwarded;
    try {
      const answer = await request(`${url}${path}`, {
        dispatcher: this.#agent,
        method: method as 'POST',
        headers: [...headersOf(forwarded), HOPS_HEADER, renderHops(this.#keys, hops + 1, forwarded)],
        body: body.length === 0 ? null : body,
      });
      return {
        type: 'ANSWERED',
        status: answer.statusCode,
        headers: withoutConnection(answer.headers),
        body: Buffer.from(await answer.body.arrayBuffer()),
      };
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      return { type: NEVER_SENT.includes(code) ? 'NOT_SENT' : 'UNKNOWN' };
    }
  }
}

/** Includes the Host header: signatures cover it. */
function headersOf({ rawHeaders }: ForwardedRequest): string[] {
  return rawHeaders.filter((_text, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !OF_THE_CONNECTION.has(name.toLowerCase());
  });
}

function withoutConnection(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, value] as const],
    ),
  );
}

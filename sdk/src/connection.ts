// One request and its result. Only a complete answer of the gateway counts; everything else is unclear, and the caller
// must find out what the request did.
import { MalipoError } from './malipo-error.ts';
import { createRequestSigner, type RequestSigner, type SigningOptions } from './request-signer.ts';

export type ConnectionOptions = {
  readonly baseUrl: string;
  readonly token: string;
  readonly signing: SigningOptions | undefined;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
};

export type Answered = {
  readonly type: 'answered';
  readonly status: number;
  readonly body: object;
  /** Where the documentation explains the answer. */
  readonly help?: string | undefined;
};

/** It is unknown whether the gateway did anything. */
export type Unclear = {
  readonly type: 'unclear';
  readonly cause: MalipoError;
  /** How long the gateway asks to wait. */
  readonly retryAfterMs: number | undefined;
};

/** The gateway did nothing, because of too many requests. */
export type Throttled = Omit<Unclear, 'type'> & { readonly type: 'throttled' };

export type Trouble = Unclear | Throttled;

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Whether it starts a payment or opens a payment page: only such requests are signed. */
  readonly isInitiation?: boolean;
  /** How long the gateway may wait before it answers. The time-out begins after that. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
};

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #sign: RequestSigner | null;

  constructor(options: ConnectionOptions) {
    requireUsable(options);
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
    this.#sign = options.signing === undefined ? null : createRequestSigner(options.signing);
  }

  async send(call: Call): Promise<Answered | Trouble> {
    const { fetch: send } = this.#options;
    const timeoutMs = this.#options.timeoutMs + (call.waitMs ?? 0);
    call.signal?.throwIfAborted();
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]);
    const [url, init] = await this.#prepare(call);
    try {
      // Not followed: that would send token and request to another host.
      const response = await send(url, { ...init, signal, redirect: 'manual' });
      return await readAnswer(response);
    } catch (error) {
      call.signal?.throwIfAborted();
      return unclear(limit.aborted ? noAnswer(timeoutMs, error) : noConnection(error));
    }
  }

  async #prepare({ method, path, body, isInitiation = false }: Call): Promise<[string, RequestInit]> {
    const { baseUrl, token } = this.#options;
    const url = `${baseUrl}${path}`;
    const authorization = `Bearer ${token}`;
    if (body === undefined) return [url, { method, headers: { authorization } }];
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json' };
    const signature = isInitiation && this.#sign !== null ? await this.#sign({ url, headers, text }) : {};
    return [url, { method, headers: { ...headers, ...signature, authorization }, body: text }];
  }
}

/** `fetch` would refuse it at every attempt, so it is not a network problem. */
function requireUsable({ baseUrl, token }: ConnectionOptions): void {
  const isAddress = /^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '');
  if (!isAddress) {
    const whatToDo = 'Pass the URL of the gateway, with https:// or http:// and without /v2.';
    throw new MalipoError({ code: 'MISUSE', message: 'baseUrl is not a URL.', whatToDo });
  }
  // Programs without types pass undefined when a variable of the environment is not set.
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return;
  const message = token ? 'The token has invalid characters.' : 'There is no token.';
  const whatToDo = 'Pass the API token as it was issued, without spaces or line breaks.';
  throw new MalipoError({ code: 'MISUSE', message, whatToDo });
}

async function readAnswer(response: Response): Promise<Answered | Trouble> {
  const { status } = response;
  const text = await response.text();
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  if (status === 429) return { type: 'throttled', cause: tooOften(status), retryAfterMs };
  if (status >= 500) return unclear(gatewayFailed(status), retryAfterMs);
  const body = parseObject(text);
  if (body === null) return unclear(unreadable(status));
  return { type: 'answered', status, body, help: readHelp(response) };
}

export function unclear(cause: MalipoError, retryAfterMs?: number): Unclear {
  return { type: 'unclear', cause, retryAfterMs };
}

/** The link that the gateway sends with a failure (RFC 8288). */
function readHelp({ headers, url }: Response): string | undefined {
  const target = /^<([^>]*)>; rel="help"/.exec(headers.get('link') ?? '')?.[1];
  return target !== undefined && URL.canParse(target, url) ? new URL(target, url).href : undefined;
}

/** Seconds or a date, as RFC 9110 has it. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const ASK_LATER = 'Check the status later, or retry with the same identifier; never with a new one.';

/** For what is left of a list. */
export function interrupted(cause: unknown): MalipoError {
  const message = 'Something failed in the middle of the list, such as the journal.';
  return new MalipoError({
    code: 'INTERRUPTED',
    message,
    whatToDo: `Fix the cause. ${ASK_LATER}`,
    cause,
  });
}

function noConnection(cause: unknown): MalipoError {
  const message = 'The connection to the gateway failed before an answer arrived.';
  return new MalipoError({
    code: 'NETWORK',
    message,
    whatToDo: `Check baseUrl and the network. ${ASK_LATER}`,
    cause,
  });
}

function noAnswer(timeoutMs: number, cause: unknown): MalipoError {
  const message = `The gateway did not answer within ${timeoutMs} ms.`;
  return new MalipoError({ code: 'TIMEOUT', message, whatToDo: ASK_LATER, cause });
}

function gatewayFailed(status: number): MalipoError {
  const message = `The gateway or a proxy answered HTTP ${status}.`;
  return new MalipoError({ code: 'UNAVAILABLE', message, whatToDo: ASK_LATER, status });
}

function tooOften(status: number): MalipoError {
  const whatToDo = 'Send fewer requests at a time.';
  return new MalipoError({
    code: 'RATE_LIMITED',
    message: 'Too many requests.',
    whatToDo,
    status,
  });
}

export function unreadable(status: number): MalipoError {
  const message = `The answer with HTTP ${status} is not from the gateway.`;
  const whatToDo = `Check that baseUrl is the URL of the gateway, without /v2. ${ASK_LATER}`;
  return new MalipoError({ code: 'UNREADABLE_ANSWER', message, whatToDo, status });
}

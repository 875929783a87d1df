// Verifies callbacks: that they come from the gateway, complete and recent. Everything else is in the record.
import { bytesOf, type Bytes } from './base64.ts';
import type { PublicKeys } from './api.ts';
import { readCallback, type CallbackContent } from './callback-content.ts';
import { readReceivedSignature, verifySignature, type SignatureRule } from './received-signature.ts';

/** A callback as received. */
export type ReceivedCallback = {
  /** Default: POST. */
  readonly method?: string;
  /** The complete public address it was sent to. Behind a proxy this differs from the Host header. */
  readonly url: string;
  /** `request.headers` of Node, or the `Headers` of a web framework. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes or the text as received; not JSON that was parsed and serialised again. */
  readonly body: Uint8Array | string;
};

/** `kind` is the kind of `payment`. `eventId` is the same for every attempt of one announcement. */
export type VerifiedCallback = {
  readonly verified: true;
  /** From the Malipo-Event-Id header, which is not signed: use it only to recognise repeats. */
  readonly eventId: string | null;
} & CallbackContent;

/** Do not act on it. Answer 401, and the gateway tries again. */
export type RefusedCallback = {
  readonly verified: false;
  /** The first rule that is broken. */
  readonly rule: SignatureRule;
  readonly cause: string;
};

export type VerifyOptions = {
  /** The result of `malipo.publicKeys.list()`. */
  readonly keys: PublicKeys;
  /** When it was received; default: now. Set it to verify a stored callback again. */
  readonly now?: Date;
  /** The maximum age of a signature; default: five minutes. Every attempt is signed again. */
  readonly ageMaxSeconds?: number;
  /**
   * Your merchant ID, which the dashboard shows under Callback addresses. Without it a genuine callback about another
   * merchant's payment is accepted too.
   */
  readonly merchantId?: string;
};

const AGE_MAX_SECONDS = 300;

/**
 * Verifies one callback with keys that you have. A server that receives callbacks uses `CallbackVerifier`, which
 * keeps the keys.
 *
 * @example
 * ```ts
 * import { verifyCallback } from '@malipo/sdk/callbacks';
 * import { signedCallback } from '@malipo/sdk/testing';
 *
 * const merchantId = crypto.randomUUID();
 * const { request, keys } = await signedCallback({
 *   merchantId,
 *   url: 'https://shop.example/callbacks',
 *   payment: { depositId: crypto.randomUUID(), status: 'COMPLETED', amount: '100', currency: 'RWF' },
 * });
 * const callback = await verifyCallback(request, { keys, merchantId });
 * if (callback.verified && callback.kind === 'deposit') console.log(callback.payment.status); // COMPLETED
 *
 * const changed = { ...request, body: request.body.replace('100', '900') };
 * const forged = await verifyCallback(changed, { keys, merchantId });
 * if (!forged.verified) console.log(forged.rule); // DIGEST
 * ```
 */
export async function verifyCallback(
  received: ReceivedCallback,
  { keys, now = new Date(), ageMaxSeconds = AGE_MAX_SECONDS, merchantId }: VerifyOptions,
): Promise<VerifiedCallback | RefusedCallback> {
  const body = typeof received.body === 'string' ? bytesOf(received.body) : copy(received.body);
  const headers = readHeaders(received.headers);
  const request = { method: received.method ?? 'POST', url: received.url, headers, body };
  const fault = await verifySignature(request, { keys, now, ageMaxSeconds, merchantId });
  if (fault !== null) return { verified: false, ...fault };
  return { verified: true, eventId: headers.get('malipo-event-id') ?? null, ...readCallback(body) };
}

export type CallbackVerifierOptions = {
  /** Usually `() => malipo.publicKeys.list()`. */
  readonly readKeys: () => Promise<PublicKeys>;
  /**
   * Your merchant ID, which the dashboard shows under Callback addresses. Without it a genuine callback about another
   * merchant's payment is accepted too.
   */
  readonly merchantId?: string;
  readonly ageMaxSeconds?: number;
  /** The minimum time between two reads of the keys because of an unknown key; default: ten seconds. */
  readonly rereadAfterMs?: number;
  /** The time; default: this machine's. The clock of a sandbox may have been moved. */
  readonly clock?: () => Date | Promise<Date>;
};

const DAY_MS = 86_400_000;
const REREAD_AFTER_MS = 10_000;
/** After a failed read, the next callback may try soon. */
const RETRY_AFTER_MS = 500;

/**
 * Verifies callbacks and keeps the keys: it reads them when it meets a key it does not know, once a day, and not
 * for every stranger's request. `verify` throws a `MalipoError` when the keys cannot be read: answer 503, and the
 * gateway tries again.
 *
 * @example
 * ```ts
 * import { Malipo } from '@malipo/sdk';
 * import { CallbackVerifier } from '@malipo/sdk/callbacks';
 * import { createServer } from 'node:http';
 *
 * const { BASE = '', TOKEN = '', RECEIVER = 'http://127.0.0.1:9000' } = process.env;
 * const merchantId = process.env['MALIPO_MERCHANT_ID'] ?? '';
 * const malipo = new Malipo({ baseUrl: BASE, token: TOKEN });
 * const verifier = new CallbackVerifier({ merchantId, readKeys: () => malipo.publicKeys.list() });
 *
 * const server = createServer(async (request, response) => {
 *   const body = Buffer.concat(await request.toArray());
 *   const callback = await verifier.verify({ url: `${RECEIVER}${request.url}`, headers: request.headers, body });
 *   if (callback.verified && callback.kind === 'deposit' && callback.payment.paid) console.log('paid', callback.id);
 *   response.writeHead(callback.verified ? 200 : 401).end();
 * });
 * server.listen(Number(new URL(RECEIVER).port));
 * ```
 */
export class CallbackVerifier {
  readonly #options: CallbackVerifierOptions;
  #keys: PublicKeys = [];
  #readAtMs = -Infinity;
  #waitUntilMs = -Infinity;
  #failure: unknown;
  #reading: Promise<void> | undefined;

  constructor(options: CallbackVerifierOptions) {
    this.#options = options;
  }

  async verify(received: ReceivedCallback): Promise<VerifiedCallback | RefusedCallback> {
    const signature = readReceivedSignature(readHeaders(received.headers));
    const keyId = 'rule' in signature ? undefined : signature.parameters.get('keyid');
    if (typeof keyId === 'string') await this.#meet(keyId);
    const { ageMaxSeconds, clock, merchantId } = this.#options;
    return verifyCallback(received, {
      keys: this.#keys,
      ...(clock !== undefined && { now: await clock() }),
      ...(ageMaxSeconds !== undefined && { ageMaxSeconds }),
      ...(merchantId !== undefined && { merchantId }),
    });
  }

  /**
   * Callbacks that arrive while the keys are being read wait for them. Keys that are no longer published are dropped.
   */
  async #meet(keyId: string): Promise<void> {
    const isKnown = this.#keys.some(({ id }) => id === keyId);
    const nowMs = performance.now();
    if (isKnown && nowMs - this.#readAtMs < DAY_MS) return;
    if (nowMs >= this.#waitUntilMs) {
      this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
      await this.#reading;
    }
    // A key that was valid a day ago probably still is; an unknown key may be anything.
    if (!isKnown && this.#failure !== undefined) throw this.#failure;
  }

  async #read(): Promise<void> {
    try {
      this.#keys = await this.#options.readKeys();
      this.#readAtMs = performance.now();
      this.#failure = undefined;
      this.#waitUntilMs = this.#readAtMs + (this.#options.rereadAfterMs ?? REREAD_AFTER_MS);
    } catch (error) {
      this.#failure = error;
      this.#waitUntilMs = performance.now() + RETRY_AFTER_MS;
    }
  }
}

function readHeaders(headers: ReceivedCallback['headers']): ReadonlyMap<string, string> {
  const entries: (readonly [string, string | readonly string[] | undefined])[] =
    headers instanceof Headers ? [...headers] : Object.entries(headers);
  return new Map(
    entries.flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')] as const],
    ),
  );
}

/** WebCrypto needs bytes in their own memory; a Buffer may be in shared memory. */
function copy(bytes: Uint8Array): Bytes {
  return new Uint8Array(bytes);
}

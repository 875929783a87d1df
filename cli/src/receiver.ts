// A local receiver of callbacks: verifies what arrives, forwards it, and answers.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { CallbackVerifier } from '@malipo/sdk/callbacks';

/** A received callback and its result. */
export type Receipt = {
  readonly receivedAt: string;
  readonly verified: boolean;
  /** Why it is not genuine; empty if it is. */
  readonly cause: string;
  readonly kind: string;
  /** Null if it is not a payment of API v2. */
  readonly id: string | null;
  readonly status: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly forwardedTo: string | null;
  /** The HTTP status returned to the gateway. */
  readonly answered: number;
};

export type ReceiverOptions = {
  readonly port: number;
  /** The receiver's public address, if different from its own. */
  readonly publicUrl: string | null;
  readonly forwardUrl: string | null;
  readonly verifier: Pick<CallbackVerifier, 'verify'>;
  readonly onReceipt: (receipt: Receipt) => void;
};

export type RunningReceiver = { readonly url: string; readonly stop: () => Promise<void> };

export async function startReceiver(options: ReceiverOptions): Promise<RunningReceiver> {
  let url = '';
  const server = createServer((request, response) => {
    void receive({ ...options, publicUrl: url }, request, response);
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port, '127.0.0.1', resolve);
  await listening;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  url = options.publicUrl ?? `http://127.0.0.1:${port}/`;
  return {
    url,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Receiving = ReceiverOptions & { readonly publicUrl: string };

async function receive(
  options: Receiving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(request);
  const { headers, method = 'POST' } = request;
  const checked = await check(options, { url: options.publicUrl, method, headers, body });
  const { refusal, ...verdict } = checked;
  const answered = refusal ?? (await handOn(options, headers, body));
  response.writeHead(answered).end();
  const forwardedTo = checked.verified ? options.forwardUrl : null;
  options.onReceipt({
    receivedAt: new Date().toISOString(),
    ...verdict,
    headers,
    body: readJson(body),
    forwardedTo,
    answered,
  });
}

/** `refusal` is the HTTP status for a callback that is not genuine. */
type Checked = Pick<Receipt, 'verified' | 'cause' | 'kind' | 'id' | 'status'> & {
  readonly refusal: number | null;
};

async function check(
  { verifier }: Receiving,
  received: Parameters<CallbackVerifier['verify']>[0],
): Promise<Checked> {
  const unknown = { verified: false, kind: '', id: null, status: '' };
  try {
    const verdict = await verifier.verify(received);
    if (!verdict.verified) return { ...unknown, cause: verdict.cause, refusal: 401 };
    const { kind, id, payment } = verdict;
    return { verified: true, cause: '', kind, id, status: statusOf(payment), refusal: null };
  } catch (error) {
    // The keys could not be read: the callback cannot be verified, and the gateway should send it again.
    const cause = error instanceof Error ? error.message : 'it could not be verified';
    return { ...unknown, cause, refusal: 503 };
  }
}

function statusOf({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? status : '';
}

/** Headers of one connection, not of the message. */
const OF_THE_CONNECTION = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
];

/** The status to answer with: that of the forwarded server; without an answer 502, so that it is sent again. */
async function handOn(
  { forwardUrl }: Receiving,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<number> {
  if (forwardUrl === null) return 200;
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  try {
    const answer = await fetch(forwardUrl, {
      method: 'POST',
      headers: kept.map(([name, value]) => [name, String(value)] as [string, string]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 502;
  }
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return body.toString();
  }
}

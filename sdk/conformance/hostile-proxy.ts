// A proxy to the gateway that does what networks and other proxies do at the worst moments: byte by byte over TCP, and
// not as a mock would.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Fault =
  /** The line goes dead after so many bytes of the request, or of the answer, have passed. */
  | { readonly type: 'cut'; readonly of: 'request' | 'answer'; readonly afterBytes: number }
  /** The same after a part of it, from 0 to 1. */
  | { readonly type: 'cut'; readonly of: 'request' | 'answer'; readonly afterShare: number }
  /** The request reaches the gateway late, or its answer reaches the client late. */
  | { readonly type: 'delay'; readonly of: 'request' | 'answer'; readonly ms: number }
  /** The proxy answers by itself, after the gateway has the request or without it. */
  | ({ readonly type: 'instead'; readonly isForwarded: boolean } & OwnAnswer)
  /** The gateway gets the request twice, and the client gets the second answer. */
  | { readonly type: 'repeat' };

type OwnAnswer = {
  readonly status: number;
  readonly body?: string;
  readonly location?: string;
  readonly retryAfter?: string;
};

export type HostileProxy = {
  /** The gateway, reached through the proxy. */
  readonly url: string;
  /** How many exchanges were disturbed so far. */
  readonly faultCount: () => number;
  /** Ends when requests that are held back have reached the gateway, too. */
  readonly stop: () => Promise<void>;
};

/** `plan` is asked once for each exchange, a request with its answer. Null lets it pass. */
export async function startHostileProxy(gatewayUrl: string, plan: () => Fault | null): Promise<HostileProxy> {
  const { hostname, port } = new URL(gatewayUrl);
  const sockets = new Set<Socket>();
  const heldBack: Promise<unknown>[] = [];
  let faults = 0;
  const countFault = () => (faults += 1);
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const open = () => keep(connect(Number(port), hostname));
    carry({ client: keep(client), upstream: open(), open, plan, countFault, heldBack });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faultCount: () => faults,
    stop: async () => {
      await Promise.all(heldBack);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Line = {
  readonly client: Socket;
  readonly upstream: Socket;
  /** A further connection to the gateway. */
  readonly open: () => Socket;
  readonly plan: () => Fault | null;
  readonly countFault: () => void;
  readonly heldBack: Promise<unknown>[];
};

type Exchange = { readonly fault: Fault | null; request: Buffer; answeredBytes: number; cutAfter?: number };

function carry(line: Line): void {
  const { client, upstream, plan } = line;
  let exchange: Exchange | null = null;
  client.on('data', (chunk) => {
    // The first bytes of a request after those of an answer begin a new exchange.
    if (exchange === null || exchange.answeredBytes > 0) {
      exchange = { fault: plan(), request: Buffer.alloc(0), answeredBytes: 0 };
    }
    exchange.request = Buffer.concat([exchange.request, chunk]);
    if (isComplete(exchange.request)) passRequest(line, exchange);
  });
  upstream.on('data', (chunk) => exchange !== null && passAnswer(line, exchange, chunk));
  // A request that is held back is delivered although its client has gone.
  const isHeldBack = () => exchange?.fault?.type === 'delay' && exchange.fault.of === 'request';
  client.on('close', () => isHeldBack() || upstream.end());
  upstream.on('close', () => client.end());
}

function passRequest(line: Line, { fault, request }: Exchange): void {
  const { client, upstream, open, countFault, heldBack } = line;
  const isOfRequest = fault !== null && !('of' in fault && fault.of === 'answer');
  // A delay counts from here: of a slow answer the client may not wait for the beginning.
  if (isOfRequest || fault?.type === 'delay') countFault();
  if (!isOfRequest || (fault.type === 'instead' && fault.isForwarded)) return void upstream.write(request);
  switch (fault.type) {
    case 'cut':
      client.destroy();
      // What has passed arrives; then the line is dead in both directions.
      return void upstream.end(request.subarray(0, bytesBefore(fault, request)));
    case 'delay':
      heldBack.push(once(upstream, 'close'));
      return void setTimeout(() => upstream.end(request), fault.ms);
    case 'instead':
      return void client.end(render(fault));
    case 'repeat': {
      const first = open();
      first.once('data', () => upstream.write(request)).write(request);
    }
  }
}

function passAnswer({ client, upstream, countFault }: Line, exchange: Exchange, chunk: Buffer): void {
  const { fault, answeredBytes } = exchange;
  exchange.answeredBytes += chunk.length;
  if (fault?.type === 'instead') {
    if (answeredBytes === 0) client.end(render(fault));
  } else if (fault?.type === 'delay' && fault.of === 'answer') {
    setTimeout(() => client.destroyed || client.write(chunk), fault.ms);
  } else if (fault?.type === 'cut') {
    // The first bytes have the head, which says how long the answer is.
    const cutAfter = (exchange.cutAfter ??= bytesBefore(fault, chunk));
    if (exchange.answeredBytes <= cutAfter) return void client.write(chunk);
    if (answeredBytes > cutAfter) return;
    countFault();
    upstream.destroy();
    client.end(chunk.subarray(0, cutAfter - answeredBytes));
  } else {
    client.write(chunk);
  }
}

function bytesBefore(fault: Fault & { readonly type: 'cut' }, message: Buffer): number {
  return 'afterBytes' in fault ? fault.afterBytes : Math.floor(fault.afterShare * (lengthOf(message) ?? 0));
}

function isComplete(request: Buffer): boolean {
  const length = lengthOf(request);
  return length !== null && request.length >= length;
}

/** Of a message whose head is there, by its Content-Length. */
function lengthOf(message: Buffer): number | null {
  const headEnd = message.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(message.toString('latin1', 0, headEnd)) ?? [];
  return headEnd + 4 + Number(length);
}

function render({ status, body = '', location, retryAfter }: OwnAnswer): string {
  const headers = {
    'content-length': `${body.length}`,
    connection: 'close',
    location,
    'retry-after': retryAfter,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} Hostile`, ...lines, '', body].join('\r\n');
}

// The server of the demo's merchants, which gets their callbacks. It stays as long as the sandbox, so that later
// payments are acknowledged too.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../sandbox/fakes/listen.ts';
import type { Random } from './random.ts';

export type ShopServer = {
  readonly urlOf: (shop: string, kind: string) => string;
  /** Whether the end of this payment was announced and acknowledged. */
  readonly isAcknowledged: (id: string) => boolean;
  /** From now on this address answers 503. */
  readonly break: (url: string) => void;
  readonly stop: () => Promise<void>;
};

/** A server is busy now and then, and its callback comes again some seconds later. */
const BUSY_SHARE = 0.02;

export async function startShopServer(random: Random): Promise<ShopServer> {
  const acknowledged = new Set<string>();
  const broken = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse, isUp: boolean) => {
    const body = await readBody(request);
    if (isUp) for (const id of endedIn(body)) acknowledged.add(id);
    response.writeHead(isUp ? 200 : 503).end();
  };
  const server = createServer((request, response) => {
    const isUp = !broken.has(request.url ?? '') && !random.chance(BUSY_SHARE);
    void answer(request, response, isUp);
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  // A sandbox whose start fails must be able to end.
  server.unref();
  const base = `http://127.0.0.1:${port}`;
  return {
    urlOf: (shop, kind) => `${base}/${slugOf(shop)}/${slugOf(kind)}s`,
    isAcknowledged: (id) => acknowledged.has(id),
    break: (url) => void broken.add(url.slice(base.length)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** "Boutique Téranga" is /boutique-teranga. */
function slugOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[^a-z]+/g, '-');
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** The identifiers in a callback that announces an end. */
function endedIn(body: string): readonly string[] {
  const { status, ...rest } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (status !== 'COMPLETED' && status !== 'FAILED') return [];
  return Object.entries(rest).flatMap(([name, value]) =>
    name.endsWith('Id') && typeof value === 'string' ? value : [],
  );
}

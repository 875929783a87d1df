// What a cluster of one's own needs of the machine: a port no one uses, and a user PostgreSQL will run as.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Below what systems give to outgoing connections, one of which could take it before it is used. */
const PORTS = { from: 10_000, to: 32_000 };

/** A port that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
}

export function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}

/** PostgreSQL refuses to run as root: then it runs as the user that packages make for it, or as no one. */
export async function unprivilegedIdentity(): Promise<{ readonly uid: number; readonly gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  for (const user of ['postgres', 'nobody']) {
    const uid = await run('id', ['-u', user]).catch(() => null);
    const gid = await run('id', ['-g', user]).catch(() => null);
    if (uid !== null && gid !== null) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as.',
  );
}

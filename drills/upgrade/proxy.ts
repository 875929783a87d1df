// HAProxy with deploy/haproxy.cfg, the file for hosts. Only drill-specific parts are changed: no certificate, other
// ports, and more frequent checks in a short run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startProxy } from '../kit/processes.ts';
import type { Scratch } from '../kit/scratch.ts';

const FILE = new URL('../../deploy/haproxy.cfg', import.meta.url);

export type ProxyOptions = {
  readonly ports: readonly [number, number];
  /** The interval of /ready checks; one second in the file. */
  readonly looksEveryMs: number;
};

/** Returns its address. */
export async function startReleaseProxy(
  hooks: ShutdownHooks,
  scratch: Scratch,
  options: ProxyOptions,
): Promise<string> {
  const port = await freePort();
  const path = join(scratch.folder('haproxy'), 'haproxy.cfg');
  writeFileSync(path, renderProxy({ ...options, port }));
  startProxy(hooks, scratch, path);
  return `http://127.0.0.1:${port}`;
}

/** The file for a drill. A text that has moved must not leave a port unchanged. */
export function renderProxy({
  port,
  ports: [one, two],
  looksEveryMs,
}: ProxyOptions & { readonly port: number }): string {
  const changes = [
    [/^ *bind .*$/m, `    bind 127.0.0.1:${port}`],
    ['127.0.0.1:8080', `127.0.0.1:${one}`],
    ['127.0.0.1:8081', `127.0.0.1:${two}`],
    [' inter 1s ', ` inter ${looksEveryMs}ms `],
  ] as const;
  return changes.reduce(
    (changed, [find, put]) => {
      const next = changed.replace(find, put);
      if (next === changed) throw new Error(`deploy/haproxy.cfg no longer has ${String(find)}`);
      return next;
    },
    readFileSync(FILE, 'utf8'),
  );
}

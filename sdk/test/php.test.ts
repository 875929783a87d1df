// The PHP SDK at a real gateway, as its README shows it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { call, openTestGateway, waitUntil, type TestGateway } from '../../server/test/gateway.ts';
import { readmeEnvironment } from './readme-environment.ts';

const PACKAGE = fileURLToPath(new URL('../php/', import.meta.url));

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await openTestGateway({ announces: false });
  folder = await mkdtemp(join(tmpdir(), 'malipo-php-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

test('the programs of the README pay a deposit and verify its callback', async () => {
  const page = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  for (const name of ['callback.php', 'pay.php']) {
    const code = new RegExp(`^\`\`\`php ${name.replace('.', '\\.')}\n(.*?)^\`\`\`$`, 'ms').exec(page)![1]!;
    const loaded = code.replace("'vendor/autoload.php'", `'${join(PACKAGE, 'src/autoload.php')}'`);
    await writeFile(join(folder, name), loaded);
  }
  const port = await freePort();
  const shop = `http://127.0.0.1:${port}`;
  const environment = {
    PATH: process.env['PATH'],
    ...(await readmeEnvironment(page, { gateway, folder })),
    SHOP_URL: shop,
  };
  const server = spawn('php', ['-S', `127.0.0.1:${port}`, join(folder, 'callback.php')], {
    env: environment,
  });
  let log = '';
  server.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  try {
    await waitUntil(() => log.includes('started'));
    await call(gateway, 'PUT', '/sandbox/callback-url', { url: `${shop}/callbacks` });
    const pay = spawn('php', [join(folder, 'pay.php')], { env: environment });
    const printed = await text(pay.stdout);
    const [, id] = /^The gateway has it: (\S+)\npaid 100 RWF\n$/.exec(printed) ?? [];
    expect(id, printed).toBeDefined();
    await waitUntil(() => log.includes(`paid: ${id}`));
    const forged = { method: 'POST', body: JSON.stringify({ depositId: id, status: 'COMPLETED' }) };
    expect((await fetch(`${shop}/callbacks`, forged)).status).toBe(401);
  } finally {
    await end(server);
  }
});

async function end(server: ChildProcess): Promise<void> {
  server.kill();
  await once(server, 'exit');
}

// The Python SDK at a real gateway, as its README shows it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { call, openTestGateway, waitUntil, type TestGateway } from '../../server/test/gateway.ts';
import { readmeEnvironment } from './readme-environment.ts';

const PACKAGE = fileURLToPath(new URL('../python/', import.meta.url));
/** Debian's, which has the packages that the SDK needs. */
const PYTHON = '/usr/bin/python3';
const PYTHON_ENVIRONMENT = { PYTHONPATH: join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ announces: false });
});
afterAll(() => gateway.stop());

test('the shop of the README is paid by a verified callback', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-python-'));
  const page = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  await writeFile(join(folder, 'shop.py'), /^```python shop\.py\n(.*?)^```$/ms.exec(page)![1]!);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...PYTHON_ENVIRONMENT, ...(await readmeEnvironment(page, { gateway, folder })) };
  const shop = spawn(PYTHON, ['-u', '-m', 'flask', '--app', 'shop', 'run', '--port', `${port}`], {
    cwd: folder,
    env,
  });
  let printed = '';
  shop.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  try {
    await waitUntil(async () => (await fetch(url).catch(() => null)) !== null);
    await call(gateway, 'PUT', '/sandbox/callback-url', { url: `${url}/callbacks` });
    const paid = await fetch(`${url}/pay`, { method: 'POST' });
    expect(await paid.json()).toMatchObject({ outcome: 'accepted' });
    await waitUntil(() => printed.includes('paid: 100 RWF'));
    expect((await fetch(`${url}/callbacks`, { method: 'POST', body: '{}' })).status).toBe(401);
  } finally {
    shop.kill();
    await once(shop, 'exit');
    await rm(folder, { recursive: true });
  }
});

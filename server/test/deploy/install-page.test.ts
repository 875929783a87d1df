// docs/operating/install.md: its lines for settings and for commands manually do what the page says, with folders of
// the test in place of /opt/malipo and /etc/malipo; and the proxy's own check reads deploy/haproxy.cfg.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createTestDatabase } from '../database.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const run = promisify(execFile);

const page = readFileSync(join(ROOT, 'docs/operating/install.md'), 'utf8');
const [settings = '', rights = '', commands = ''] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
);

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-install-'));
  database = await createTestDatabase();
  await asOwner('create role malipo_all login');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await asOwner('drop owned by malipo_all; drop role malipo_all');
  await database.drop();
});

async function asOwner(statement: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Writes the test's own database into settings, under the role that stands there. */
async function nameDatabase(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const url = new URL(database.url);
  url.username = /^DATABASE_URL=postgres:\/\/(\w+):/m.exec(text)![1]!;
  await writeFile(path, text.replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${url.href}`));
}

const here = (text: string) =>
  text.replaceAll('/opt/malipo', ROOT).replaceAll('/etc/malipo', join(folder, 'malipo'));

async function shell(script: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-e', '-c', here(script)], { env: { PATH: process.env['PATH'] } });
  return stdout;
}

function parseSettings(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

describe('Install', () => {
  test('the settings it makes have keys of their own and are taken by the server', async () => {
    await shell(settings);
    const path = join(folder, 'malipo/malipo.env');
    for (const one of [path, join(folder, 'malipo/owner.env')])
      expect((await stat(one)).mode & 0o777).toBe(0o600);
    const made = parseSettings(await readFile(path, 'utf8'));
    const { keys, console, trustedProxies } = readConfig(made);
    expect(trustedProxies).toEqual(['127.0.0.1']);
    const all = [
      keys.encryptionKeys[0]!.key,
      keys.searchKey,
      keys.referenceKey,
      keys.linkKeys[0],
      console!.key,
    ];
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(5);
  });

  test('keys that are there are not overwritten', async () => {
    const path = join(folder, 'malipo/malipo.env');
    const before = await readFile(path, 'utf8');
    await expect(shell(settings)).rejects.toThrow();
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('its processes are not the owner of the tables, who gives them their rights', async () => {
    for (const name of ['malipo.env', 'owner.env']) await nameDatabase(join(folder, 'malipo', name));
    expect(await shell(rights)).toBe('malipo_all has the rights that its processes need\n');
  });

  test('its commands make a merchant, a token and a link for the first administrator', async () => {
    const [token, link] = (await shell(commands)).trim().split('\n');
    expect(token).toMatch(/^mlp_production_0001_/);
    expect(link).toMatch(/^https:\/\/pay\.example\.com\//);
    // Several starts of the program, on a machine that does other work beside it.
  });

  test('HAProxy takes the file for the proxy, and would not take every file', async () => {
    const certificate = join(folder, 'tls.pem');
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', certificate];
    await run('openssl', ['req', ...made, '-out', `${certificate}.crt`]);
    await appendFile(certificate, await readFile(`${certificate}.crt`));
    const text = await readFile(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const config = join(folder, 'haproxy.cfg');
    const check = async () => run('/usr/sbin/haproxy', ['-c', '-f', config]);
    await writeFile(config, text.replace('/etc/malipo/tls.pem', certificate));
    await check();
    await writeFile(config, text.replace('/etc/malipo/tls.pem', certificate).replace('httpchk', 'httpchek'));
    await expect(check()).rejects.toThrow(/httpchek/);
  });
});

// The units of deploy/systemd, judged by systemd itself, with the paths of this clone in place of /opt/malipo: that the
// programs they start exist is part of the judgement. That those do their work, install-page.test.ts shows, without
// the confinement: it needs a booted systemd.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { readUnit, UNITS } from './units.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-units-'));
  await cp(UNITS, folder, { recursive: true });
  for (const path of await listUnits(folder)) await rewrite(path, '/opt/malipo', ROOT.replace(/\/$/, ''));
});
afterAll(() => rm(folder, { recursive: true }));

/** Every file of units and of what they have in common. */
async function listUnits(where: string): Promise<readonly string[]> {
  const names = await readdir(where, { recursive: true });
  return names.filter((name) => /\.(service|target|conf)$/.test(name)).map((name) => join(where, name));
}

async function rewrite(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(from, to));
}

/** What systemd has to say about the units. It ends well after mere warnings, so what it wrote is looked at too. */
async function verify(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(service|target)$/.test(name));
  const paths = names.map((name) => join(folder, name));
  const args = ['verify', '--man=no', '--recursive-errors=no', ...paths];
  const { stderr } = await run('systemd-analyze', args).catch((error: { stderr: string }) => error);
  return stderr;
}

const filesOf = (unit: string) => readUnit(unit).files.map((path) => path.replace('/etc/malipo/', ''));

describe('the systemd units', () => {
  test('systemd finds nothing wrong with them, and would have', async () => {
    expect(await verify()).toBe('');
    const common = join(folder, 'malipo-.service.d/common.conf');
    await rewrite(common, 'PrivateTmp', 'PrivatTmp');
    expect(await verify()).toContain("Unknown key 'PrivatTmp'");
    await rewrite(common, 'PrivatTmp', 'PrivateTmp');
  });

  test('every setting that they make is one', async () => {
    const page = await readFile(join(ROOT, 'docs/reference/configuration.md'), 'utf8');
    const texts = await Promise.all((await listUnits(UNITS)).map((path) => readFile(path, 'utf8')));
    const names = texts.flatMap((text) =>
      [...text.matchAll(/^Environment=(MALIPO_\w+)=/gm)].map(([, name]) => name),
    );
    expect(new Set(names)).toEqual(new Set(['MALIPO_PORT', 'MALIPO_METRICS_PORT']));
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('each process is shut in: systemd counts an exposure of at most 2 of 10', async () => {
    const services = (await readdir(UNITS)).filter((name) => name.endsWith('.service'));
    expect(services).toHaveLength(4);
    for (const name of services) {
      // It ends with an error above the threshold, which is in hundredths of ten.
      await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', join(folder, name)]);
    }
  });

  test('each starts a command that there is', async () => {
    const texts = await Promise.all((await listUnits(UNITS)).map((path) => readFile(path, 'utf8')));
    const commands = texts.flatMap((text) => /^ExecStart=\S+\/malipo-server (.*)$/m.exec(text)?.[1] ?? []);
    expect(commands.toSorted()).toEqual(['all', 'api', 'migrate', 'worker']);
    for (const command of commands) expect(COMMANDS.has(command)).toBe(true);
  });

  test('migrations alone are given the settings of the owner of the tables', () => {
    expect(filesOf('malipo-migrate.service')).toEqual(['malipo.env', 'owner.env']);
    expect(filesOf('malipo-all.service')).toEqual(['malipo.env']);
    // Each may have a role of its own.
    expect(filesOf('malipo-api@8080.service')).toEqual(['malipo.env', '-api.env']);
    expect(filesOf('malipo-worker@9091.service')).toEqual(['malipo.env', '-worker.env']);
  });

  test('the document they name is there', async () => {
    const common = await readFile(join(folder, 'malipo-.service.d/common.conf'), 'utf8');
    const path = /^Documentation=file:\/\/(.*)$/m.exec(common)?.[1];
    expect(path !== undefined && existsSync(path)).toBe(true);
  });
});

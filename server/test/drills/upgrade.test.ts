// The upgrade drill runs every night, and needs history that a clone may lack; what it takes from other files must
// stand there all the same.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { renderProxy } from '../../../drills/upgrade/proxy.ts';
import { findEarlier, NoDrill, THIS_TREE } from '../../../drills/upgrade/releases.ts';

test('the drill begins with this tree before the first release, and with the newest tag after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'first');
  expect(await findEarlier(undefined, folder)).toBe(THIS_TREE);
  git('tag', 'v0.1.0');
  expect(await findEarlier(undefined, folder)).toBe(git('rev-parse', '--short', 'HEAD'));
});

test('a release that the history does not reach is refused with what to do', async () => {
  const found = findEarlier('no-such-release');
  await expect(found).rejects.toThrow(NoDrill);
  await expect(found).rejects.toThrow(
    'There is no no-such-release in this clone. A shallow clone has no history',
  );
});

test("the drill's proxy is the file of a host, at other ports and without a certificate", () => {
  const text = renderProxy({ port: 7001, ports: [7002, 7003], looksEveryMs: 500 });
  expect(text).toContain('bind 127.0.0.1:7001\n');
  expect(text).toMatch(/server one 127\.0\.0\.1:7002\n *server two 127\.0\.0\.1:7003\n/);
  expect(text).toContain('check inter 500ms fall 1 rise 2');
  expect(text).not.toMatch(/crt|8080|8081/);
});

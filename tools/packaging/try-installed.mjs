// Run it with the Node.js that is to be tried, in a folder where the packed packages are installed: it loads the SDK,
// verifies the callbacks that all SDKs share, and starts the commands. JavaScript, because the oldest supported Node.js
// reads no TypeScript.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(process.cwd(), 'node_modules/@malipo');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { resolve } = createRequire(join(folder, 'any.js'));

const exported = Object.keys(readJson(join(folder, 'sdk/package.json')).exports);
assert.ok(exported.length > 1);
for (const name of exported) await import(pathToFileURL(resolve(name.replace('.', '@malipo/sdk'))));

const { verifyCallback } = await import(pathToFileURL(resolve('@malipo/sdk/callbacks')));
const { keys, accepted, refused } = readJson(new URL('../../sdk/conformance/vectors.json', import.meta.url));
for (const [isGenuine, cases] of [
  [true, accepted],
  [false, refused],
]) {
  assert.ok(cases.length > 0);
  for (const { name, request, now, merchantId } of cases) {
    const { verified } = await verifyCallback(request, {
      keys,
      now: new Date(now),
      ...(merchantId !== undefined && { merchantId }),
    });
    assert.equal(verified, isGenuine, name);
  }
}

for (const [workspace, ...args] of [
  ['cli', '--version'],
  ['cli', 'help'],
  ['server', '--version'],
]) {
  const manifest = join(folder, workspace, 'package.json');
  const [launcher] = Object.values(readJson(manifest).bin);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(dirname(manifest), launcher), ...args],
    { encoding: 'utf8' },
  );
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, `${workspace} ${args.join(' ')}`);
  assert.notEqual(stdout, '');
}
process.stdout.write(`Node.js ${process.versions.node}: the packages work.\n`);

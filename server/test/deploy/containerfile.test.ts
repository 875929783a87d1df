// deploy/Containerfile without an engine: a linter reads it, and its last stage is put together from this clone, to see
// that what it copies is there and is enough to start every command.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DockerfileParser, type Copy } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkPackages } from '../../../drills/kit/builds.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8');
const file = DockerfileParser.parse(text);
const copies = file.getCOPYs();
const lastStage = file.getFROMs().at(-1)!.getRange().start.line;

const argumentsOf = (copy: Copy) => copy.getArguments().map((argument) => argument.getValue());
const stageOf = (copy: Copy) => copy.getFromFlag()?.getValue() ?? null;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-image-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Puts into the folder what the last stage copies from the clone; of the packages, those of the clone. */
async function assemble(): Promise<void> {
  const own = copies.filter((copy) => copy.getRange().start.line > lastStage && stageOf(copy) === null);
  for (const copy of own) {
    const [target = '', ...sources] = argumentsOf(copy).toReversed();
    for (const source of sources) {
      const to = target.endsWith('/') ? join(folder, target, source) : join(folder, target);
      await mkdir(dirname(to), { recursive: true });
      await cp(join(ROOT, source), to, { recursive: true });
    }
  }
  await cp(join(ROOT, 'server/package.json'), join(folder, 'server/package.json'));
  linkPackages(folder);
}

describe('the container file', () => {
  test('the linter finds nothing, and would have', () => {
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace('ENTRYPOINT', 'ENTRYPONT'))).not.toEqual([]);
  });

  test('whatever it copies from the clone is in the clone', () => {
    const sources = copies
      .filter((copy) => stageOf(copy) === null)
      .flatMap((copy) => argumentsOf(copy).slice(0, -1));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  });

  test('it copies from stages that it has, and runs scripts that there are', () => {
    const stages = file.getFROMs().map((from) => from.getBuildStage());
    for (const copy of copies) expect([null, ...stages]).toContain(stageOf(copy));
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/^RUN npm run (\w+)$/gm)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  test('it ends as a user without rights, on the Node.js of the clone', () => {
    const user = /^USER (.*)$/m.exec(text)?.[1];
    expect(user).toBe('node');
    const images = new Set(file.getFROMs().map((from) => from.getImage()));
    expect([...images]).toEqual([`docker.io/library/node:${process.versions.node.split('.')[0]}-slim`]);
  });

  test('what is in the last stage is enough to start: the program lists its commands', async () => {
    await assemble();
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? '[]') as string[];
    expect(entry[0]).toBe('node');
    const { stdout } = await promisify(execFile)(process.execPath, [...entry.slice(1), 'help'], {
      cwd: folder,
      env: {},
    });
    expect(stdout).toMatch(/^ {2}merchant /m);
  });
});

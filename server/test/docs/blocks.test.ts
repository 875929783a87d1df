// Every block that a reader could run is run, or is made of calls that are held to the commands' own definitions, or a
// reason says why it is not run. Blocks marked `sh run` are run by runnable-pages.test.ts; of the others each page
// names the program that runs them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findCall, listFaults, listWrappers, readCommands, type Call } from './command-lines.ts';
import { readFences } from './page-blocks.ts';
import { listRunnablePages } from './run-page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What reads the blocks of a page and runs them. */
const RUN_BY: Readonly<Record<string, string>> = {
  'docs/guides/callbacks.md': 'server/test/docs/signature-guides.test.ts',
  'docs/guides/sandbox.md': 'server/test/docs/sandbox-guide.test.ts',
  'docs/guides/signatures.md': 'server/test/docs/signature-guides.test.ts',
  'docs/operating/audit.md': 'server/test/docs/audit-page.test.ts',
  'docs/operating/backup-and-restore.md': 'drills/restore/runbook.ts',
  'docs/operating/database.md': 'drills/kit/pooler.ts',
  'docs/operating/install.md': 'server/test/deploy/install-page.test.ts',
  'docs/operating/monitoring.md': 'server/test/docs/runbook-sql.test.ts',
  'docs/operating/verify-a-release.md': 'tools/release/verify.ts',
};

/** A page, or those of its blocks whose first command is this one. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md git': 'gets the sources; .ci/run runs the same commands',
  'README.md git': 'gets the sources, as docs/five-minutes.md does',
  'docs/five-minutes.md git':
    'gets the sources; everything else on the page is marked and run by tools/newcomer',
  'docs/operating/containers.md podman': 'builds the image, as drills/image does with its own script',
  'docs/operating/containers.md owner':
    'containers of a host, which drills/image starts with its own settings',
  'docs/operating/containers.md docker': 'needs Docker; the file is judged by its schema',
  'docs/operating/containers.md cp': 'needs a cluster; drills/image plays the same manifests',
  'docs/operating/containers.md kubectl': 'needs a cluster; drills/image plays the same manifests',
  'docs/operating/install.md createuser': 'asks for passwords; the test creates the roles',
  'docs/operating/install.md cp': 'needs systemd; the test starts what the units say',
  'docs/operating/install.md systemctl': 'needs systemd; the test starts what the units say',
  'docs/operating/performance.md apt-get':
    'measurements, which take minutes of a machine that does nothing else',
  'docs/operating/reliability.md apt-get': 'drills, which run every night',
  'docs/operating/tracing.md docker': 'needs Docker; tests have a receiver of traces',
  'docs/operating/upgrade.md': 'needs systemd; drills/upgrade replaces the same processes',
  'docs/operating/vault.md': 'needs Vault; tests have a fake of it',
  'examples/django-shop/README.md': 'starts the programs that sdk/test/shops.test.ts runs',
  'examples/express-shop/README.md': 'starts the programs that sdk/test/shops.test.ts runs',
  'examples/php-shop/README.md': 'starts the programs that sdk/test/shops.test.ts runs',
  'sdk/php/README.md': 'starts the programs that sdk/test/php.test.ts runs, with the environment of the page',
  'sdk/python/README.md':
    'starts the programs that sdk/test/python.test.ts runs, with the environment of the page',
};

const COMMANDS = ['sh', 'sql'];
const OTHERS = ['http', 'ini', 'js', 'json', 'php', 'python', 'text', 'ts', 'yaml'];

const languageOf = (info: string) => info.split(' ')[0] ?? '';

const RUNNABLE_PAGES = listRunnablePages();
/** Whether runnable-pages.test.ts or the newcomer of tools/newcomer runs it. */
const isMarked = (path: string, info: string) =>
  info === 'sh run'
    ? RUNNABLE_PAGES.includes(path)
    : info.startsWith('sh run ') && path === 'docs/five-minutes.md';

type Page = { readonly path: string; readonly text: string };

const pages: readonly Page[] = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((path) => ({ path, text: read(path) }));

const CALL = /^ *(\$|malipo|malipo-server|np[mx]|curl|kubectl|systemctl) /m;

/** What keeps a block from being looked at: no language or a wrong one, or a fence of another kind. */
function listUnknown(page: string): readonly string[] {
  const fences = readFences(page);
  const marks = page.match(/^\s*(?:`{3,}|~{3,}).*$/gm) ?? [];
  const unknown = fences.filter(
    ({ info, text }) =>
      ![...COMMANDS, ...OTHERS].includes(languageOf(info)) ||
      (languageOf(info) === 'text' && CALL.test(text)),
  );
  return [
    ...unknown.map(({ info, text }) => `\`\`\`${info} ${text.split('\n')[0]}`),
    ...(marks.length === 2 * fences.length ? [] : [`${marks.length} marks, ${fences.length} blocks`]),
  ];
}

test('every block names its language', () => {
  expect(listUnknown('```sh\nls\n```\n\n   ```json\n   1\n   ```')).toEqual([]);
  expect(listUnknown('```\nls\n```')).toEqual(['``` ls']);
  expect(listUnknown('1. Do:\n\n   ```\n   ls\n   ```')).toEqual(['``` ls']);
  expect(listUnknown('```console\nls\n```')).toEqual(['```console ls']);
  expect(listUnknown('```text\nnpm run sandbox\n```')).toEqual(['```text npm run sandbox']);
  expect(listUnknown('~~~sh\nls\n~~~')).toEqual(['2 marks, 0 blocks']);
  expect(pages.flatMap(({ path, text }) => listUnknown(text).map((fault) => `${path}: ${fault}`))).toEqual(
    [],
  );
});

/** The first commands of the blocks that no mark runs and that are more than calls of ours. */
function listOpen({ path, text: page }: Page): readonly string[] {
  const wrappers = listWrappers(page);
  return readFences(page)
    .filter(({ info }) => COMMANDS.includes(languageOf(info)) && !isMarked(path, info))
    .flatMap(({ info, text }) => {
      const commands = info === 'sql' ? [['sql']] : readCommands(text);
      return commands.every((words) => findCall(words, wrappers) !== null) ? [] : [commands[0]![0]!];
    });
}

const openIn = (text: string, path = 'README.md') => listOpen({ path, text });

test('every block of a shell and of SQL is run, is made of calls that are held to their definitions, or has a reason', () => {
  expect(openIn('```sh\nls\n```')).toEqual(['ls']);
  expect(openIn('- x\n\n  ```sh\n  ls\n  ```')).toEqual(['ls']);
  expect(openIn('```sh\nmalipo-server all\nls\n```')).toEqual(['malipo-server']);
  expect(openIn('```sql\nselect 1;\n```')).toEqual(['sql']);
  expect(openIn('```sh\nA=1 malipo-server all\n```')).toEqual([]);
  expect(openIn('```sh run\nls\n```')).toEqual([]);
  expect(openIn('```sh run\nls\n```', 'sdk/README.md')).toEqual(['ls']);
  expect(openIn('```sh run terminal\nls\n```')).toEqual(['ls']);
  const keys = pages.flatMap((page) =>
    listOpen(page).map((first) => {
      const key = `${page.path} ${first}`;
      return key in NOT_RUN ? key : page.path;
    }),
  );
  expect([...new Set(keys)].toSorted()).toEqual([...Object.keys(RUN_BY), ...Object.keys(NOT_RUN)].toSorted());
});

test.each(Object.entries(RUN_BY))('the blocks of %s are read by %s', (page, program) => {
  expect(existsSync(join(ROOT, program))).toBe(true);
  expect(read(program)).toContain(basename(page));
});

function callsIn(page: string): readonly Call[] {
  const wrappers = listWrappers(page);
  return readFences(page)
    .filter(({ info }) => languageOf(info) === 'sh')
    .flatMap(({ text }) => readCommands(text))
    .flatMap((words) => findCall(words, wrappers) ?? []);
}

const block = (text: string) => `\`\`\`sh\n${text}\n\`\`\``;

test.each([
  ['malipo-server fee put', 'There is no command "fee put".'],
  ['malipo-server case list --opened', 'Unknown option --opened.'],
  ['malipo-server case show --case $CASE', 'Missing: --by NAME.'],
  ['malipo-server case show --case \\\n  7 --by ana.uwase', '--case must be an id'],
  ['A=1 malipo-server freeze add --scope TILL --reason x --by ana', '--scope must be one of'],
  ['echo "$(malipo-server case list --opened)"', 'Unknown option --opened.'],
  ['owner() { run malipo "$@"; }\nowner rights grant --by ana', 'Missing: --to ROLE.'],
  ['kubectl exec x -- node server/src/main.ts recovery begin', 'Missing: --lost-from TIME'],
  ['malipo-server operator certify --account MTN_MOMO_RWA', 'Missing: CONNECTOR.'],
  ['npx @malipo/server sandbox --prot 1', 'Unknown option --prot.'],
  ['npx @malipo/cli payout batches', 'There is no command'],
  ['malipo deposit create --amount 100 --currency RWF', 'Missing: --phone NUMBER.'],
  ['npm run sandbix', 'There is no script "sandbix".'],
  ['npm run sandbox -- --operators fake --x', 'Unknown option --x.'],
  ['npm run sandbox --demo', 'npm takes --demo for itself'],
  ['sudo -u malipo malipo-server case list --opened', 'Unknown option --opened.'],
  ['npm run chaos -- --minute 5', 'Unknown option --minute.'],
])('a block that calls "%s" is refused', async (text, fault) => {
  expect(await listFaults(callsIn(block(text)))).toEqual([expect.stringContaining(`: ${fault}`)]);
});

test('every call in a block has only options that its command takes, all that it needs, and values that it takes', async () => {
  const right =
    'A=1 malipo-server case resolve --case $CASE --resolution WRITE_OFF --reason "a; b" --by ana > x';
  expect(await listFaults(callsIn(block(right)))).toEqual([]);
  const calls = pages.flatMap(({ text }) => callsIn(text));
  expect(calls.length).toBeGreaterThan(70);
  expect(await listFaults(calls)).toEqual([]);
});

/** Calls between backticks, except those with names to fill in. */
function callsInSentences(page: string): readonly Call[] {
  const prose = page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  return [...prose.matchAll(/`((?:[^`\n]|\n(?!\n))+)`/g)].flatMap(([, code = '']) => {
    const call = findCall(readCommands(code.replaceAll(/\s+/g, ' '))[0] ?? []);
    return call === null || /^([A-Z]|$)/.test(call.args[0] ?? '') ? [] : [call];
  });
}

/** History, and a page that is made from the commands themselves. */
const WITHOUT_INLINE = /^(docs\/decisions\/|CHANGELOG|docs\/reference\/command-line\.md)/;

test('every call in a sentence names a command that there is, with options that it takes', async () => {
  // A sentence may leave out what a command needs.
  const faultsIn = async (texts: readonly string[]) =>
    (await listFaults(texts.flatMap(callsInSentences))).filter((fault) => !fault.includes(': Missing: '));
  expect(await faultsIn(['`malipo-server fee set`, `npm run\n   sandbox`, `malipo COMMAND`'])).toEqual([]);
  expect(await faultsIn(['`malipo-server fee put` and `npm run\nsandbix`'])).toHaveLength(2);
  const all = pages.filter(({ path }) => !WITHOUT_INLINE.test(path)).map(({ text }) => text);
  expect(all.flatMap(callsInSentences).length).toBeGreaterThan(120);
  expect(await faultsIn(all)).toEqual([]);
});

const settings = read('docs/reference/configuration.md');
/** Of a merchant's programs. */
const OF_CLIENTS = ['MALIPO_URL', 'MALIPO_TOKEN', 'MALIPO_MERCHANT_ID'];
const manifests = readdirSync(join(ROOT, 'deploy/kubernetes'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => read(join('deploy/kubernetes', path)))
  .join('\n');

const isSetting = (name: string) =>
  OF_CLIENTS.includes(name) || settings.includes(`| \`${name.replace(/_FILE$/, '')}\` |`);
const isUnit = (name: string) => existsSync(join(ROOT, 'deploy/systemd', name.replace(/@\w+/, '@')));

/** Settings, files, units of systemd and workloads of Kubernetes that blocks name and that are not there. */
function listAbsent(page: string): readonly string[] {
  const blocks = readFences(page).filter(({ info }) => ['sh', 'ini'].includes(languageOf(info)));
  const text = blocks.map((fence) => fence.text).join('\n');
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const copies = find(/^cp -r \S+ (deploy\/\S+)$/gm);
  return [
    ...find(/^ *(?:export )?(MALIPO_\w+)=/gm).filter((name) => !isSetting(name)),
    ...find(/(?<![\w-])(?<!dist\/)(deploy\/(?!malipo-)[\w./-]*\w)/g).filter(
      (path) => !copies.includes(path) && !existsSync(join(ROOT, path)),
    ),
    ...find(/\b(malipo[\w@-]*\.(?:service|target))\b/g).filter((name) => !isUnit(name)),
    ...find(/\b(?:job|deployment|deploy)[/ ](malipo-[a-z-]+)/g).filter(
      (name) => !manifests.includes(`\n  name: ${name}\n`),
    ),
  ];
}

test('settings, files, units and workloads that blocks name are there', () => {
  const wrong = [
    'export MALIPO_BRAND=x',
    'docker compose -f deploy/composed.yaml up',
    'systemctl start malipo-apis@8080.service',
    'kubectl rollout status deployment/malipo-apis',
  ];
  expect(listAbsent(block(wrong.join('\n')))).toHaveLength(wrong.length);
  expect(pages.flatMap(({ path, text }) => listAbsent(text).map((name) => `${path}: ${name}`))).toEqual([]);
});

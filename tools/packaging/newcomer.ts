// `npm run drill:newcomer`: follows docs/five-minutes.md in an empty directory and does only what the page says, except
// for getting the sources, which are here. With `-- --clone` it does what the README says instead: clone, npm install,
// npm run sandbox, and every place of the landing page answers. Ends with the seconds it took.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { openFirstPages } from './first-pages.ts';
import { isSaid, readBlocks, type Block } from './page.ts';
import { ROOT } from './published.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** What the title of the page promises. */
const SECONDS_MAX = 300;

/** For one block; npm takes longest. */
const PATIENCE_MS = 150_000;

const page = readFileSync(join(ROOT, 'docs/five-minutes.md'), 'utf8');
const home = mkdtempSync(join(tmpdir(), 'malipo-newcomer-'));
const terminals: Terminal[] = [];
// An interrupted run must not leave a gateway behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clean().then(() => process.exit(1)));
const startedAt = performance.now();
try {
  const has = process.argv.includes('--clone') ? await openPages() : await followPage();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`A newcomer has ${has} after ${seconds} seconds.\n`);
  if (seconds > SECONDS_MAX) throw new Error(`The page promises ${SECONDS_MAX} seconds.`);
} finally {
  await clean();
}

async function followPage(): Promise<string> {
  symlinkSync(ROOT, join(home, 'malipo'));
  const first = open();
  let last = first;
  for (const block of readBlocks(page)) last = await follow(block, { first, last });
  return 'a paid deposit and its verified callback';
}

async function openPages(): Promise<string> {
  await openFirstPages({ open, say });
  return 'dashboard, documentation and test phones';
}

async function clean(): Promise<void> {
  for (const terminal of terminals.toReversed()) await terminal.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}

/** Returns the terminal that was used. */
async function follow(
  block: Block,
  { first, last }: { readonly first: Terminal; readonly last: Terminal },
): Promise<Terminal> {
  switch (block.type) {
    case 'run':
      say(block.text);
      await first.run(block.text);
      return first;
    case 'terminal': {
      say(block.text);
      const terminal = open();
      terminal.start(block.text);
      return terminal;
    }
    case 'file':
      writeFileSync(join(home, 'shop', block.name), block.text);
      return last;
    case 'expect': {
      const terminal = block.terminal === null ? last : (terminals[block.terminal] ?? last);
      await terminal.until((said) => isSaid(block.text, said), `This was not said:\n${block.text}`);
      return last;
    }
  }
}

function open(): Terminal {
  // The repository's own commands are not available to a newcomer.
  const others = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const env = {
    PATH: [dirname(process.execPath), ...others].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    // A user of Node.js has used npm before.
    npm_config_cache: join(homedir(), '.npm'),
    ...keep('HTTPS_PROXY', 'https_proxy', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry'),
  };
  const terminal = openTerminal({ directory: home, env, patienceMs: PATIENCE_MS });
  terminals.push(terminal);
  return terminal;
}

/** The machine's own npm registry settings are kept. */
function keep(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function say(commands: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${seconds.padStart(6)} s  ${commands.trim().replaceAll('\n', '\n          ')}\n`);
}

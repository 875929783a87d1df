// What a newcomer of the README does: clone, install, start the sandbox, and open what its landing page leads to. No
// other command.
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../packaging/published.ts';
import type { Terminal } from './terminal.ts';

export type FirstPagesOptions = {
  readonly open: () => Terminal;
  /** Shows a step with the seconds so far. */
  readonly say: (text: string) => void;
};

/** A build of the documentation takes longest. */
const PATIENCE_MS = 150_000;

export async function openFirstPages({ open, say }: FirstPagesOptions): Promise<void> {
  const terminal = open();
  for (const command of [`git clone --quiet ${ROOT} malipo`, 'cd malipo', 'npm ci --no-audit --no-fund']) {
    say(command);
    await terminal.run(command);
  }
  say('npm run sandbox -- --port 0');
  terminal.start('npm run sandbox -- --port 0');
  let address = '';
  const isReady = (said: string) => {
    address = /Open (http:\S+) in a browser/.exec(said)?.[1] ?? '';
    return address !== '';
  };
  await terminal.until(isReady, 'The sandbox does not become ready.');
  say('The sandbox is ready');
  const landing = await readPage(`${address}/`);
  const places = [...landing.matchAll(/href="(\/[^"]+)"/g)].map(([, path = '']) => path);
  for (const path of ['/dashboard', '/docs/', '/sandbox/phone']) {
    if (!places.includes(path)) throw new Error(`The landing page does not lead to ${path}.`);
  }
  for (const path of places) {
    await readPage(address + path);
    say(`${path} answers`);
  }
}

/** Waits while the page says that it is being built, as a browser does. */
async function readPage(url: string): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url);
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.headers.get('refresh') === null || Date.now() > deadline)
      throw new Error(`${url} answers ${answer.status}: ${text}`);
    await sleep(500);
  }
}

// The journal in a file: what is in it survives whatever happens to the process.
import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Malipo, type Journal } from '@malipo/sdk';
import { openFileJournal } from '@malipo/sdk/node';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-journal-'));
});
afterAll(() => rm(folder, { recursive: true }));

const entry = (id: string) => ({ kind: 'payout', id, at: '2026-01-31T08:00:00Z' });

test('what was remembered and not settled is there after the process is gone', async () => {
  const path = join(folder, 'killed');
  const before = await openFileJournal(path);
  await before.remember([entry('a'), entry('b')]);
  await before.remember([entry('c')]);
  await before.settle([entry('B')]);
  // Nothing is closed: a process that is killed closes nothing.
  const after = await openFileJournal(path);
  expect((await after.unsettled()).map(({ id }) => id)).toEqual(['a', 'c']);
  await Promise.all([before.close(), after.close()]);
});

test('a client sends nothing once another process has opened its journal', async () => {
  const path = join(folder, 'shared');
  const first = await openFileJournal(path);
  const second = await openFileJournal(path);
  const sent: string[] = [];
  const send = async (by: string, journal: Journal) => {
    const answer = async () => {
      sent.push(by);
      return new Response('', { status: 503 });
    };
    const options = { baseUrl: 'https://gateway.test', token: 'test', retryForMs: 0 };
    const malipo = new Malipo({ ...options, journal, fetch: answer });
    return malipo.checkouts.create({ returnUrl: 'https://shop.example/' });
  };
  await expect(send('first', first)).rejects.toMatchObject({ code: 'MISUSE' });
  expect(await first.unsettled()).toEqual([]);
  const { id } = await send('second', second);
  expect(new Set(sent)).toEqual(new Set(['second']));
  await Promise.all([first.close(), second.close()]);
  const third = await openFileJournal(path);
  expect(await third.unsettled()).toMatchObject([{ id }]);
  await third.close();
});

test('half a line at the end does no harm, and does not spoil the next one', async () => {
  const path = join(folder, 'torn');
  const journal = await openFileJournal(path);
  await journal.remember([entry('a')]);
  await appendFile(path, '\n{"act":"remember","entry":{"kind":"pay');
  await journal.remember([entry('b')]);
  await journal.close();
  const again = await openFileJournal(path);
  expect((await again.unsettled()).map(({ id }) => id)).toEqual(['a', 'b']);
  await again.close();
});

test('what is settled is left out when the file is opened again, and only its owner can read it', async () => {
  const path = join(folder, 'compacted');
  const journal = await openFileJournal(path);
  for (let count = 0; count < 20; count += 1) {
    await journal.remember([entry(`${count}`)]);
    await journal.settle([entry(`${count}`)]);
  }
  await journal.close();
  await (await openFileJournal(path)).close();
  expect(await readFile(path, 'utf8')).toBe('');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

/** Remembers until another process has the file, which is what a client notices before it sends anything. */
async function rememberMany(journal: Journal, name: string): Promise<readonly string[]> {
  const remembered: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    const id = `${name}-${count}`;
    const isTheirs = await journal.remember([entry(id)]).then(
      () => true,
      () => false,
    );
    if (!isTheirs) return remembered;
    remembered.push(id);
  }
  return remembered;
}

test.each([1, 3])(
  'F: what one process remembers beside %i other processes that open the journal is known to the last',
  async (otherCount) => {
    for (let round = 0; round < 30; round += 1) {
      const name = `contended-by-${otherCount}-${round}`;
      const path = join(folder, name);
      const first = await openFileJournal(path);
      const writing = rememberMany(first, 'first');
      const others = await Promise.all(
        Array.from({ length: otherCount }, async (_, index) => {
          const journal = await openFileJournal(path);
          return { journal, remembered: await rememberMany(journal, `other-${index}`) };
        }),
      );
      const remembered = [...(await writing), ...others.flatMap((other) => other.remembered)];
      const last = await openFileJournal(path);
      const known = new Set((await last.unsettled()).map(({ id }) => id));
      expect(remembered.filter((id) => !known.has(id))).toEqual([]);
      expect((await readdir(folder)).filter((one) => one.startsWith(`${name}.`))).toEqual([]);
      for (const journal of [first, last, ...others.map((other) => other.journal)]) await journal.close();
    }
  },
);

test('what a process had taken over when it died is taken over by the next one', async () => {
  const path = join(folder, 'half-taken');
  const journal = await openFileJournal(path);
  await journal.remember([entry('a')]);
  await rename(path, `${path}.taken-by-a-process-that-died`);
  // It notices, and would send nothing.
  await expect(journal.remember([entry('b')])).rejects.toMatchObject({ code: 'MISUSE' });
  const next = await openFileJournal(path);
  expect((await next.unsettled()).map(({ id }) => id)).toContain('a');
  await Promise.all([journal.close(), next.close()]);
});

// The hash chain of the audit log: built after commit, verified, exported. Whatever bypasses the gateway and its
// triggers is done by a superuser.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chainEntries } from '../src/core/audit-chain/chain-entries.ts';
import { BrokenChain, followChain, type ExportedLine } from '../src/core/audit-chain/follow-chain.ts';
import { verifyChain } from '../src/core/audit-chain/verify-chain.ts';
import { insertAuditEntries, type AuditEntry } from '../src/store/audit.ts';
import { inTransaction } from '../src/store/database.ts';
import { FIRST_HASH, parseChainPoint, renderAuditLine } from '../src/wire/audit-line.ts';
import { clockAt } from './clocks.ts';
import { NOON, openTestStore, secondsAfterNoon, type TestStore } from './store/open-store.ts';

let store: TestStore;
let now: Date;
beforeEach(async () => {
  store = await openTestStore();
  now = NOON;
});
afterEach(() => store.stop());

const DAY_S = 86_400;
const engine = () => ({ store, home: '0001', clock: clockAt(() => now) });

const entryAt = (at: Date, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at,
  actor: 'Ana',
  act: 'FEE_SET',
  merchantId: store.merchantId,
  subject: 'MTN_MOMO_RWA',
  detail: { fixed: '0', basisPoints: 150, é: [1.5, null] },
  ...changes,
});

const write = (...entries: AuditEntry[]) => insertAuditEntries(store.database, store.keyring, entries);

/** Five entries in the chain, a second apart; one of them has a reason. */
async function chainFive(): Promise<void> {
  await chainEntries(engine());
  for (const second of [1, 2, 3, 4, 5]) {
    now = secondsAfterNoon(second);
    await write(entryAt(now, second === 3 ? { reason: 'Asked by Ben' } : {}));
    await chainEntries(engine());
  }
}

async function tamper(sql: string): Promise<void> {
  const client = await store.database.connect();
  await client.query(`set session_replication_role = replica; ${sql}; reset all`);
  client.release();
}

async function idAt(no: number): Promise<string> {
  const { rows } = await store.database.query('select entry_id from audit_chain where chain_no = $1', [no]);
  return rows[0]!.entry_id;
}

const faults = async (head: string | null = null) =>
  (await verifyChain(engine(), head === null ? null : parseChainPoint(head))).faults;

async function exportAll(after = '0'): Promise<readonly ExportedLine[]> {
  const lines: ExportedLine[] = [];
  for await (const line of followChain(engine(), { after: parseChainPoint(after)!, until: null }))
    lines.push(line);
  return lines;
}

/** As another program would do it: the line without its hash, members sorted, no spaces. */
function independentHash(text: string): string {
  const { hash: _, ...line } = JSON.parse(text) as Record<string, unknown>;
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.keys(value)
              .toSorted()
              .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
          )
        : value;
  return createHash('sha256')
    .update(JSON.stringify(sorted(line)), 'utf8')
    .digest('hex');
}

describe('an untouched chain', () => {
  test('an untouched chain verifies, states what is not yet chained, and another program finds the same hashes', async () => {
    await chainFive();
    await write(entryAt(secondsAfterNoon(6)), entryAt(secondsAfterNoon(7)));
    const told: (readonly number[])[] = [];
    const { head, ...report } = await verifyChain(engine(), null, (...links) => told.push(links));
    expect(told.at(-1)).toEqual([5, 5]);
    expect(report).toEqual({
      unchained: { count: 2, oldestAt: secondsAfterNoon(6) },
      copiedCount: 0,
      faults: [],
    });
    const lines = await exportAll();
    expect(lines.map(({ line }) => line.no)).toEqual([1, 2, 3, 4, 5]);
    let previous = FIRST_HASH;
    for (const { line, hash } of lines) {
      expect(line.previousHash).toBe(previous);
      expect(independentHash(renderAuditLine(line, hash))).toBe(hash);
      previous = hash;
    }
    expect(head).toEqual({ no: 5, hash: previous });
    expect(await faults(`5:${previous}`)).toEqual([]);
  });

  test('an exported line has no reason, only its hash with a secret prefix', async () => {
    await chainFive();
    const [, , { line, hash }] = (await exportAll()) as [unknown, unknown, ExportedLine];
    expect(line.reasonHash).toMatch(/^[0-9a-f]{64}$/);
    expect(line.reasonHash).not.toBe(createHash('sha256').update('Asked by Ben').digest('hex'));
    expect(renderAuditLine(line, hash)).not.toContain('Ben');
  });

  test('the export goes on after a number, and refuses to go on from another chain', async () => {
    await chainFive();
    const all = await exportAll();
    expect(await exportAll(`3:${all[2]!.hash}`)).toEqual(all.slice(3));
    expect(await exportAll('5')).toEqual([]);
    await expect(exportAll(`3:${all[1]!.hash}`)).rejects.toThrow(BrokenChain);
    await expect(exportAll('6')).rejects.toThrow('has no entry 6');
  });
});

describe('what is not as it was recorded is found and named', () => {
  beforeEach(chainFive);

  test.each([
    ['the actor', `actor = 'Eve'`],
    ['the action', `act = 'FEE_READ'`],
    ['the time by a microsecond', `at = at + interval '1 microsecond'`],
    ['the details', `detail = detail || '{"basisPoints": 151}'`],
    ['the merchant', 'merchant_id = null'],
    ['the subject', `subject = subject || ' '`],
    ['the number', 'entry_no = default'],
    ['the hash of the reason', `reason_hash = sha256('x'), encrypted_reason = 'x'`],
  ])('a changed entry: %s', async (_, change) => {
    const entryId = await idAt(2);
    await tamper(`update audit_log set ${change} where id = '${entryId}'`);
    expect(await faults()).toEqual([{ fault: 'CHANGED', no: 2, entryId }]);
    await expect(exportAll()).rejects.toThrow(`Entry 2 (${entryId}) is CHANGED`);
  });

  test('a changed reason', async () => {
    const entryId = await idAt(3);
    await tamper(`update audit_log set encrypted_reason = 'something else' where id = '${entryId}'`);
    expect(await faults()).toEqual([{ fault: 'REASON_CHANGED', no: 3, entryId }]);
  });

  test('a removed entry, also one that was not yet chained', async () => {
    const entryId = await idAt(4);
    await tamper(`delete from audit_log where id = '${entryId}'`);
    expect(await faults()).toEqual([{ fault: 'REMOVED', no: 4, entryId }]);
    await write(entryAt(now));
    const { rows } = await store.database.query('select entry_id from audit_unchained');
    const lateId = rows[0]!.entry_id;
    await tamper(`delete from audit_log where id = '${lateId}'`);
    await chainEntries(engine());
    expect(await faults()).toContainEqual({ fault: 'REMOVED', no: null, entryId: lateId });
  });

  test('a removed entry with its link', async () => {
    await tamper(
      `delete from audit_log where id = '${await idAt(4)}'; delete from audit_chain where chain_no = 4`,
    );
    expect(await faults()).toEqual([
      { fault: 'LINK_REMOVED', no: 4, entryId: null },
      { fault: 'CHANGED', no: 5, entryId: await idAt(5) },
    ]);
  });

  test('an entry that was inserted without the trigger, which the chain never saw', async () => {
    const id = randomUUID();
    await tamper(`insert into audit_log (id, at, actor, act, subject, detail)
      values ('${id}', '${now.toISOString()}', 'Ana', 'FEE_SET', 'x', '{}')`);
    await chainEntries(engine());
    expect(await faults()).toEqual([{ fault: 'INSERTED', no: null, entryId: id }]);
  });

  test('an entry that was inserted with a time at which the chain was complete', async () => {
    now = secondsAfterNoon(DAY_S);
    await chainEntries(engine());
    await write(entryAt(secondsAfterNoon(DAY_S / 2)));
    await chainEntries(engine());
    expect(await faults()).toEqual([{ fault: 'INSERTED', no: 6, entryId: await idAt(6) }]);
  });

  test('entries that waited for a worker that was away were not inserted', async () => {
    for (const second of [6, DAY_S / 2, DAY_S]) await write(entryAt(secondsAfterNoon(second)));
    now = secondsAfterNoon(2 * DAY_S);
    expect(await chainEntries(engine())).toBe(3);
    expect(await faults()).toEqual([]);
  });

  test('entries that came with a merchant are counted, and those of other merchants are not excused', async () => {
    now = secondsAfterNoon(DAY_S);
    await chainEntries(engine());
    await write(entryAt(NOON), entryAt(NOON, { merchantId: null }));
    await write(entryAt(now, { act: 'MERCHANT_MOVED', detail: { from: '0002', to: '0001' } }));
    await chainEntries(engine());
    const report = await verifyChain(engine(), null);
    expect(report).toMatchObject({
      copiedCount: 1,
      faults: [{ fault: 'INSERTED', no: 7, entryId: await idAt(7) }],
    });
  });

  test('a cut end, by the head or by what was exported', async () => {
    const last = (await exportAll())[4]!;
    const cut = `delete from audit_log where id = '${await idAt(5)}'; delete from audit_chain where chain_no = 5`;
    await tamper(cut);
    expect(await faults()).toEqual([{ fault: 'CUT', no: 5, entryId: null }]);
    await tamper(
      `update audit_chain_head h set head_no = 4, head_hash = c.hash from audit_chain c where chain_no = 4`,
    );
    expect(await faults()).toEqual([]);
    expect(await faults(`5:${last.hash}`)).toEqual([{ fault: 'CUT', no: 5, entryId: null }]);
    // As after a restore from a backup: the chain goes on, and is another one.
    await write(entryAt(now, { actor: 'Ben' }));
    await chainEntries(engine());
    expect(await faults()).toEqual([]);
    expect(await faults(`5:${last.hash}`)).toEqual([{ fault: 'OTHER_CHAIN', no: 5, entryId: null }]);
  });
});

test('writers that commit late and workers at once leave no entry out, and the export has each once', async () => {
  const WRITERS = 8;
  const EACH = 15;
  const stopping = new AbortController();
  const exported: ExportedLine[] = [];
  const following = (async () => {
    for await (const one of followChain(engine(), { after: { no: 0, hash: null }, until: stopping.signal }))
      exported.push(one);
  })();
  const written = new AbortController();
  const workers = [1, 2].map(async () => {
    do await chainEntries(engine());
    while (!written.signal.aborted);
  });
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; count < EACH; count += 1)
      await inTransaction(store.database, async (tx) => {
        // The number of the entry is taken here, and others commit before this one does.
        await insertAuditEntries(tx, store.keyring, [entryAt(NOON)]);
        await sleep(((writer * 7 + count * 3) % 10) * 5);
      });
  });
  await Promise.all(writers);
  written.abort();
  await Promise.all(workers);
  await chainEntries(engine());
  await expect.poll(() => exported.length, { timeout: 60_000 }).toBe(WRITERS * EACH);
  stopping.abort();
  await following;
  expect(exported.map(({ line }) => line.no)).toEqual(
    Array.from({ length: WRITERS * EACH }, (_, index) => index + 1),
  );
  const { rows } = await store.database.query<{ id: string }>('select id from audit_log');
  expect(exported.map(({ line }) => line.entryId).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  // Some committed behind others that were numbered after them, otherwise this test shows nothing.
  const entryNos = exported.map(({ line }) => line.entryNo);
  expect(entryNos).not.toEqual(entryNos.toSorted((a, b) => a - b));
  expect(await faults()).toEqual([]);
});

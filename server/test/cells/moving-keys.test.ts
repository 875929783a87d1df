// Moves while encryption keys are replaced.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { listNumbers } from '../../src/core/limits/listed-numbers.ts';
import { reEncrypt } from '../../src/core/encryption/re-encrypt.ts';
import type { Engine } from '../../src/core/engine.ts';
import { Keyring } from '../../src/store/encryption/encryption.ts';
import { TEST_KEYS } from '../gateway.ts';
import { openTwoCells, pairOf, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
});
afterAll(() => cells.stop());

const NEW = { id: 2, key: Buffer.alloc(32, 9) };

function withNewKey(engine: Engine): Engine {
  const keyring = new Keyring({ ...TEST_KEYS, encryptionKeys: [NEW, ...TEST_KEYS.encryptionKeys] });
  return Object.create(engine, { store: { value: { ...engine.store, keyring } } });
}

test('A merchant whose data key is under an older encryption key is moved when it was encrypted again, and until then that key is needed.', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const pair = { ...(await pairOf(one, two)), from: withNewKey(one.engine), to: withNewKey(two.engine) };
  const order = { merchantId, home: '0001', by: 'test', onProgress: () => undefined };
  expect(await moveMerchant(pair, order)).toEqual({ type: 'OLDER_KEY' });
  await reEncrypt(pair.from, order);
  const controller = new AbortController();
  const stop = (text: string) => {
    if (text.startsWith('compared')) controller.abort(new Error('stop'));
  };
  const stopped = { ...order, onProgress: stop, signal: controller.signal };
  expect(await moveMerchant(pair, stopped)).toEqual({ type: 'STOPPED' });
  for (const engine of [pair.from, pair.to])
    expect(await reEncrypt(engine, order)).toMatchObject({ moving: [merchantId], unused: [] });
  expect(await moveMerchant(pair, order)).toEqual({ type: 'MOVED' });
  for (const engine of [pair.from, pair.to])
    expect(await reEncrypt(engine, order)).toMatchObject({ moving: [], unused: [1] });
});

/** Data keys are encrypted again first. */
const cutOff = (table: string): void => {
  if (table === 'merchants') throw new Error('cut off');
};

test('F: what a re-encryption that was cut off after the data keys left under the older key keeps a merchant from moving, and none of it arrives under that key', async () => {
  const { one, two } = cells;
  const { merchantId } = await createDemoMerchant(one.engine, null);
  const pair = { ...(await pairOf(one, two)), from: withNewKey(one.engine), to: withNewKey(two.engine) };
  const order = { merchantId, home: '0001', by: 'test', onProgress: () => undefined };
  const phoneNumber = '250783000077';
  const entries = [{ by: 'Ana', phoneNumber, reason: 'stolen', expiresAt: null }];
  await listNumbers(one.engine, { by: 'Ana', merchantId, list: 'BLOCKED', entries });
  // The other cell is done, and says so.
  expect(await reEncrypt(pair.to, order)).toMatchObject({ unused: [1] });
  await expect(reEncrypt(pair.from, { by: 'test', onProgress: cutOff })).rejects.toThrow('cut off');
  expect(await moveMerchant(pair, order)).toEqual({ type: 'OLDER_KEY' });
  expect(await reEncrypt(pair.from, order)).toMatchObject({ unused: [1] });
  // A process that still has the older key in front writes while the merchant is copied.
  const late = (text: string) => {
    if (text.startsWith('compared')) controller.abort(new Error('stop'));
  };
  const controller = new AbortController();
  expect(await moveMerchant(pair, { ...order, onProgress: late, signal: controller.signal })).toEqual({
    type: 'STOPPED',
  });
  await listNumbers(one.engine, { by: 'Ana', merchantId, list: 'BLOCKED', entries });
  expect(await moveMerchant(pair, order)).toEqual({ type: 'OLDER_KEY' });
  await reEncrypt(pair.from, order);
  expect(await moveMerchant(pair, order)).toEqual({ type: 'MOVED' });
  const { rows } = await two.engine.store.database.query(
    `select get_byte(encrypted_number, 1) as number, get_byte(encrypted_reason, 1) as reason
     from listed_numbers where merchant_id = $1`,
    [merchantId],
  );
  expect(rows).toEqual([{ number: NEW.id, reason: NEW.id }]);
  expect(await reEncrypt(pair.to, order)).toMatchObject({ reEncrypted: 0, unused: [1] });
});

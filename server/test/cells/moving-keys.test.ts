// Moves while encryption keys are replaced.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
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

// After a change of keys: of encryption, of the console, of searches, and of one merchant's data.
import { reEncrypt } from '../../core/encryption/re-encrypt.ts';
import { rehash } from '../../core/encryption/rehash.ts';
import { destroyDataKey, replaceDataKey, type Destruction } from '../../core/encryption/replace-data-key.ts';
import { gatewayCommand, merchantCommand, print, refuse } from '../command.ts';
import type { Options } from '../options.ts';
import { wrapKeysCommand } from './wrap-keys.ts';

const readPerson = (options: Options) => ({ by: options.person() });

export const keyCommands = {
  'keys wrap': wrapKeysCommand,
  'keys re-encrypt': gatewayCommand({
    usage: '--by NAME',
    summary:
      'encrypt everything that older keys have encrypted again under the first encryption key and the first ' +
      'console key, and print which keys are no longer needed; run it as the owner of the tables, and again ' +
      'if it was interrupted',
    read: readPerson,
    run: async ({ engine, console }, { by }) => {
      const { reEncrypted, unused, inUse } = await reEncrypt(engine, { by, onProgress });
      const factors = (await console?.signIn.reEncryptTwoFactors()) ?? 0;
      if (factors > 0) onProgress('people_two_factors', factors);
      print(reEncrypted + factors === 0 ? 'nothing to do' : `encrypted again: ${reEncrypted + factors}`);
      for (const id of unused) print(`nothing needs encryption key ${id} any more`);
      if (console !== null) print('no two-factor authentication needs an older console key any more');
      for (const id of inUse)
        refuse(`A process still encrypts under encryption key ${id}: it has it in front.`);
    },
  }),
  'keys rehash': gatewayCommand({
    usage: '--by NAME',
    summary:
      'hash what payments are found by and people are forgotten by again under the first search key, and ' +
      'print what still needs an older one; run it as the owner of the tables, and again if it was ' +
      'interrupted',
    read: readPerson,
    run: async ({ engine }, { by }) => {
      const { rehashed, isOlderInUse, moving, unknownBatches } = await rehash(engine, { by, onProgress });
      print(rehashed === 0 ? 'nothing to do' : `hashed again: ${rehashed}`);
      if (unknownBatches > 0)
        print(
          `payout batches that cannot be hashed again, because a person was forgotten: ${unknownBatches}`,
        );
      for (const merchantId of moving) refuse(`${merchantId} is being moved. Run it again afterwards.`);
      if (isOlderInUse)
        return refuse('A process still hashes under an older search key: it has it in front.');
      if (moving.length === 0 && engine.store.keyring.hasOlderSearchKeys) print(NO_LONGER_NEEDED);
    },
  }),
  'data-key replace': merchantCommand({
    usage: '--merchant ID --by NAME',
    summary:
      'give a merchant a new data key and encrypt its data again under it; run it as the owner of the ' +
      'tables, and again if it was interrupted',
    read: readPerson,
    run: async (engine, order) => {
      const done = await replaceDataKey(engine, { ...order, onProgress });
      if (done === null) return refuse('This merchant has had 256 data keys, and there can be no more.');
      print(`encrypted again: ${done.reEncrypted}, under data key ${done.no}`);
      if (done.inUse.length > 0)
        return refuse('Some process still encrypts under the key before. Run it again.');
      print(`data-key destroy can destroy the one before from ${done.destroyableAt.toISOString()} on`);
    },
  }),
  'data-key destroy': merchantCommand({
    usage: '--merchant ID --by NAME',
    summary: 'destroy the earlier data key of a merchant once nothing is encrypted under it',
    read: readPerson,
    run: async (engine, order) => report(await destroyDataKey(engine, { ...order, onProgress })),
  }),
};

const NO_LONGER_NEEDED = `no search, no erasure and no repeated batch needs an older search key any more
a line of an operator's statement from before does, if another file brings it again`;

function report(destruction: Destruction): void {
  switch (destruction.type) {
    case 'DESTROYED':
      return print(`destroyed data key ${destruction.no}`);
    case 'NONE':
      return refuse('This merchant has no older data key. Run data-key replace first.');
    case 'TOO_EARLY':
      return refuse(`Not before ${destruction.destroyableAt.toISOString()}.`);
    case 'IN_USE':
      return refuse('Some process still encrypts under it. Nothing was destroyed.');
  }
}

function onProgress(table: string, count: number): void {
  print(`${table}: ${count}`);
}

// After a change of keys: of encryption, of the console, of searches, and of one merchant's data.
import { reEncrypt, type Watch } from '../../../core/encryption/re-encrypt.ts';
import { rehash } from '../../../core/encryption/rehash.ts';
import {
  destroyDataKey,
  replaceDataKey,
  type Destruction,
} from '../../../core/encryption/replace-data-key.ts';
import { gatewayCommand, merchantCommand } from '../../command.ts';
import { print, progressOutput, refuse } from '../../output.ts';
import type { Options } from '../../options.ts';
import { startProgress, type Progress } from '../../terminal/progress.ts';
import { wrapKeysCommand } from './wrap-keys.ts';

const readPerson = (options: Options) => ({ by: options.person() });

export const keyCommands = {
  'keys wrap': wrapKeysCommand,
  'keys re-encrypt': gatewayCommand({
    usage: '--by NAME',
    summary:
      're-encrypt everything under the first keys, and print which are no longer needed; as owner of the tables',
    read: readPerson,
    run: async ({ engine, console }, { by }) => {
      const { reEncrypted, unused, inUse, moving } = await watched((watch) =>
        reEncrypt(engine, { by, ...watch }),
      );
      const factors = (await console?.signIn.reEncryptTwoFactors()) ?? 0;
      if (factors > 0) print(`people_two_factors: ${factors}`);
      print(reEncrypted + factors === 0 ? 'nothing to do' : `re-encrypted: ${reEncrypted + factors}`);
      for (const id of unused) print(`encryption key ${id} is no longer needed`);
      if (console !== null) print('older console keys are no longer needed');
      for (const merchantId of moving)
        refuse(`${merchantId} is being moved. Run it again in both cells afterwards.`);
      for (const id of inUse)
        refuse(
          `A process still encrypts under encryption key ${id}: restart it with the new key first in its list.`,
        );
    },
  }),
  'keys rehash': gatewayCommand({
    usage: '--by NAME',
    summary:
      'rehash searches under the first search key, and print what needs an older one; as owner of the tables',
    read: readPerson,
    run: async ({ engine }, { by }) => {
      const { rehashed, isOlderInUse, moving, unknownBatches } = await watched((watch) =>
        rehash(engine, { by, ...watch }),
      );
      print(rehashed === 0 ? 'nothing to do' : `rehashed: ${rehashed}`);
      if (unknownBatches > 0)
        print(
          `payout batches that cannot be rehashed, because a person's data was erased: ${unknownBatches}`,
        );
      for (const merchantId of moving) refuse(`${merchantId} is being moved. Run it again afterwards.`);
      if (isOlderInUse)
        return refuse(
          'A process still hashes under an older search key: restart it with the new key first in its ' +
            'list.',
        );
      if (moving.length === 0 && engine.store.keyring.hasOlderSearchKeys) print(NO_LONGER_NEEDED);
    },
  }),
  'data-key replace': merchantCommand({
    usage: '--merchant ID --by NAME',
    summary: 'give a merchant a new data key, and re-encrypt; as owner of the tables',
    read: readPerson,
    run: async (engine, order) => {
      const done = await watched((watch) => replaceDataKey(engine, { ...order, ...watch }));
      if (done === null) return refuse('This merchant has had 256 data keys, and there can be no more.');
      print(`re-encrypted: ${done.reEncrypted}, under data key ${done.no}`);
      if (done.inUse.length > 0)
        return refuse('A process still encrypts under the previous key. Run it again.');
      print(`data-key destroy can destroy the previous key from ${done.destroyableAt.toISOString()}`);
    },
  }),
  'data-key destroy': merchantCommand({
    usage: '--merchant ID --by NAME',
    summary: 'destroy the old data key once nothing needs it',
    read: readPerson,
    run: async (engine, order) =>
      report(await watched((watch) => destroyDataKey(engine, { ...order, ...watch }))),
  }),
};

const NO_LONGER_NEEDED = `older search keys are no longer needed for searches, erasures and repeated batches
they are needed to recognise lines of operator reports that were imported before, if another file has them too`;

function report(destruction: Destruction): void {
  switch (destruction.type) {
    case 'DESTROYED':
      return print(`destroyed data key ${destruction.no}`);
    case 'NONE':
      return refuse('This merchant has no older data key. Run data-key replace first.');
    case 'TOO_EARLY':
      return refuse(`Not before ${destruction.destroyableAt.toISOString()}.`);
    case 'IN_USE':
      return refuse('A process still encrypts under it. Nothing was destroyed.');
  }
}

/** Results of tables go to standard output, the progress of large ones to standard error. */
async function watched<Result>(work: (watch: Watch) => Promise<Result>): Promise<Result> {
  let current: { readonly table: string; readonly progress: Progress } | null = null;
  const end = () => {
    current?.progress.end();
    current = null;
  };
  const onRows = (table: string, read: number, total: number) => {
    if (current?.table !== table) {
      end();
      current = {
        table,
        progress: startProgress(progressOutput, { what: `rows of ${table}`, from: read }),
      };
    }
    current.progress.move(read, total);
  };
  const onProgress = (table: string, count: number) => {
    end();
    print(`${table}: ${count}`);
  };
  try {
    return await work({ onRows, onProgress });
  } finally {
    end();
  }
}

// After a change of the search key.
import { rehash } from '../../core/encryption/rehash.ts';
import { print, readOptions, refuse, requirePerson, TEXT, withGateway, type Command } from '../command.ts';

const rehashCommand: Command = {
  usage: '--by NAME',
  summary:
    'hash what payments are found by and people are forgotten by again under the first search key, and ' +
    'print what still needs an older one; run it as the owner of the tables, and again if it was ' +
    'interrupted',
  run: async (args) => {
    const by = requirePerson(readOptions(args, { by: TEXT }));
    await withGateway(async ({ engine }) => {
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
    });
  },
};

const NO_LONGER_NEEDED = `no search, no erasure and no repeated batch needs an older search key any more
a line of an operator's statement from before does, if another file brings it again`;

function onProgress(table: string, count: number): void {
  print(`${table}: ${count}`);
}

export const searchKeyCommands: ReadonlyMap<string, Command> = new Map([['keys rehash', rehashCommand]]);

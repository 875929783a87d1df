// The keys that merchants' personal data is encrypted under.
import { destroyDataKey, replaceDataKey, type Destruction } from '../../core/encryption/replace-data-key.ts';
import { print, readOptions, refuse, requirePerson, TEXT, withMerchant, type Command } from '../command.ts';

const replaceDataKeyCommand: Command = {
  usage: '--merchant ID --by NAME',
  summary:
    'give a merchant a new data key and encrypt its data again under it; run it as the owner of the ' +
    'tables, and again if it was interrupted',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, by: TEXT });
    const by = requirePerson(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      const done = await replaceDataKey(engine, { by, merchantId, onProgress });
      if (done === null) return refuse('This merchant has had 256 data keys, and there can be no more.');
      print(`encrypted again: ${done.reEncrypted}, under data key ${done.no}`);
      if (done.inUse.length > 0)
        return refuse('Some process still encrypts under the key before. Run it again.');
      print(`data-key destroy can destroy the one before from ${done.destroyableAt.toISOString()} on`);
    });
  },
};

const destroyDataKeyCommand: Command = {
  usage: '--merchant ID --by NAME',
  summary: 'destroy the earlier data key of a merchant once nothing is encrypted under it',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, by: TEXT });
    const by = requirePerson(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      report(await destroyDataKey(engine, { by, merchantId, onProgress }));
    });
  },
};

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

export const dataKeyCommands: ReadonlyMap<string, Command> = new Map([
  ['data-key replace', replaceDataKeyCommand],
  ['data-key destroy', destroyDataKeyCommand],
]);

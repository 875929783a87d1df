// After a change of sealing keys, or of the console key.
import { reseal } from '../../core/encryption/re-encrypt.ts';
import { print, readOptions, refuse, requirePerson, TEXT, withGateway, type Command } from '../command.ts';

const resealCommand: Command = {
  usage: 'reseal --by NAME',
  summary:
    'seal anew, under the first sealing key and the first console key, what older ones have sealed, and say which ' +
    'nothing needs any more; run it as the owner of the tables, and again if it was cut off',
  run: async (args) => {
    const by = requirePerson(readOptions(args, { by: TEXT }));
    await withGateway(async ({ engine, console }) => {
      const { resealed, unused, inUse } = await reseal(engine, { by, onProgress });
      const factors = (await console?.signIn.resealSecondFactors()) ?? 0;
      if (factors > 0) onProgress('people_second_factors', factors);
      print(resealed + factors === 0 ? 'nothing to do' : `sealed anew: ${resealed + factors}`);
      for (const id of unused) print(`nothing needs sealing key ${id} any more`);
      if (console !== null) print('no second factor needs an older console key any more');
      for (const id of inUse) refuse(`A process still seals under sealing key ${id}: it has it in front.`);
    });
  },
};

function onProgress(table: string, count: number): void {
  print(`${table}: ${count}`);
}

export const sealingKeyCommands: ReadonlyMap<string, Command> = new Map([['reseal', resealCommand]]);

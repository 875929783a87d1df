// After a change of sealing keys.
import { reseal } from '../../core/reseal.ts';
import { print, readOptions, refuse, requirePerson, TEXT, withGateway, type Command } from '../command.ts';

const resealCommand: Command = {
  usage: 'reseal --by NAME',
  summary:
    'seal anew, under the first sealing key, what older ones have sealed, and say which of them nothing needs any ' +
    'more; run it as the owner of the tables, and again if it was cut off',
  run: async (args) => {
    const by = requirePerson(readOptions(args, { by: TEXT }));
    await withGateway(async ({ engine }) => {
      const { resealed, unused, inUse } = await reseal(engine, { by, onProgress });
      print(resealed === 0 ? 'nothing to do' : `sealed anew: ${resealed}`);
      for (const id of unused) print(`nothing needs sealing key ${id} any more`);
      for (const id of inUse) refuse(`A process still seals under sealing key ${id}: it has it in front.`);
    });
  },
};

function onProgress(table: string, count: number): void {
  print(`${table}: ${count}`);
}

export const sealingKeyCommands: ReadonlyMap<string, Command> = new Map([['reseal', resealCommand]]);

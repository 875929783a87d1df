// After a change of sealing keys.
import { reseal } from '../../core/reseal.ts';
import { print, readOptions, requirePerson, TEXT, withGateway, type Command } from '../command.ts';

const resealCommand: Command = {
  usage: 'reseal --by NAME',
  summary:
    'seal anew, under the first sealing key, what older ones have sealed; run it as the owner of the tables, ' +
    'and again if it was cut off',
  run: async (args) => {
    const values = readOptions(args, { by: TEXT });
    const by = requirePerson(values);
    await withGateway(async ({ engine }) => {
      const onDone = (table: string, count: number) => print(`${table}: ${count}`);
      const total = await reseal(engine, { by, onDone });
      print(total === 0 ? 'nothing to do' : `sealed anew: ${total}`);
    });
  },
};

export const sealingKeyCommands: ReadonlyMap<string, Command> = new Map([['reseal', resealCommand]]);

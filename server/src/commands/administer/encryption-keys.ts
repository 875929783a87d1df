// After a change of encryption keys, or of the console key.
import { reEncrypt } from '../../core/encryption/re-encrypt.ts';
import { print, readOptions, refuse, requirePerson, TEXT, withGateway, type Command } from '../command.ts';

const reEncryptCommand: Command = {
  usage: '--by NAME',
  summary:
    'encrypt everything that older keys have encrypted again under the first encryption key and the first ' +
    'console key, and print which keys are no longer needed; run it as the owner of the tables, and again ' +
    'if it was interrupted',
  run: async (args) => {
    const by = requirePerson(readOptions(args, { by: TEXT }));
    await withGateway(async ({ engine, console }) => {
      const { reEncrypted, unused, inUse } = await reEncrypt(engine, { by, onProgress });
      const factors = (await console?.signIn.reEncryptTwoFactors()) ?? 0;
      if (factors > 0) onProgress('people_two_factors', factors);
      print(reEncrypted + factors === 0 ? 'nothing to do' : `encrypted again: ${reEncrypted + factors}`);
      for (const id of unused) print(`nothing needs encryption key ${id} any more`);
      if (console !== null) print('no two-factor authentication needs an older console key any more');
      for (const id of inUse)
        refuse(`A process still encrypts under encryption key ${id}: it has it in front.`);
    });
  },
};

function onProgress(table: string, count: number): void {
  print(`${table}: ${count}`);
}

export const encryptionKeyCommands: ReadonlyMap<string, Command> = new Map([
  ['keys re-encrypt', reEncryptCommand],
]);

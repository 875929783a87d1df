// `malipo-server migrate`: brings the database to this build's schema.
import { readConfig } from '../config.ts';
import { inTransaction, openDatabase } from '../store/database.ts';
import { migrate } from '../store/schema/migrate.ts';
import { renewRights } from '../store/schema/rights.ts';
import { type Command } from './command.ts';
import { print } from './output.ts';

export const migrateCommand: Command = {
  usage: '',
  summary: 'update the schema, and the rights of database roles',
  run: async () => {
    const { cell, directUrl } = readConfig();
    const database = openDatabase({
      url: directUrl ?? cell.databaseUrl,
      connectionsMax: 1,
      applicationName: 'malipo migrate',
      isPatient: true,
    });
    try {
      const applied = await migrate(database, {
        now: new Date(),
        onApplied: (name) => print(`applied ${name}`),
      });
      if (applied.length === 0) print('nothing to do');
      const roles = await inTransaction(database, renewRights);
      if (roles.length > 0) print(`renewed the rights of ${roles.join(', ')}`);
    } finally {
      await database.end();
    }
  },
};

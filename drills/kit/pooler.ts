// PgBouncer between the gateway and the balancer, with the settings of docs/operating/database.md: the drill runs what
// a host reads. Only addresses are added.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, unprivilegedIdentity } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { Child } from './child.ts';
import { readDatabasePage } from './database-page.ts';
import type { Scratch } from './scratch.ts';
import type { Environment } from './settings.ts';

export type Pooler = {
  /** For a gateway whose database is behind it. */
  readonly environment: Environment;
  /** Kills it, and starts it again after a while. Answers false where it is already dead. */
  readonly kill: (awayMs: number) => Promise<boolean>;
};

/** `databaseUrl`: where the balancer leads to the primary. */
export async function startPooler(
  hooks: ShutdownHooks,
  scratch: Scratch,
  databaseUrl: string,
): Promise<Pooler> {
  await setRole(databaseUrl, readDatabasePage('sql', 'alter role'));
  const port = await freePort();
  const url = new URL(databaseUrl);
  const folder = scratch.folder('pgbouncer');
  const [users, configPath] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  writeFileSync(users, `"${url.username}" ""\n`);
  const settings = readDatabasePage('ini', '[databases]').replace(
    'host=10.0.0.5 port=5432',
    `host=127.0.0.1 port=${url.port}`,
  );
  const place = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n`;
  writeFileSync(configPath, `${settings}\n${place}auth_type = trust\nauth_file = ${users}\n`);
  const identity = await unprivilegedIdentity();
  const logPath = join(scratch.folder('logs'), 'pgbouncer.log');
  const start = () =>
    new Child({ command: '/usr/sbin/pgbouncer', args: [configPath], logPath, identity, cwd: folder });
  let child = start();
  hooks.add(() => child.end());
  url.port = String(port);
  return {
    environment: {
      DATABASE_URL: url.href,
      MALIPO_DATABASE_DIRECT_URL: databaseUrl,
      MALIPO_DATABASE_STATEMENT_NAMES: 'none',
    },
    kill: async (awayMs) => {
      if (child.hasEnded) return false;
      await child.end();
      await sleep(awayMs);
      child = start();
      return true;
    },
  };
}

async function setRole(databaseUrl: string, statements: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl, connectionsMax: 1, applicationName: 'drill' });
  await database.query(statements);
  await database.end();
}

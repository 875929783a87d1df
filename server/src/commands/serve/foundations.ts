// What a process stands on: its database, with the right schema; its clock; in a sandbox, the sandbox's parts.
import { ConfigError } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../domain/clock.ts';
import type { LocalParts, SandboxParts } from '../../sandbox/parts.ts';
import { listMissingSettings, openDatabase, type Database } from '../../store/database.ts';
import { checkSchema } from '../../store/schema/migrate.ts';
import { requireRealTime, systemClock } from './clock.ts';
import type { ShutdownHooks } from './shutdown-hooks.ts';

export type Foundations = {
  readonly database: Database;
  readonly sandbox: SandboxParts | null;
  readonly clock: Clock;
};

export async function openFoundations(
  config: Config,
  local: LocalParts | null,
  shutdownHooks: ShutdownHooks,
): Promise<Foundations> {
  const database = openDatabase({
    url: config.cell.databaseUrl,
    connectionsMax: config.connectionsMax,
    applicationName: 'malipo',
    connections: config.connections,
  });
  shutdownHooks.add(() => database.end());
  await requireSchema(database);
  if (config.connections.isPooled) await requireSettings(database);
  const sandbox = await loadSandbox(config, local, database);
  shutdownHooks.add(async () => sandbox?.close());
  return { database, sandbox, clock: sandbox?.clock ?? (await openRealClock(config, database)) };
}

async function requireSchema(database: Database): Promise<void> {
  const fitness = await checkSchema(database);
  switch (fitness.type) {
    case 'FITS':
      return;
    case 'BEHIND':
      throw new ConfigError(`The database lacks ${fitness.missing.join(', ')}. Run: malipo-server migrate`);
    case 'TOO_NEW':
      throw new ConfigError(
        `The database is for a newer Malipo (${fitness.breaking.join(', ')}). Upgrade this one.`,
      );
  }
}

/** Where a pooler shares connections between transactions, only the role can bring them. */
async function requireSettings(database: Database): Promise<void> {
  const missing = await listMissingSettings(database);
  if (missing.length === 0) return;
  throw new ConfigError(
    `The database role lacks settings that a pooler cannot bring. Run as its administrator: ${missing.join(' ')} ` +
      'Then RECONNECT at the pooler: its sessions are from before.',
  );
}

async function openRealClock(config: Config, database: Database): Promise<Clock> {
  if (config.environment === 'production') await requireRealTime(database);
  return systemClock;
}

/** Loaded only where it is needed: `readConfig` refuses a simulator and a movable clock in production. */
async function loadSandbox(
  { environment, simulator, clockIsMovable }: Config,
  local: LocalParts | null,
  database: Database,
): Promise<SandboxParts | null> {
  if (environment === 'production' && simulator === null && !clockIsMovable) return null;
  const { openSandboxParts } = await import('../../sandbox/parts.ts');
  return openSandboxParts({ simulator, clockIsMovable, local }, database);
}

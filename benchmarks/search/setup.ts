// The setup of the search benchmark: a database with many payments of one merchant, an API, and a signed-in user of the
// merchant.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import { acceptInvitation, invite } from '../../server/src/core/merchants/team.ts';
import type { Database } from '../../server/src/store/database.ts';
import { consoleCaller, signIn, type Person } from '../../drills/kit/api.ts';
import { openRunDatabase, startDatabase, withHooks } from '../../drills/kit/database.ts';
import { openAdmin, startServer } from '../../drills/kit/processes.ts';
import type { Say } from '../../drills/kit/program.ts';
import { openScratch } from '../../drills/kit/scratch.ts';
import { BY, CONSOLE_SETTINGS, type Environment } from '../../drills/kit/settings.ts';
import type { Past } from '../../tools/seed-payments/random-payment.ts';
import { seedPayments } from '../../tools/seed-payments/seed.ts';
import { benchSettings } from '../gateway/settings.ts';

export type SearchSetup = {
  readonly past: Past;
  readonly seedSeconds: number;
  readonly database: Database;
  /** Reads from the console's API as a user of the merchant. */
  readonly read: (path: string) => Promise<unknown>;
};

const CLUSTER_SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB', 'checkpoint_timeout=30min'];

/** What a later run must know to continue with a folder. */
type Kept = {
  readonly environment: Environment;
  readonly past: Omit<Past, 'until'> & { readonly until: string };
  readonly seedSeconds: number;
  readonly person: Person;
};

export type SetupOptions = {
  readonly count: number;
  /** Where the cluster is kept, to be measured again; null for a temporary one. */
  readonly folder: string | null;
  readonly say: Say;
};

export async function startSearch(hooks: ShutdownHooks, options: SetupOptions): Promise<SearchSetup> {
  const { say } = options;
  const folder = options.folder === null ? null : resolve(options.folder);
  if (folder !== null) mkdirSync(folder, { recursive: true });
  say('PostgreSQL and the schema');
  const directory = folder === null ? {} : { directory: folder };
  const url = await startDatabase(hooks, { settings: CLUSTER_SETTINGS, ...directory });
  const kept = readKept(folder) ?? (await load(url, { ...options, folder }));
  say('the API');
  const environment = { ...kept.environment, DATABASE_URL: url };
  const api = await startServer(hooks, openScratch(hooks), { role: 'api', environment });
  const call = consoleCaller(api.url, await signIn(api.url, kept.person));
  return {
    past: { ...kept.past, until: new Date(kept.past.until) },
    seedSeconds: kept.seedSeconds,
    database: openRunDatabase(hooks, url),
    read: (path) => call('GET', path),
  };
}

const FACTS = 'search.json';

function readKept(folder: string | null): Kept | null {
  const path = join(folder ?? '', FACTS);
  return folder !== null && existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : null;
}

function load(databaseUrl: string, { count, folder, say }: SetupOptions): Promise<Kept> {
  const environment = { ...benchSettings(databaseUrl, 'http://127.0.0.1:9'), ...CONSOLE_SETTINGS };
  return withHooks(async (hooks) => {
    const gateway = await openAdmin(hooks, environment);
    say(`${count} payments`);
    const since = performance.now();
    const order = { count, until: new Date(), days: 180, seed: 1, merchantId: null, say };
    const past = await seedPayments(gateway.engine, order);
    const seedSeconds = Math.round((performance.now() - since) / 1_000);
    const person = await createPerson(gateway, past.merchantId);
    const kept: Kept = {
      environment,
      past: { ...past, until: past.until.toISOString() },
      seedSeconds,
      person,
    };
    if (folder !== null) writeFileSync(join(folder, FACTS), JSON.stringify(kept));
    return kept;
  });
}

async function createPerson({ engine, console }: Gateway, merchantId: string): Promise<Person> {
  if (console === null) throw new Error('this gateway has no console');
  const person = { email: 'finder@example.com', password: randomUUID() };
  const { personId } = await console.signIn.createPerson({ name: 'Finder', ...person });
  const token = await invite(engine, { by: BY, merchantId, email: person.email, role: 'OWNER' });
  await acceptInvitation(engine, { token, personId, email: person.email });
  return person;
}

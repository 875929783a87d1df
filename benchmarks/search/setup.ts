// The stage of a search proof: a database with many payments of one merchant, an API before it, and somebody of the
// merchant who is signed in.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { acceptInvitation, invite } from '../../server/src/core/merchants/team.ts';
import { openDatabase, type Database } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { startServerProcess } from '../../drills/kit/server-process.ts';
import { settings, silent } from '../gateway/setup.ts';
import { openScratch, type Scratch } from '../../drills/kit/scratch.ts';
import type { Past } from '../../tools/seed-payments/draw.ts';
import { seedPayments } from '../../tools/seed-payments/seed.ts';

export type SearchStage = {
  readonly past: Past;
  readonly seedSeconds: number;
  readonly database: Database;
  /** Reads from the console's API as somebody of the merchant. */
  readonly read: (path: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

const CLUSTER_SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB', 'checkpoint_timeout=30min'];

/** What a later run must know to go on with a folder. */
type Kept = {
  readonly environment: Readonly<Record<string, string>>;
  readonly past: Omit<Past, 'until'> & { readonly until: string };
  readonly seedSeconds: number;
  readonly person: Person;
};

type Person = { readonly email: string; readonly password: string };

export type StageOptions = {
  readonly count: number;
  /** Where the cluster stays, to be measured again; null for one that goes. */
  readonly folder: string | null;
  readonly say: (text: string) => void;
};

export async function openSearchStage(options: StageOptions): Promise<SearchStage> {
  const shutdownHooks = new ShutdownHooks();
  const scratch = openScratch({ keep: false });
  shutdownHooks.add(scratch.close);
  try {
    options.say('PostgreSQL and the schema');
    const directory = options.folder === null ? {} : { directory: options.folder };
    const cluster = await startLocalCluster({ settings: CLUSTER_SETTINGS, ...directory });
    if (cluster === null)
      throw new Error('The proof needs PostgreSQL 15 or newer: install its server programs.');
    shutdownHooks.add(cluster.stop);
    const database = openDatabase({
      url: cluster.url,
      connectionsMax: 2,
      applicationName: 'proof',
      isPatient: true,
    });
    shutdownHooks.add(() => database.end());
    await migrate(database, { now: new Date() });
    const kept = readKept(options.folder) ?? (await load(cluster.url, scratch, options));
    options.say('the API');
    const environment = { ...kept.environment, DATABASE_URL: cluster.url, BENCH_SCRATCH: scratch.path };
    const api = await startServerProcess('api', environment);
    shutdownHooks.add(api.kill);
    const url = `http://${api.target}`;
    const cookie = await signIn(url, kept.person);
    return {
      past: { ...kept.past, until: new Date(kept.past.until) },
      seedSeconds: kept.seedSeconds,
      database,
      read: (path) => read(url, cookie, path),
      close: () => shutdownHooks.run(),
    };
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

const FACTS = 'search.json';

function readKept(folder: string | null): Kept | null {
  const path = join(folder ?? '', FACTS);
  return folder !== null && existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : null;
}

async function load(databaseUrl: string, scratch: Scratch, options: StageOptions): Promise<Kept> {
  const environment = {
    ...settings(databaseUrl, 'http://127.0.0.1:9', scratch),
    MALIPO_CONSOLE_KEY: randomBytes(32).toString('base64'),
    MALIPO_TWO_FACTOR: 'OPTIONAL',
  };
  const gateway = await openGateway(silent(environment), { role: 'admin' });
  try {
    const { count, folder, say } = options;
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
  } finally {
    await gateway.stop();
  }
}

async function createPerson({ engine, console }: Gateway, merchantId: string): Promise<Person> {
  if (console === null) throw new Error('this gateway has no console');
  const person = { email: 'finder@example.com', password: randomUUID() };
  const { personId } = await console.signIn.createPerson({ name: 'Finder', ...person });
  const token = await invite(engine, { by: 'proof', merchantId, email: person.email, role: 'OWNER' });
  await acceptInvitation(engine, { token, personId, email: person.email });
  return person;
}

async function signIn(url: string, person: Person): Promise<string> {
  const response = await fetch(`${url}/console/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(`signing in was answered ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function read(url: string, cookie: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}/console/api/${path}`, { headers: { cookie } });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

// A cluster with a day of an operator account, the gateway as a process of its own, and two administrators.
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
  type WriteStream,
} from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import { startCloses } from '../../server/src/core/daily-close/accounts.ts';
import { acceptInvitation, invite } from '../../server/src/core/merchants/team.ts';
import { timeZoneOf } from '../../server/src/domain/operators/time-zones.ts';
import { addDays, dayIn, startOfDay } from '../../server/src/domain/time-zone.ts';
import { loadDataKeys } from '../../server/src/store/encryption/data-keys.ts';
import { DEMO_PASSWORD } from '../../server/src/commands/sandbox/demo-people.ts';
import { Colleague } from '../../drills/books/colleague.ts';
import { Child } from '../../drills/kit/child.ts';
import { openRunDatabase, startDatabase, withHooks } from '../../drills/kit/database.ts';
import { addMerchant } from '../../drills/kit/merchants.ts';
import { MAIN, openAdmin, runEnvironment, startServer } from '../../drills/kit/processes.ts';
import type { Say } from '../../drills/kit/program.ts';
import { openScratch } from '../../drills/kit/scratch.ts';
import { BY, CONSOLE_SETTINGS, type Environment } from '../../drills/kit/settings.ts';
import { insertWithBooks, vacuumPast } from '../../tools/seed-payments/seed.ts';
import { Meters } from '../gateway/meters.ts';
import { benchSettings, CLUSTER_SETTINGS } from '../gateway/settings.ts';
import { ACCOUNT, COUNTRY, HEADER, linesOf, paymentOf, type Day } from './day.ts';

const PEOPLE = ['ana@host.example', 'ben@host.example'] as const;
const INSERTED_AT_ONCE = 1_000;
const WRITERS = 2;
/** Enough for all payouts. */
const BALANCE = '100000000000';

export type Setup = {
  readonly day: string;
  /** The operator's report of the day, in several files. */
  readonly files: readonly string[];
  /** The gateway's process. */
  readonly pid: number;
  readonly meters: Meters;
  readonly people: readonly [Colleague, Colleague];
  readonly isImported: boolean;
  readonly noteImported: () => void;
  /** Starts a command of the gateway as a process of its own. */
  readonly startCommand: (args: readonly string[]) => Child;
  readonly count: (query: string) => Promise<number>;
};

export type SetupOptions = {
  readonly lines: number;
  readonly files: number;
  /** Where the cluster is kept, to be measured again; null for a temporary one. */
  readonly folder: string | null;
  readonly say: Say;
};

/** What a later run must know to continue with a folder. */
type Kept = { readonly day: string; readonly files: readonly string[]; isImported: boolean };

export async function startSetup(hooks: ShutdownHooks, options: SetupOptions): Promise<Setup> {
  const { say } = options;
  const scratch = openScratch(hooks);
  const folder = options.folder === null ? null : resolve(options.folder);
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const directory = folder === null ? {} : { directory: folder };
  say('PostgreSQL and the schema');
  const url = await startDatabase(hooks, { settings: CLUSTER_SETTINGS, ...directory });
  const environment = {
    ...benchSettings(url, 'http://127.0.0.1:9'),
    ...CONSOLE_SETTINGS,
    MALIPO_LOG_LEVEL: 'warn',
  };
  const factsPath = join(folder ?? scratch.path, 'daily-close.json');
  const kept = existsSync(factsPath)
    ? (JSON.parse(readFileSync(factsPath, 'utf8')) as Kept)
    : { ...(await load(environment, { ...options, folder: folder ?? scratch.path })), isImported: false };
  const note = () => writeFileSync(factsPath, JSON.stringify(kept));
  note();
  const server = await startServer(hooks, scratch, { role: 'all', environment });
  say(`the gateway is up as process ${server.child.pid}; its log is ${server.child.logPath}`);
  const database = openRunDatabase(hooks, url);
  const [first, second] = PEOPLE;
  return {
    day: kept.day,
    files: kept.files,
    pid: server.child.pid,
    meters: await Meters.open(database, { gateway: [server.child.pid] }),
    people: [await Colleague.signIn(server.url, first), await Colleague.signIn(server.url, second)],
    isImported: kept.isImported,
    noteImported: () => {
      kept.isImported = true;
      note();
    },
    startCommand: (args) =>
      new Child({
        args: [MAIN, ...args],
        env: { ...environment, ...runEnvironment(scratch) },
        logPath: join(scratch.folder('logs'), 'commands.log'),
      }),
    count: async (query) => {
      const { rows } = await database.query<{ count: number }>(query);
      return rows[0]?.count ?? -1;
    },
  };
}

/** Yesterday, so that it is over. */
async function load(
  environment: Environment,
  { lines: count, files: fileCount, folder, say }: SetupOptions & { readonly folder: string },
) {
  return withHooks(async (hooks) => {
    const gateway = await openAdmin(hooks, environment);
    const { engine } = gateway;
    const timeZone = timeZoneOf(COUNTRY);
    const day = addDays(dayIn(timeZone, new Date()), -1);
    const [from, to] = [startOfDay(day, timeZone), startOfDay(addDays(day, 1), timeZone)];
    const market = { code: ACCOUNT.provider, country: COUNTRY, currency: ACCOUNT.currency };
    const facts = { name: 'Shop', callbackUrl: 'https://shop.example/callbacks', markets: [market] };
    const { merchantId } = await addMerchant(engine, { ...facts, balance: BALANCE });
    for (const email of PEOPLE) await addAdministrator(gateway, email);
    await startCloses(engine, { by: BY, ...ACCOUNT, firstDay: day, timeZone: null, dueHours: 36 });
    await loadDataKeys(engine.store, [merchantId]);
    const facts2: Day = { merchantId, from, to, count };
    say(`${count} payments of ${day}`);
    const files = openFiles(folder, fileCount);
    const context = { keyring: engine.store.keyring, endpoints: new Map<string, string>() };
    let next = 0;
    const write = async (rounds = Infinity) => {
      for (let begin = next; begin < count && rounds > 0; begin = next, rounds -= 1) {
        next += INSERTED_AT_ONCE;
        const numbers = Array.from(
          { length: Math.min(INSERTED_AT_ONCE, count - begin) },
          (_, i) => begin + i,
        );
        const payments = numbers.map((number) => paymentOf(number, facts2));
        await insertWithBooks(engine, context, payments);
        const file = files[Math.floor((begin * fileCount) / count)];
        file?.write(payments.flatMap((payment, index) => linesOf(payment, begin + index)).join(''));
        if (begin % 100_000 === 0) say(`from ${begin}`);
      }
    };
    // The first alone: both would wait for each other to create the accounts.
    await write(1);
    await Promise.all(Array.from({ length: WRITERS }, () => write()));
    for (const file of files) await once(file.end(), 'close');
    say('vacuum and statistics');
    await vacuumPast(engine);
    return { day, files: files.map(({ path }) => String(path)) };
  });
}

function openFiles(folder: string, count: number): readonly WriteStream[] {
  return Array.from({ length: count }, (_, index) => {
    const file = createWriteStream(join(folder, `report-${index + 1}.csv`));
    file.write(HEADER);
    return file;
  });
}

async function addAdministrator({ engine, console }: Gateway, email: string): Promise<void> {
  if (console === null) throw new Error('this gateway has no console');
  const { personId } = await console.signIn.createPerson({ email, name: email, password: DEMO_PASSWORD });
  const token = await invite(engine, { by: BY, merchantId: null, email, role: 'OPERATOR_ADMIN' });
  await acceptInvitation(engine, { token, personId, email });
}

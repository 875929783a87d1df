// Two cells as a host runs them: a PostgreSQL cluster each, processes of their own, and one operator for both.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { startLocalCluster, type LocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { readConfig } from '../../server/src/config.ts';
import {
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
} from '../../server/src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../server/src/core/ledger/administer-wallets.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { OPERATIONS } from '../../server/src/domain/payments/payment.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { Child } from '../kit/child.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import type { Merchant } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { CLIENT, serverEnvironment, simulatorOptions } from '../kit/settings.ts';
import { waitUntilUp } from '../kit/wait-until-up.ts';

export type CellStage = {
  readonly scratch: Scratch;
  /** Where everything is sent to, wherever the merchant lives: the first cell's address. */
  readonly apiUrl: string;
  readonly simulatorUrl: string;
  /** The first one moves, the second one stays where it is. */
  readonly merchants: readonly [mover: Merchant, stayer: Merchant];
  /** Each cell as a person at its console has it. */
  readonly consoles: readonly [first: Gateway, second: Gateway];
  /** What a process of a cell is given. */
  readonly environmentOf: (cell: number) => Record<string, string>;
  readonly close: () => Promise<void>;
};

export const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const SIMULATOR = fileURLToPath(new URL('../kit/simulator-process.ts', import.meta.url));
const BY = 'proof';
const OPENING_BALANCE = parseAmount('100000000') ?? 0n;

export type CellStageOptions = {
  readonly keep: boolean;
  readonly onFinal: (merchantId: string, kind: string, id: string, status: string) => void;
};

export async function openCellStage(options: CellStageOptions): Promise<CellStage> {
  const scratch = openScratch(options);
  const clusters = await Promise.all([startCluster(), startCluster()]);
  const ports = [await freePort(), await freePort()];
  const simulatorPort = await freePort();
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const environmentOf = (cell: number): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: join(scratch.path, 'compiled'),
    ...serverEnvironment({
      databaseUrl: clusters[cell]?.url ?? '',
      apiUrl: addresses[cell] ?? '',
      simulatorUrl,
      tempo: 'SHORT',
      repeats: 'CHARGED',
    }),
    MALIPO_CELLS: clusters.map(({ url }, index) => `000${index + 1}=${url}`).join(' '),
    MALIPO_CELL_URLS: addresses.map((url, index) => `000${index + 1}=${url}`).join(' '),
    MALIPO_CELL: `000${cell + 1}`,
    MALIPO_PORT: String(ports[cell]),
  });
  for (const { url } of clusters) await bringUpToDate(url);
  const journalPath = join(scratch.folder('simulator'), 'journal.jsonl');
  const simulated = {
    ...CLIENT,
    ...simulatorOptions('SHORT'),
    repeats: 'CHARGED',
    journalPath,
    control: true,
  };
  const start = (name: string, args: readonly string[], env: Record<string, string>) =>
    new Child({ command: process.execPath, args, env, logPath: join(scratch.folder('logs'), `${name}.log`) });
  const simulator = JSON.stringify({ ...simulated, port: simulatorPort });
  const children = [
    start('simulator', [SIMULATOR, scratch.path, simulator], { PATH: process.env['PATH'] ?? '' }),
    start('cell1', [MAIN, 'all'], environmentOf(0)),
    start('cell2', [MAIN, 'all'], environmentOf(1)),
  ];
  const consoles = await Promise.all([openConsole(environmentOf(0)), openConsole(environmentOf(1))]);
  const merchants = [
    await addMerchant(consoles[0], 'Mover', options.onFinal),
    await addMerchant(consoles[0], 'Stayer', options.onFinal),
  ] as const;
  for (const url of [...addresses.map((one) => `${one}/ready`), `${simulatorUrl}/control/settings`]) {
    await waitUntilUp(url);
  }
  return {
    scratch,
    apiUrl: addresses[0] ?? '',
    simulatorUrl,
    merchants,
    consoles,
    environmentOf,
    close: async () => {
      for (const child of children) child.signal('SIGKILL');
      for (const console of consoles) await console.stop().catch(() => undefined);
      for (const { endpoint } of merchants) await endpoint.close();
      for (const cluster of clusters) await cluster.stop();
      await scratch.close();
    },
  };
}

async function startCluster(): Promise<LocalCluster> {
  const cluster = await startLocalCluster();
  if (cluster === null) throw new Error('there is no PostgreSQL on this machine');
  return cluster;
}

async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'proof', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}

function openConsole(environment: Record<string, string>): Promise<Gateway> {
  return openGateway(readConfig({ ...environment, MALIPO_LOG_LEVEL: 'silent' }), { role: 'admin' });
}

async function addMerchant(
  { engine }: Gateway,
  companyName: string,
  onFinal: CellStageOptions['onFinal'],
): Promise<Merchant> {
  const facts = { by: BY, companyName, operations: OPERATIONS, walletPerProvider: false };
  const merchantId = await createMerchant(engine, facts);
  const token = { by: BY, merchantId, name: BY, scopes: SCOPES, expiresAt: null };
  const { text: apiToken } = await createToken(engine, token);
  const endpoint = new Endpoint((kind, id, status) => onFinal(merchantId, kind, id, status));
  await endpoint.open();
  await setCallbackUrl(engine, { by: BY, merchantId, url: endpoint.url });
  const places = new Map(
    MARKETS.map(({ country, currency }) => [`${country} ${currency}`, { country, currency }]),
  );
  await topUpWallets(
    engine,
    [...places.values()].map((place) => ({ ...place, by: BY, merchantId, amount: OPENING_BALANCE })),
  );
  return { merchantId, apiToken, endpoint };
}

// Two cells for a test: each its own database and gateway, one simulator as the operator of both. The way from each
// cell to the other's database can be cut.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Gateway } from '../src/commands/serve/compose.ts';
import { createDemoMerchant, type DemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { freePort } from '../src/commands/sandbox/local-machine.ts';
import type { Config } from '../src/config.ts';
import { startSimulator, type RunningSimulator } from '../src/sandbox/simulator/simulator.ts';
import type { Engine } from '../src/core/engine.ts';
import type { MoveCells } from '../src/core/cells/moving/copy-payments.ts';
import { moveMerchant, type MoveAnswer } from '../src/core/cells/moving/move-merchant.ts';
import { readShapes } from '../src/store/cells/moving/copy-rows.ts';
import { createTestDatabase } from './database.ts';
import { SIMULATOR_CLIENT, testConfig, type TestGatewayOptions } from './gateway.ts';
import { openUnderRoles } from './lesser-roles.ts';
import { throughPooler } from './pgbouncer.ts';
import { startCallbackReceiver, type CallbackReceiver } from './receiver.ts';

export type TestCell = {
  readonly engine: Engine;
  readonly gateway: Gateway;
  readonly url: string;
  readonly config: Config;
  readonly link: CellLink;
};

/** The way on which other cells reach a cell's database. */
export type CellLink = {
  /** Ends every connection and refuses new ones, as a server that is down. */
  readonly refuse: () => void;
  /** Keeps every connection and answers nothing, as a network that lost its way. */
  readonly fallSilent: () => void;
  readonly restore: () => void;
};

export type TwoCells = {
  /** The home of the merchant. */
  readonly one: TestCell;
  readonly two: TestCell;
  readonly merchant: DemoMerchant;
  readonly simulator: RunningSimulator;
  readonly receiver: CallbackReceiver;
  readonly stop: () => Promise<void>;
};

export async function openTwoCells(options: TestGatewayOptions = {}): Promise<TwoCells> {
  const databases = [await createTestDatabase(), await createTestDatabase()];
  const ports = [await freePort(), await freePort()];
  const cells = databases.map(({ url: databaseUrl }, index) => ({
    id: `000${index + 1}`,
    databaseUrl: throughPooler(databaseUrl),
    urls: [`http://127.0.0.1:${ports[index]}`],
  }));
  const links = await Promise.all(cells.map(({ databaseUrl }) => openLink(databaseUrl)));
  /** Each cell reaches its own database directly, and the other one's by its link. */
  const cellsOf = (index: number) =>
    cells.map((cell, other) => (other === index ? cell : { ...cell, databaseUrl: links[other]!.url }));
  const receiver = await startCallbackReceiver();
  const simulator = await startSimulator({
    ...SIMULATOR_CLIENT,
    control: true,
    outcomeDelayMs: 0,
    ...options.simulator,
  });
  const open = async (index: number): Promise<TestCell> => {
    const cell = cells[index]!;
    const basis = testConfig(databases[index]!.url, simulator.url, options);
    const { clockIsMovable = false } = options;
    const config = { ...basis, cells: cellsOf(index), cell, port: ports[index]!, clockIsMovable };
    const gateway = await openUnderRoles(config, options.role ?? 'all', options.roles);
    const { link } = links[index]!;
    return { gateway, engine: gateway.engine, config, url: cell.urls[0]!, link };
  };
  const [one, two] = [await open(0), await open(1)];
  const merchant = await createDemoMerchant(one.engine, receiver.url);
  for (const { gateway } of [one, two]) await gateway.start();
  return {
    one,
    two,
    merchant,
    simulator,
    receiver,
    stop: async () => {
      for (const { gateway } of [one, two]) await gateway.stop();
      for (const { close } of links) await close();
      await simulator.stop();
      await receiver.stop();
      for (const { drop } of databases) await drop();
    },
  };
}

/** Moves the merchant from one cell into the other, as the command does. */
export async function moveBetween(
  { merchant: { merchantId } }: TwoCells,
  from: TestCell,
  to: TestCell,
  onProgress: (text: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<MoveAnswer> {
  const order = { merchantId, home: '0001', by: 'test', onProgress, signal };
  return moveMerchant(await pairOf(from, to), order);
}

export async function pairOf(from: TestCell, to: TestCell): Promise<MoveCells> {
  const shapes = await readShapes(from.engine.store.database);
  return { from: from.engine, to: to.engine, shapes };
}

/** Notes the only operator account that each cell has or had: the same name is the same account. */
export async function noteAccounts({ one, two }: TwoCells, ...names: readonly string[]): Promise<void> {
  for (const [index, { engine }] of [one, two].entries()) {
    await engine.store.database.query('delete from operator_account_ids');
    await engine.store.database.query(
      `insert into operator_account_ids (connector, account, product, account_id, noted_at)
       values ('simulator', '', '', $1, now())`,
      [names[index]],
    );
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', $1, now())
       on conflict (connector) do update set account_hash = excluded.account_hash`,
      [names[index]],
    );
  }
}

/** A process of a cell that was started when it was the only one. */
export function unawareOfOthers({ engine }: TestCell): Engine {
  return Object.create(engine, { cells: { value: [engine.home] } });
}

/** Without a way to the other one. */
export function alone({ engine }: TestCell): TestCell['engine'] {
  return Object.create(engine, {
    databaseOf: {
      value: (cell: string) => {
        if (cell !== engine.home) throw new Error('no route');
        return engine.databaseOf(cell);
      },
    },
  });
}

/** A proxy before a database. */
async function openLink(
  databaseUrl: string,
): Promise<{ readonly url: string; readonly link: CellLink; readonly close: () => Promise<void> }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'OPEN' | 'REFUSED' | 'SILENT' = 'OPEN';
  const end = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((incoming) => {
    if (state === 'REFUSED') {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (data) => {
        if (state === 'OPEN') to.write(data);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    link: {
      refuse: () => {
        state = 'REFUSED';
        end();
      },
      fallSilent: () => {
        state = 'SILENT';
      },
      restore: () => {
        // What was swallowed meanwhile can never be answered.
        if (state === 'SILENT') end();
        state = 'OPEN';
      },
    },
    close: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

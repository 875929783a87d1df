// Two cells for a test: each its own database and gateway, one simulator as the operator of both.
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
    const config = { ...basis, cells, cell, port: ports[index]!, clockIsMovable: false };
    const gateway = await openUnderRoles(config, options.role ?? 'all', options.roles);
    return { gateway, engine: gateway.engine, config, url: cell.urls[0]! };
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

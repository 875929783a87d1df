// What is drilled on: one gateway of two processes, a database with an archive, and an operator and merchants that are
// no one's part of it. Their own records are the judges.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { readConfig } from '../../server/src/config.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { Child } from '../kit/child.ts';
import type { Merchant } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { createMerchants, type OnFinal } from '../kit/merchants.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { CLIENT, serverEnvironment, simulatorOptions } from '../kit/settings.ts';
import { waitUntilUp } from '../kit/wait-until-up.ts';
import { ArchivedCluster } from './archived-cluster.ts';

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const SIMULATOR = fileURLToPath(new URL('../kit/simulator-process.ts', import.meta.url));
const run = promisify(execFile);

type StageOptions = {
  readonly keep: boolean;
  readonly archiveTimeout: string | null;
  readonly onFinal: OnFinal;
};

export class DrillStage {
  readonly scratch: Scratch;
  readonly cluster: ArchivedCluster;
  readonly apiUrl: string;
  readonly simulatorUrl: string;
  readonly #environment: Record<string, string>;
  #merchants: readonly Merchant[] = [];
  #children: readonly Child[] = [];
  #console: Gateway | null = null;
  #simulator: Child | null = null;

  private constructor(
    scratch: Scratch,
    cluster: ArchivedCluster,
    addresses: { readonly apiUrl: string; readonly simulatorUrl: string },
  ) {
    this.scratch = scratch;
    this.cluster = cluster;
    this.apiUrl = addresses.apiUrl;
    this.simulatorUrl = addresses.simulatorUrl;
    this.#environment = {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: join(scratch.path, 'compiled'),
      // The hardest operator: it charges whatever it is asked for, also what it was asked for before.
      ...serverEnvironment({ ...addresses, databaseUrl: cluster.url, tempo: 'SHORT', repeats: 'CHARGED' }),
    };
  }

  static async open(options: StageOptions): Promise<DrillStage> {
    const scratch = openScratch(options);
    try {
      const cluster = await ArchivedCluster.start(scratch, options);
      const [apiPort, simulatorPort] = [await freePort(), await freePort()];
      const apiUrl = `http://127.0.0.1:${apiPort}`;
      const stage = new DrillStage(scratch, cluster, {
        apiUrl,
        simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
      });
      await bringUpToDate(cluster.url);
      stage.#startSimulator(simulatorPort);
      await stage.startGateway();
      const { engine } = stage.console;
      stage.#merchants = await createMerchants(engine, { markets: MARKETS, onFinal: options.onFinal });
      return stage;
    } catch (error) {
      await scratch.close();
      throw error;
    }
  }

  get merchants(): readonly Merchant[] {
    return this.#merchants;
  }

  /** The gateway as a person at the console has it. */
  get console(): Gateway {
    if (this.#console === null) throw new Error('the gateway is not running');
    return this.#console;
  }

  async startGateway(): Promise<void> {
    const start = (role: string, port: string) =>
      new Child({
        command: process.execPath,
        args: [MAIN, role],
        env: { ...this.#environment, MALIPO_PORT: port },
        logPath: join(this.scratch.folder('logs'), `${role}.log`),
      });
    this.#children = [start('api', new URL(this.apiUrl).port), start('worker', String(await freePort()))];
    const config = readConfig({ ...this.#environment, MALIPO_LOG_LEVEL: 'silent' });
    this.#console = await openGateway(config, { role: 'admin' });
    await waitUntilUp(`${this.simulatorUrl}/control/settings`);
    await waitUntilUp(`${this.apiUrl}/ready`);
  }

  /** Everything that a host stops before a restore, at the worst moment and in the worst way. */
  async lose(): Promise<void> {
    for (const child of this.#children) await child.end('SIGKILL');
    await this.#console?.stop().catch(() => undefined);
    this.#console = null;
    await this.cluster.lose();
  }

  /** A command manually, in a process of its own. Answers what it wrote. */
  async command(args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [MAIN, ...args], { env: this.#environment });
    return stdout.trim();
  }

  async close(): Promise<void> {
    for (const child of [...this.#children, this.#simulator]) child?.signal('SIGKILL');
    await this.#console?.stop().catch(() => undefined);
    for (const { endpoint } of this.#merchants) await endpoint.close();
    await this.scratch.close();
  }

  #startSimulator(port: number): void {
    const journalPath = join(this.scratch.folder('simulator'), 'journal.jsonl');
    const habits = { ...CLIENT, ...simulatorOptions('SHORT'), repeats: 'CHARGED', journalPath };
    const options = JSON.stringify({ ...habits, control: true, port });
    this.#simulator = new Child({
      command: process.execPath,
      args: [SIMULATOR, this.scratch.path, options],
      env: { PATH: process.env['PATH'] ?? '' },
      logPath: join(this.scratch.folder('logs'), 'simulator.log'),
    });
  }
}

async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'drill', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}

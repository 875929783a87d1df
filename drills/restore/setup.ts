// The setup: one gateway of two processes, a database with an archive, and an operator and merchants outside it. Their
// own records are the evidence.
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { migrateDatabase } from '../kit/database.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { addMerchants, type Merchant } from '../kit/merchants.ts';
import { openAdmin, runCommand, startServer, startSimulator } from '../kit/processes.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { drillSettings, simulatorOptions, type Environment } from '../kit/settings.ts';
import { journalPathOf } from '../kit/verdict/operator-books.ts';
import { ArchivedCluster } from './archived-cluster.ts';

export type SetupOptions = { readonly keep: boolean; readonly archiveTimeout: string | null };

/** The hardest operator: it charges every request, including repeats. */
const HARDEST = { tempo: 'SHORT', repeats: 'CHARGED' } as const;

export class Setup {
  readonly scratch: Scratch;
  readonly cluster: ArchivedCluster;
  readonly apiUrl: string;
  readonly #environment: Environment;
  /** The current processes. */
  readonly #running = new ShutdownHooks();
  #merchants: readonly Merchant[] = [];
  #admin: Gateway | null = null;

  private constructor(scratch: Scratch, cluster: ArchivedCluster, environment: Environment) {
    this.scratch = scratch;
    this.cluster = cluster;
    this.#environment = environment;
    this.apiUrl = environment['MALIPO_OPERATORS_URL'] ?? '';
  }

  static async start(hooks: ShutdownHooks, options: SetupOptions): Promise<Setup> {
    const scratch = openScratch(hooks, options);
    const cluster = await ArchivedCluster.start(scratch, options);
    await migrateDatabase(cluster.url);
    const simulator = await startSimulator(hooks, scratch, {
      ...simulatorOptions(HARDEST.tempo),
      repeats: HARDEST.repeats,
      journalPath: journalPathOf(scratch, 'simulator'),
    });
    const apiUrl = `http://127.0.0.1:${await freePort()}`;
    const facts = { ...HARDEST, apiUrl, simulatorUrl: simulator.url, databaseUrl: cluster.url };
    const setup = new Setup(scratch, cluster, drillSettings(facts));
    hooks.add(() => setup.#running.run());
    await setup.startGateway();
    setup.#merchants = await addMerchants(hooks, setup.admin.engine, { markets: MARKETS });
    return setup;
  }

  get merchants(): readonly Merchant[] {
    return this.#merchants;
  }

  get admin(): Gateway {
    if (this.#admin === null) throw new Error('the gateway is not running');
    return this.#admin;
  }

  async startGateway(): Promise<void> {
    const { port } = new URL(this.apiUrl);
    const environment = this.#environment;
    const api = { role: 'api', environment: { ...environment, MALIPO_PORT: port } } as const;
    await Promise.all([
      startServer(this.#running, this.scratch, api),
      startServer(this.#running, this.scratch, { role: 'worker', environment }),
    ]);
    this.#admin = await openAdmin(this.#running, environment);
  }

  /** Kills everything that a host would stop before a restore, at the worst time and in the worst way. */
  async lose(): Promise<void> {
    await this.#running.run();
    this.#admin = null;
    await this.cluster.lose();
  }

  /** Returns the output of the command. */
  command(args: readonly string[]): Promise<string> {
    return runCommand(this.#environment, args);
  }
}

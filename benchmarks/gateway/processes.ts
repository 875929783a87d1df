// Starts the gateway's processes. On a machine with few cores it is open whether API and worker are better as one
// process or as several, so it is an option.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { Child } from '../../drills/kit/child.ts';
import { runEnvironment, startServer, waitUntilUp } from '../../drills/kit/processes.ts';
import type { Scratch } from '../../drills/kit/scratch.ts';
import type { Environment } from '../../drills/kit/settings.ts';
import { profileArgs } from './profile.ts';

/** Either this many APIs and workers, or this many processes that are both. */
export type Processes = { readonly apis: number; readonly workers: number } | { readonly both: number };

export type Crew = {
  readonly gatewayPorts: readonly number[];
  readonly intakePorts: readonly number[];
  readonly routePorts: RoutePorts;
  readonly pids: Readonly<Record<Role | 'intake' | 'route', readonly number[]>>;
};

/** Of bare Fastify routes, each a process. */
export type RoutePorts = Readonly<Record<RouteKind, number>>;
type RouteKind = 'insert' | 'select';

type Role = 'api' | 'worker' | 'all';

type ProcessOptions = {
  readonly processes: Processes;
  readonly environment: Environment;
  /** The database of the APIs without a worker. */
  readonly intakeUrl: string;
  /** The database of the bare routes. */
  readonly bareUrl: string;
  readonly hasIntake?: boolean;
  readonly profileFolder: string | null;
  readonly nodeArgs?: readonly string[];
};

/** "2+1" means two APIs and a worker, "2" two processes that do both. Null if invalid. */
export function parseProcesses(text: string): Processes | null {
  const [, first, second] = /^([1-9])(?:\+([1-9]))?$/.exec(text) ?? [];
  if (first === undefined) return null;
  return second === undefined ? { both: Number(first) } : { apis: Number(first), workers: Number(second) };
}

export function describeProcesses(processes: Processes): string {
  return 'both' in processes
    ? `${processes.both} processes that are both`
    : `${processes.apis} and ${processes.workers}`;
}

export async function startProcesses(
  hooks: ShutdownHooks,
  scratch: Scratch,
  options: ProcessOptions,
): Promise<Crew> {
  const { processes, environment, profileFolder, nodeArgs = [] } = options;
  const start = async (name: string, role: Role, env: Environment) => {
    const profile = profileFolder === null ? [] : profileArgs(profileFolder, name);
    const { child } = await startServer(hooks, scratch, {
      role,
      name,
      environment: { ...environment, ...env, BENCH_SCRATCH: scratch.path },
      nodeArgs: [...nodeArgs, ...profile],
      // Only a process that exits normally writes a profile.
      signal: profileFolder === null ? 'SIGKILL' : 'SIGTERM',
    });
    return child.pid;
  };
  const { apiCount, workerCount, role } = plan(processes);
  const ports = await freePorts(2 * apiCount);
  const gatewayPorts = ports.slice(0, apiCount);
  const intakePorts = options.hasIntake === false ? [] : ports.slice(apiCount);
  const alone = (port: number) => ({ MALIPO_PORT: String(port), DATABASE_URL: options.intakeUrl });
  const heard = Array.from({ length: workerCount }, (_, index) => gatewayPorts[index % apiCount]);
  const [served, intake, worker] = await Promise.all([
    Promise.all(gatewayPorts.map((port, index) => start(`${role}-${index}`, role, serve(port)))),
    Promise.all(intakePorts.map((port, index) => start(`intake-${index}`, 'api', alone(port)))),
    Promise.all(heard.map((port, index) => start(`worker-${index}`, 'worker', hear(port)))),
  ]);
  const { routePorts, route } = await startRoutes(hooks, scratch, options);
  const pids = { api: [], all: [], intake, route, worker, [role]: served };
  return { gatewayPorts, intakePorts, routePorts, pids };
}

const ROUTE = fileURLToPath(new URL('bare/route.ts', import.meta.url));

/** With the same options of Node as the API. */
async function startRoutes(
  hooks: ShutdownHooks,
  scratch: Scratch,
  { hasIntake = true, nodeArgs = [], bareUrl }: ProcessOptions,
) {
  if (!hasIntake) return { routePorts: { insert: 0, select: 0 }, route: [] };
  const [insert = 0, select = 0] = await freePorts(2);
  const start = async (kind: RouteKind, port: number) => {
    const child = new Child({
      args: [...nodeArgs, ROUTE, kind, bareUrl, String(port)],
      env: { ...runEnvironment(scratch), BENCH_SCRATCH: scratch.path },
      logPath: join(scratch.folder('logs'), `${kind}-route.log`),
    });
    hooks.add(() => child.end());
    await waitUntilUp(`http://127.0.0.1:${port}/ready`, child);
    return child.pid;
  };
  const route = await Promise.all([start('insert', insert), start('select', select)]);
  return { routePorts: { insert, select }, route };
}

function serve(port: number) {
  return { MALIPO_PORT: String(port), ...hear(port) };
}

function hear(port: number | undefined) {
  return { MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}` };
}

function plan(processes: Processes) {
  return 'both' in processes
    ? { apiCount: processes.both, workerCount: 0, role: 'all' as const }
    : { apiCount: processes.apis, workerCount: processes.workers, role: 'api' as const };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  return ports;
}

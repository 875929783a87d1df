// The two trials, deploy/compose.yaml and the overlay `trial`, from their files. Their PostgreSQL is an image of a
// registry: each gets databases of this run in its place. All containers are in the network of the host, so names of
// services become addresses, and each process gets ports of its own. Everything else is as in the files.
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { parse } from 'yaml';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { renderOverlay, type Manifest } from '../../server/test/deploy/manifests.ts';
import type { Environment } from '../kit/settings.ts';
import { registerShop, startNamed, stop, type Command } from './containers.ts';
import { environmentOptions } from './podman.ts';
import { openPlayer } from './pods.ts';
import type { Setup } from './setup.ts';

const COMPOSE = new URL('../../deploy/compose.yaml', import.meta.url);

type Trial = {
  readonly ports: { readonly api: number; readonly sandbox: number; readonly simulator: number };
  /** A part of the files with the addresses of this run. */
  readonly here: <Part>(part: Part) => Part;
};

async function openTrial({ settingsOf }: Setup, name: string): Promise<Trial> {
  const database = new URL(settingsOf('owner')['DATABASE_URL'] ?? '');
  const client = new Client({ connectionString: database.href });
  await client.connect();
  for (const one of [name, `${name}_sandbox`]) await client.query(`create database ${one} encoding UTF8`);
  await client.end();
  const ports = { api: await freePort(), sandbox: await freePort(), simulator: await freePort() };
  const addresses = [
    [/(malipo-)?postgres:5432\/malipo\b/g, `${database.host}/${name}`],
    [/(malipo-)?postgres:5432\/sandbox\b/g, `${database.host}/${name}_sandbox`],
    [/http:\/\/api:8080|http:\/\/malipo-api\b/g, `http://127.0.0.1:${ports.api}`],
    [/http:\/\/(malipo-)?sandbox:8090/g, `http://127.0.0.1:${ports.simulator}`],
    [/"--simulator-port","8090"/g, `"--simulator-port","${ports.simulator}","--port","${ports.sandbox}"`],
  ] as const;
  const here = <Part>(part: Part): Part =>
    JSON.parse(
      addresses.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(part)),
    ) as Part;
  return { ports, here };
}

type Service = {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly init: boolean;
  readonly stop_grace_period: string;
};

/** Takes a deposit to its signed callback through the services of the Compose file. */
export async function playCompose(setup: Setup): Promise<void> {
  const { podman, image } = setup;
  const { ports, here } = await openTrial(setup, 'compose');
  const file = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  const serviceOf = (name: string) => {
    const service = file.services[name];
    if (service === undefined) throw new Error(`the Compose file has no service ${name}`);
    return here(service);
  };
  const words = (name: string, own: Environment, command = serviceOf(name).command) => [
    ...optionsOf(serviceOf(name)),
    ...environmentOptions({ ...serviceOf(name).environment, ...allowMachine, ...own }),
    image,
    ...command,
  ];
  await podman('run', '--rm', ...words('migrate', {}));
  const names: string[] = [];
  const start = async (name: string, port: number, readyPort: number) => {
    const own = { MALIPO_PORT: String(port), MALIPO_METRICS_PORT: String(readyPort) };
    const container = `malipo-drill-compose-${name}-${port}`;
    const readyUrl = `http://127.0.0.1:${readyPort}/ready`;
    await startNamed(setup, { name: container, words: words(name, own), readyUrl });
    names.push(container);
  };
  await start('api', ports.api, await freePort());
  await start('worker', await freePort(), await freePort());
  // It answers at its one port.
  await start('sandbox', ports.sandbox, ports.sandbox);
  await payThrough(setup, ports.api, (...args) => podman('run', '--rm', ...words('api', {}, args)));
  for (const name of names) await stop(setup, name);
}

/** The shop of this run is on this machine, not in the trial's network. */
const allowMachine = { MALIPO_OUTGOING_ALLOW: '127.0.0.0/8' };

function optionsOf(service: Service): readonly string[] {
  return [
    '--network=host',
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...service.cap_drop.map((name) => `--cap-drop=${name}`),
    ...service.security_opt.map((option) => `--security-opt=${option.replace(/:true$/, '')}`),
    ...(service.init ? ['--init'] : []),
    `--stop-timeout=${Number.parseInt(service.stop_grace_period, 10)}`,
  ];
}

/** The same through the pods of the overlay. */
export async function playTrialOverlay(setup: Setup): Promise<void> {
  const { ports, here } = await openTrial(setup, 'overlay');
  const objects = here(renderOverlay('trial').map(readable));
  const player = openPlayer(setup, { objects, settings: allowMachine });
  await player.runJob('malipo-migrate');
  await player.startPod('malipo-sandbox', 0, { http: ports.sandbox, metrics: await freePort() });
  await player.startPod('malipo-api', 0, { http: ports.api, metrics: await freePort() });
  await player.startPod('malipo-worker', 0, { http: await freePort(), metrics: await freePort() });
  await payThrough(setup, ports.api, (...args) =>
    setup.podman('exec', 'malipo-api-0-api', 'node', 'server/src/main.ts', ...args),
  );
}

/** kustomize encodes the values of Secrets. */
function readable(object: Manifest): Manifest {
  if (object.kind !== 'Secret') return object;
  const values = Object.entries(object['data'] as Readonly<Record<string, string>>);
  const stringData = values.map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]);
  return { ...object, stringData: Object.fromEntries(stringData) };
}

async function payThrough({ shop }: Setup, port: number, command: Command): Promise<void> {
  const apiToken = await registerShop(shop, command);
  shop.connect(`http://127.0.0.1:${port}`, apiToken);
  await shop.waitUntilPaid([await shop.startDeposit()]);
}

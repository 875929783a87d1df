// Objects of an overlay as Podman can play them on this machine: with the network of the host, so every
// process has ports of its own, and with files in place of Secrets. Image, arguments, settings, mounts and confinement
// stay as they are in the manifests.
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Manifest } from '../../server/test/deploy/manifests.ts';
import { isUp } from '../kit/processes.ts';
import type { Environment } from '../kit/settings.ts';
import type { Role, Setup } from './setup.ts';

/** What the startup probe grants. */
const READY_WITHIN_MS = 120_000;
const JOB_WITHIN_MS = 120_000;

/** In the Secrets, by the names that docs/operating/containers.md gives them. */
const KEY_FILES = {
  'encryption-keys': 'MALIPO_ENCRYPTION_KEYS',
  'search-key': 'MALIPO_SEARCH_KEY',
  'reference-key': 'MALIPO_REFERENCE_KEY',
  'link-keys': 'MALIPO_LINK_KEYS',
  'console-key': 'MALIPO_CONSOLE_KEY',
} as const;

export type Ports = { readonly http: number; readonly metrics: number };
export type Pod = { readonly name: string; readonly ports: Ports };

export type Player = {
  /** Runs a Job to its end. */
  readonly runJob: (name: string) => Promise<void>;
  /** Starts one pod of a Deployment. Resolves when its readiness probe says yes. */
  readonly startPod: (deployment: string, generation: number, ports: Ports) => Promise<Pod>;
  /** Tells it to stop and waits for that, as long as the manifest grants it. */
  readonly stopPod: (pod: Pod) => Promise<void>;
};

export type Played = {
  /** Of an overlay. */
  readonly objects: readonly Manifest[];
  /** What differs from the overlay's: the operator and the environment of this run. */
  readonly settings: Environment;
};

export function openPlayer(setup: Setup, { objects, settings }: Played): Player {
  const find = (kind: string, name: string) => {
    const found = objects.find((one) => one.kind === kind && one.metadata.name.startsWith(name));
    if (found === undefined) throw new Error(`the overlay has no ${kind} ${name}`);
    return found;
  };
  // Podman lets a ConfigMap win over a container's own variables.
  const overlay = find('ConfigMap', 'malipo-settings');
  const configMap = { ...overlay, data: { ...overlay['data'], ...settings } };
  const toPod = (object: Manifest, name: string, own: Environment): Manifest => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: object['spec'].template.metadata.labels },
    spec: playable({ ...setup, objects }, object['spec'].template.spec, {
      DRILL: setup.scratch.path,
      ...own,
    }),
  });
  const play = async (pod: Manifest): Promise<void> => {
    const path = join(setup.scratch.folder('pods'), `${pod.metadata.name}.yaml`);
    writeFileSync(path, [configMap, pod].map((one) => stringify(one)).join('---\n'));
    const { name } = pod.metadata;
    setup.hooks.add(
      async () => void (await setup.podman('pod', 'rm', '--force', '--ignore', '--time=0', name)),
    );
    await setup.podman('kube', 'play', '--network=host', path);
  };
  return {
    runJob: async (name) => {
      // Every overlay has it.
      const pod = toPod(find('Job', name), `${name}-${randomBytes(4).toString('hex')}`, {});
      await play(pod);
      for (const container of pod['spec'].containers)
        await endWell(setup, `${pod.metadata.name}-${container.name}`);
    },
    startPod: async (deployment, generation, ports) => {
      const object = find('Deployment', deployment);
      const own = { MALIPO_PORT: String(ports.http), MALIPO_METRICS_PORT: String(ports.metrics) };
      const pod = { name: `${deployment}-${generation}`, ports };
      await play(toPod(object, pod.name, own));
      const { path, port } = object['spec'].template.spec.containers[0].readinessProbe.httpGet;
      await becomeReady(setup, pod.name, `http://127.0.0.1:${ports[port as keyof Ports]}${path}`);
      return pod;
    },
    stopPod: async ({ name }) => {
      const { spec } = find('Deployment', name.replace(/-\d+$/, ''))['spec'].template;
      await setup.podman('pod', 'stop', `--time=${spec.terminationGracePeriodSeconds}`, name);
    },
  };
}

/** Probes are left to this drill: Podman would ask with a program that the image does not have. */
const NOT_PLAYED = {
  startupProbe: undefined,
  livenessProbe: undefined,
  readinessProbe: undefined,
  lifecycle: undefined,
  ports: undefined,
};

type Place = Pick<Setup, 'image' | 'scratch' | 'settingsOf'> & Pick<Played, 'objects'>;

function playable(setup: Place, spec: Manifest['spec'], own: Environment) {
  const env = Object.entries(own).map(([name, value]) => ({ name, value }));
  const here = { image: setup.image, imagePullPolicy: 'Never' };
  const played = (container: { readonly env?: readonly object[] }) => ({
    ...container,
    ...NOT_PLAYED,
    ...here,
    env: [...(container.env ?? []), ...env],
  });
  return {
    ...spec,
    topologySpreadConstraints: undefined,
    serviceAccountName: undefined,
    hostNetwork: true,
    restartPolicy: 'Never',
    initContainers: spec.initContainers?.map(played),
    containers: spec.containers.map(played),
    volumes: spec.volumes.map(({ name, secret }: { name: string; secret: { secretName: string } }) => {
      return { name, hostPath: { path: secretFolder(setup, secret.secretName), type: 'Directory' } };
    }),
  };
}

function secretFolder({ scratch, settingsOf, objects }: Place, name: string): string {
  const folder = scratch.folder(`secrets/${name}`);
  const own = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === name);
  const files = own?.['stringData'] ?? secretOf(name, settingsOf);
  for (const [file, value] of Object.entries(files as Environment)) {
    writeFileSync(join(folder, file), value);
    chmodSync(join(folder, file), 0o444);
  }
  return folder;
}

/** One that a host makes, as docs/operating/containers.md says. */
function secretOf(name: string, settingsOf: Setup['settingsOf']): Environment {
  const role = name.replace('malipo-database-', '');
  const settings = settingsOf(role === 'malipo-keys' ? 'owner' : (role as Role));
  const names = role === 'malipo-keys' ? KEY_FILES : { url: 'DATABASE_URL' };
  return Object.fromEntries(Object.entries(names).map(([file, setting]) => [file, settings[setting] ?? '']));
}

async function becomeReady({ podman }: Setup, pod: string, url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isUp(url))) {
    if (Date.now() > deadline) throw new Error(`${pod} is not ready: ${await podman('pod', 'logs', pod)}`);
    await sleep(100);
  }
}

async function endWell({ podman }: Setup, container: string): Promise<void> {
  const deadline = Date.now() + JOB_WITHIN_MS;
  for (;;) {
    const state = await podman('inspect', '--format={{.State.Status}} {{.State.ExitCode}}', container);
    if (state === 'exited 0') return;
    if (state.startsWith('exited') || Date.now() > deadline)
      throw new Error(`${container}: ${state}: ${await podman('logs', container)}`);
    await sleep(200);
  }
}

// The manifests, played: migrate and rights as Jobs, an API and a worker, a deposit up to its signed callback, and then
// a replacement of both under load, as a Deployment does it: the new pod is ready before the old one is told to stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { renderOverlay } from '../../server/test/deploy/manifests.ts';
import { startReleaseProxy } from '../upgrade/proxy.ts';
import { openPlayer, type Player, type Pod, type Ports } from './pods.ts';
import type { Setup } from './setup.ts';

/** Of the balancer; a Service learns as quickly of a pod that is ready. */
const LOOKS_EVERY_MS = 200;
const NOTICED_AFTER_MS = 1_000;
const PAUSE_MS = 100;

export type Rollout = {
  /** Deposits that were started while pods were replaced. */
  readonly deposits: number;
  /** Requests that were not accepted. */
  readonly refused: readonly string[];
};

export async function playManifests(setup: Setup, apiToken: string): Promise<Rollout> {
  const { shop } = setup;
  const api = { old: await freePorts(), new: await freePorts() };
  const ports = [api.old.http, api.new.http] as const;
  const url = await startReleaseProxy(setup.hooks, setup.scratch, { ports, looksEveryMs: LOOKS_EVERY_MS });
  const { settingsOf } = setup;
  const { MALIPO_ENVIRONMENT = '', MALIPO_TWO_FACTOR = '', MALIPO_OUTGOING_ALLOW = '' } = settingsOf('owner');
  const settings = {
    ...pick(settingsOf('owner'), 'MALIPO_SIMULATOR_'),
    MALIPO_ENVIRONMENT,
    MALIPO_TWO_FACTOR,
    MALIPO_OUTGOING_ALLOW,
    MALIPO_PUBLIC_URL: url,
    MALIPO_OPERATORS_URL: url,
  };
  const player = openPlayer(setup, { objects: renderOverlay('production'), settings });
  await player.runJob('malipo-migrate');
  await player.runJob('malipo-rights');
  const oldApi = await player.startPod('malipo-api', 1, api.old);
  const oldWorker = await player.startPod('malipo-worker', 1, await freePorts());
  await sleep(NOTICED_AFTER_MS);
  shop.connect(url, apiToken);
  await shop.waitUntilPaid([await shop.startDeposit()]);

  const load = startLoad(setup);
  await replace(player, oldApi, api.new);
  await replace(player, oldWorker, await freePorts());
  const { accepted, refused } = await load.stop();
  await shop.waitUntilPaid(accepted);
  return { deposits: accepted.length, refused };
}

async function replace(player: Player, old: Pod, ports: Ports): Promise<void> {
  await player.startPod(old.name.replace(/-1$/, ''), 2, ports);
  await sleep(NOTICED_AFTER_MS);
  await player.stopPod(old);
}

/** One deposit after the other, each in one attempt. */
function startLoad({ shop }: Setup) {
  const accepted: string[] = [];
  const refused: string[] = [];
  const end = new AbortController();
  const run = (async () => {
    while (!end.signal.aborted) {
      await shop.tryDeposit().then(
        (id) => accepted.push(id),
        (error: unknown) => refused.push(String(error)),
      );
      await sleep(PAUSE_MS);
    }
  })();
  return {
    stop: async () => {
      end.abort();
      await run;
      return { accepted, refused };
    },
  };
}

async function freePorts(): Promise<Ports> {
  return { http: await freePort(), metrics: await freePort() };
}

function pick(settings: Readonly<Record<string, string>>, prefix: string) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith(prefix)));
}

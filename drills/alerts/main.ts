// `npm run drill:alerts`: shows on a real Prometheus that every alert of deploy/monitoring/alerts.yml fires when what
// it is about really happens, and that none fires on a gateway that is well.
import { setTimeout as sleep } from 'node:timers/promises';
import { showDashboards } from './dashboards.ts';
import { listAlertNames, startPrometheus, type Prometheus } from './prometheus.ts';
import { promiseCloses } from './closes.ts';
import { FLOAT_MIN, playHealthy, playYoung, SCENES } from './scenes.ts';
import { showSilentCell } from './two-cells.ts';
import { withHooks } from '../kit/database.ts';
import { startProgram, type Say } from '../kit/program.ts';
import { startSetup, until, type Scene, type Setup } from './setup.ts';

/**
 * Longer than the eight seconds an alert waits, the second between two evaluations, and the two between measurements.
 */
const QUIET_MS = 13_000;
const HEALTHY_PAYMENTS = 30;

/** What people are promised about a stolen token. */
const URGENT_MS = 60_000;

type Watchers = { readonly quick: Prometheus; readonly asDeployed: Prometheus };

async function showAlerts(
  setup: Setup,
  { quick, asDeployed, shown: shownBefore }: Watchers & { readonly shown: readonly string[] },
  say: Say,
): Promise<void> {
  const { targets } = setup;
  for (const one of [quick, asDeployed])
    await until('Prometheus sees every process', async () => (await one.targetsUp()) === targets.length);
  await playHealthy(setup, HEALTHY_PAYMENTS);
  await expectQuiet(quick);
  const wellAt = new Date();
  say(`quiet: ${HEALTHY_PAYMENTS} payments and their callbacks, no alert in ${QUIET_MS / 1_000} s`);
  const end = await playYoung(setup);
  await promiseCloses(setup);
  await expectQuiet(quick);
  say(`quiet: everything that is normal for a while, no alert in ${QUIET_MS / 1_000} s`);
  const fired = new Set<string>();
  for (const scene of SCENES) {
    say(`scene: ${scene.title}`);
    const urgent = scene.isUrgent === true ? await watchUrgent(asDeployed, { ...scene, say }) : null;
    const release = await scene.play(setup, () => urgent?.begin());
    await Promise.all([expectFiring(quick, { ...scene, say }, fired), urgent?.expectFired()]);
    await release?.();
    // Locks of one scene must not disturb the next.
    await end();
  }
  for (const name of shownBefore) fired.add(name);
  const unfired = (await listAlertNames()).filter((name) => !fired.has(name));
  if (unfired.length > 0) throw new Error(`these were never shown to fire: ${unfired.join(', ')}`);
  say(`${fired.size} of ${fired.size} alerts fired, each only when it had to.`);
  const shown = await showDashboards(quick, wellAt);
  say(`${shown} of ${shown} queries of the dashboards showed data, and changed.`);
}

/** Measures with the rules and intervals of the repository, from the moment at which it begins. */
async function watchUrgent(prometheus: Prometheus, { fires, say }: Scene & { readonly say: Say }) {
  const firing = async () =>
    (await prometheus.alerts()).flatMap(({ name, state }) => (state === 'firing' ? name : []));
  const early = (await firing()).filter((name) => fires.includes(name));
  if (early.length > 0) throw new Error(`fired before its scene: ${early.join(', ')}`);
  let begunAt = Date.now();
  return {
    begin: () => {
      begunAt = Date.now();
    },
    expectFired: async () => {
      await until(`${fires.join(', ')} fire as deployed`, async () => {
        const loud = await firing();
        return fires.every((name) => loud.includes(name));
      });
      const tookMs = Date.now() - begunAt;
      say(`  as deployed: after ${(tookMs / 1_000).toFixed(1)} s`);
      if (tookMs > URGENT_MS) throw new Error(`${fires.join(', ')} came after more than a minute`);
    },
  };
}

async function expectQuiet(prometheus: Prometheus): Promise<void> {
  const deadline = Date.now() + QUIET_MS;
  while (Date.now() < deadline) {
    const loud = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
    if (loud.length > 0)
      throw new Error(`fired without a reason: ${loud.map(({ name }) => name).join(', ')}`);
    await sleep(250);
  }
}

/** Waits for the alerts of a scene. An alert that no scene so far explains is an error of the rules. */
async function expectFiring(
  prometheus: Prometheus,
  { fires, say }: Scene & { readonly say: Say },
  fired: Set<string>,
): Promise<void> {
  const missing = () => fires.filter((name) => !fired.has(name));
  const before = new Set(fired);
  await until(`${fires.join(', ')} all fire`, async () => {
    for (const { name, state, summary } of await prometheus.alerts()) {
      if (state !== 'firing' || fired.has(name)) continue;
      if (!fires.includes(name)) throw new Error(`${name} fired without a reason: ${summary}`);
      fired.add(name);
      say(`  ${name}: ${summary}`);
    }
    return missing().length === 0;
  }).catch((error: unknown) => {
    const late = fires.filter((name) => !fired.has(name) && !before.has(name));
    throw new Error(`did not fire: ${late.join(', ')}`, { cause: error });
  });
}

const program = startProgram('npm run drill:alerts --', {});
const { say } = program;
const shown = await withHooks((hooks) => showSilentCell(hooks, { say }));
await withHooks(async (hooks) => {
  const setup = await startSetup(hooks, { floatMin: FLOAT_MIN, say });
  const quick = await startPrometheus(hooks, setup, 'QUICK');
  const asDeployed = await startPrometheus(hooks, setup, 'AS_DEPLOYED');
  await showAlerts(setup, { quick, asDeployed, shown }, say);
  say(`It took ${Math.round(program.seconds())} s.`);
});

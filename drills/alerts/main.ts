// `npm run drill:alerts`: shows on a real Prometheus that every alert of deploy/monitoring/alerts.yml fires when what
// it is about really happens, and that none fires on a gateway that is well.
import { setTimeout as sleep } from 'node:timers/promises';
import { showDashboards } from './dashboards.ts';
import { listAlertNames, startPrometheus, type Prometheus } from './prometheus.ts';
import { promiseCloses } from './closes.ts';
import { FLOAT_MIN, playHealthy, playYoung, SCENES, type Scene } from './scenes.ts';
import { withHooks } from '../kit/database.ts';
import { startProgram, type Say } from '../kit/program.ts';
import { startSetup, until, type Setup } from './setup.ts';

/**
 * Longer than the eight seconds an alert waits, the second between two evaluations, and the two between measurements.
 */
const QUIET_MS = 13_000;
const HEALTHY_PAYMENTS = 30;

async function showAlerts(setup: Setup, prometheus: Prometheus, say: Say): Promise<void> {
  const { targets } = setup;
  await until('Prometheus sees every process', async () => (await prometheus.targetsUp()) === targets.length);
  await playHealthy(setup, HEALTHY_PAYMENTS);
  await expectQuiet(prometheus);
  const wellAt = new Date();
  say(`quiet: ${HEALTHY_PAYMENTS} payments and their callbacks, no alert in ${QUIET_MS / 1_000} s`);
  const end = await playYoung(setup);
  await promiseCloses(setup);
  await expectQuiet(prometheus);
  say(`quiet: everything that is normal for a while, no alert in ${QUIET_MS / 1_000} s`);
  const fired = new Set<string>();
  for (const scene of SCENES) {
    say(`scene: ${scene.title}`);
    const release = await scene.play(setup);
    await expectFiring(prometheus, { ...scene, say }, fired);
    await release?.();
    // Locks of one scene must not disturb the next.
    await end();
  }
  const unfired = (await listAlertNames()).filter((name) => !fired.has(name));
  if (unfired.length > 0) throw new Error(`these were never shown to fire: ${unfired.join(', ')}`);
  say(`${fired.size} of ${fired.size} alerts fired, each only when it had to.`);
  const shown = await showDashboards(prometheus, wellAt);
  say(`${shown} of ${shown} queries of the dashboards showed data, and changed.`);
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
await withHooks(async (hooks) => {
  const setup = await startSetup(hooks, { floatMin: FLOAT_MIN, say });
  await showAlerts(setup, await startPrometheus(hooks, setup), say);
  say(`It took ${Math.round(program.seconds())} s.`);
});

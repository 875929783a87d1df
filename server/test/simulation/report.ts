// A run in words: what it was, what it did, and, if a promise was broken, how to see that again.
import type { Simulation } from './simulate.ts';

export function renderSimulation(run: Simulation, { seconds }: { readonly seconds: number }): string {
  const { seed, steps, episodes, payments, sends, crashes, pauses, cases, digest } = run;
  const lines = [
    `${steps} steps in ${episodes} episodes, ${seconds.toFixed(1)} s`,
    `${payments} payments, ${sends} requests to operators, ${cases} cases`,
    `${crashes} crashes, ${pauses} pauses`,
  ];
  if (run.failure !== null) return [...lines, '', renderFailure(run)].join('\n');
  return [...lines, `every promise was kept; final state ${digest}`, `seed ${seed}`].join('\n');
}

/** Everything somebody needs who has to find out why. */
export function renderFailure({ seed, failure }: Pick<Simulation, 'seed' | 'failure'>): string {
  if (failure === null) return 'no promise was broken';
  const { promise, step, episode, payment, history } = failure;
  return [
    `BROKEN PROMISE: ${promise}`,
    `seed ${seed}, step ${step}, episode ${episode}`,
    ...(payment === null ? [] : [payment, ...history.map((line) => `  ${line}`)]),
    `again: npm run test:simulation -- --seed ${seed} --steps ${step}`,
  ].join('\n');
}

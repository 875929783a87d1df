// What a search found, in words.
import type { Counterexample, Search } from './explore.ts';
import type { State } from './state.ts';

export function renderSearch(
  name: string,
  { states, transitions, depth }: Omit<Search<unknown>, 'counterexample'>,
  seconds: number,
): string {
  return `${name}: ${states} states, ${transitions} transitions, depth ${depth}, ${seconds.toFixed(1)} s`;
}

/** One line for each move of the shortest way to the broken promise, with what it left behind. */
export function renderCounterexample(found: Counterexample<State>): string {
  return renderTrace(found, renderState);
}

export function renderTrace<Moment>(
  { promise, trace }: Counterexample<Moment>,
  render: (state: Moment) => string,
): string {
  const width = Math.max(...trace.map(({ label }) => label.length));
  const lines = trace.map(
    ({ label, state }, index) => `  ${String(index).padStart(2)}  ${label.padEnd(width)}  ${render(state)}`,
  );
  return [`BROKEN PROMISE: ${promise}`, ...lines].join('\n');
}

function renderState({ payment, attempt, wire, operator, hiddenFor }: State): string {
  const permission =
    attempt === null ? '' : `, attempt of ${attempt.claimedAgo} ago, deadline in ${attempt.deadlineIn}`;
  const sends = attempt !== null && attempt.sendCount > 1 ? `, sent ${attempt.sendCount} times` : '';
  const way = wire.length === 0 ? '' : `, ${wire.length} on the wire`;
  const hidden = hiddenFor >= 0 ? ' (not found yet)' : '';
  const knows = operator === 'NOTHING' ? '' : `, operator ${operator}${hidden}`;
  return `${payment}${permission}${sends}${way}${knows}`;
}

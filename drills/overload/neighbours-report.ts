// What slow operators and merchants do to everything else: table, figures and goals.
import { roundedAll } from '../../benchmarks/gateway/report.ts';
import { align } from '../kit/table.ts';
import type { Life, Neighbours } from './slow-parts.ts';

/** How much a slow part may delay others. It delays its own operator or merchant more. */
const NEIGHBOUR_MS_MAX = 3_000;
/** The 99th percentile beside an endpoint that never answers, by that beside one that does. */
const DEAD_ENDPOINT_RATIO_MAX = 1.3;
/** One short round tells a delay of seconds, not a third. */
const ROUNDS_FOR_RATIO_MIN = 3;

const SITUATIONS = {
  calm: 'nothing is slow',
  slowOperator: 'an operator answers late',
  answeringEndpoint: 'a merchant with as many payments',
  deadEndpoint: 'the same, its endpoint never answers',
} as const;

export function renderNeighbours(neighbours: Neighbours): string {
  const rows = Object.entries(SITUATIONS).map(([name, text]) => {
    const { initiation, callback } = neighbours[name as keyof typeof SITUATIONS];
    return [text, ...[initiation, callback].flatMap(({ p50Ms, p99Ms }) => [inMs(p50Ms), inMs(p99Ms)])];
  });
  const head = ['', 'initiation p50', 'p99', 'callback p50', 'p99'];
  return `${['everybody else, since the request', ...align([head, ...rows])].join('\n')}\n`;
}

const inMs = (ms: number) => `${ms.toFixed(0)} ms`;

export function summariseNeighbours(neighbours: Neighbours) {
  return { neighbours: roundedAll(neighbours), deadEndpointRatio: roundedAll(ratiosOf(neighbours)) };
}

export function keptBesideSlowParts(neighbours: Neighbours): Record<string, boolean> {
  const { calm, slowOperator, answeringEndpoint, deadEndpoint, rounds } = neighbours;
  const ratios = Object.values(ratiosOf(neighbours));
  return {
    'a slow operator delays only its own': isNear(slowOperator, calm),
    'a slow merchant delays only itself':
      isNear(deadEndpoint, answeringEndpoint) &&
      (rounds < ROUNDS_FOR_RATIO_MIN || ratios.every((ratio) => ratio <= DEAD_ENDPOINT_RATIO_MAX)),
  };
}

function isNear(one: Life, other: Life): boolean {
  return one.callback.p99Ms < other.callback.p99Ms + NEIGHBOUR_MS_MAX;
}

function ratiosOf({ deadEndpoint, answeringEndpoint }: Neighbours) {
  return {
    initiation: deadEndpoint.initiation.p99Ms / answeringEndpoint.initiation.p99Ms,
    callback: deadEndpoint.callback.p99Ms / answeringEndpoint.callback.p99Ms,
  };
}

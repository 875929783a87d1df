// `npm run drill:overload`: three times as many deposits as the gateway carries, and what is left of it meanwhile and
// after.
//
//   npm run drill:overload                 about three minutes; the graph goes to docs/operating/plots/overload.svg
//   npm run drill:overload -- --smoke      about a minute, and no graph
//   npm run drill:overload -- --only neighbours   what slow operators and merchants do to others, in three rounds
//   --json ends with one line of figures
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { finish, listUnkept, startProgram } from '../kit/program.ts';
import { keptBesideSlowParts, renderNeighbours, summariseNeighbours } from './neighbours-report.ts';
import { FULL, runNeighbours, runOverload, SMOKE } from './run.ts';
import { renderGraph, listFaults, renderReport, renderSummary } from './report.ts';

const GRAPH = fileURLToPath(new URL('../../docs/operating/plots/overload.svg', import.meta.url));

const program = startProgram('npm run drill:overload --', {
  smoke: false,
  only: ['neighbours'],
  json: false,
});
const { smoke, only } = program.options;
const pace = smoke ? SMOKE : FULL;
if (only === 'neighbours') {
  const { sustainable, neighbours } = await runNeighbours(pace, program.say);
  const faults = listUnkept(keptBesideSlowParts(neighbours));
  const summary = summariseNeighbours(neighbours);
  finish(program, {
    report: renderNeighbours(neighbours),
    summary: { sustainable, ...summary, faults },
    faults,
  });
}
const outcome = await runOverload(pace, program.say);
if (!smoke) writeFileSync(GRAPH, renderGraph(outcome));
const [report, summary, faults] = [renderReport(outcome), renderSummary(outcome), listFaults(outcome)];
finish(program, { report, summary, faults });

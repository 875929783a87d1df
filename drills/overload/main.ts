// `npm run drill:overload`: three times as many deposits as the gateway carries, and what is left of it meanwhile and
// after.
//
//   npm run drill:overload                 about three minutes; the graph goes to docs/operating/plots/overload.svg
//   npm run drill:overload -- --smoke      about a minute, and no graph
//   --json ends with one line of figures
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { finish, startProgram } from '../kit/program.ts';
import { FULL, runOverload, SMOKE } from './run.ts';
import { renderGraph, listFaults, renderReport, renderSummary } from './report.ts';

const GRAPH = fileURLToPath(new URL('../../docs/operating/plots/overload.svg', import.meta.url));

const program = startProgram('npm run drill:overload --', { smoke: false, json: false });
const { smoke } = program.options;
const outcome = await runOverload(smoke ? SMOKE : FULL, program.say);
if (!smoke) writeFileSync(GRAPH, renderGraph(outcome));
const [report, summary, faults] = [renderReport(outcome), renderSummary(outcome), listFaults(outcome)];
finish(program, { report, summary, faults });

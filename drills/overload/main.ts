// `npm run drill:overload`: three times as many deposits as the gateway carries, and what is left of it meanwhile and
// after.
//
//   npm run drill:overload                 about three minutes; the graph goes to docs/operating/plots/overload.svg
//   npm run drill:overload -- --smoke      about a minute, and no graph
//   --json ends with one line of figures
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FULL, runOverload, SMOKE } from './run.ts';
import { drawGraph, listFaults, renderReport, renderSummary } from './report.ts';

const GRAPH = fileURLToPath(new URL('../../docs/operating/plots/overload.svg', import.meta.url));

const { values } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

const outcome = await runOverload(values.smoke ? SMOKE : FULL, say);
process.stdout.write(renderReport(outcome));
if (!values.smoke) writeFileSync(GRAPH, drawGraph(outcome));
const faults = listFaults(outcome);
for (const fault of faults) say(`not as promised: ${fault}`);
if (values.json) process.stdout.write(`${JSON.stringify(renderSummary(outcome))}\n`);
process.exit(faults.length === 0 ? 0 : 1);

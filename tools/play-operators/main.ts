// `npm run dev:play-operators`: a deposit, its refund and a payout through every operator of a sandbox, by HTTP only.
//
//   npm run sandbox -- --operators fakes                          in another terminal; it prints address and token
//   npm run dev:play-operators -- --url http://127.0.0.1:8080 --token mlp_sandbox_…
//
//   --operator mtn-momo plays one of them; --json prints one line for each payment
//
// Ends with code 0 only if something was played and everything is COMPLETED.
import { setTimeout as sleep } from 'node:timers/promises';
import { apiCaller } from '../../drills/kit/api.ts';
import { startProgram } from '../../drills/kit/program.ts';
import { align } from '../../drills/kit/table.ts';
import { playProvider, type Played } from './play.ts';
import { listCarriers, listOffers, moveClock, type Kind } from './shop.ts';

const program = startProgram('npm run dev:play-operators --', {
  url: 'http://127.0.0.1:8080',
  token: null,
  operator: null,
  'patience-seconds': 30,
  json: false,
});
const { url, token, operator, json } = program.options;
const patienceMs = program.options['patience-seconds'] * 1_000;
// The token is printed by the sandbox when it starts.
const call = apiCaller(url, token ?? program.refuse());
const offers = await listOffers(call);
const carriers = (await listCarriers(call)).filter(
  ({ connector, fakeUrl }) => fakeUrl !== undefined && (operator === null || connector === operator),
);
const plays = carriers.flatMap((carrier) =>
  carrier.providers.flatMap(({ provider }) => {
    const offer = offers.find((one) => one.provider === provider);
    return offer === undefined ? [] : [playProvider({ call, carrier, offer, patienceMs })];
  }),
);
const over = new AbortController();
const hurrying = hurry(over.signal);
const played = (await Promise.all(plays)).flat();
over.abort();
await hurrying;
process.stdout.write(json ? renderLines(played) : renderTable(played));
if (played.length === 0) program.say('No operator of this sandbox has a fake: nothing was played.');
const isDone = played.length > 0 && played.every(({ outcome }) => outcome === 'COMPLETED');
process.exitCode = isDone ? 0 : 1;

/** Some operators are asked only after 30 seconds. By then payers had their time, and the clock may be moved. */
async function hurry(ended: AbortSignal): Promise<void> {
  for (let seconds = 1; !ended.aborted; seconds += 1) {
    await sleep(1_000);
    if (seconds >= 8 && !ended.aborted) await moveClock(call, 10);
  }
}

function renderLines(all: readonly Played[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join('');
}

/** Operator by operation, with the number of providers; below it what did not complete. */
function renderTable(all: readonly Played[]): string {
  const kinds: readonly Kind[] = ['DEPOSIT', 'PAYOUT', 'REFUND'];
  const rows = [...Map.groupBy(all, ({ connector }) => connector)].map(([connector, own]) => [
    connector,
    ...kinds.map((kind) => summarise(own.filter((one) => one.kind === kind))),
  ]);
  const wrong = all
    .filter(({ outcome }) => outcome !== 'COMPLETED')
    .map(({ provider, kind, outcome }) => `${provider} ${kind}: ${outcome}`);
  return `${[...align([['operator', ...kinds], ...rows]), ...wrong].join('\n')}\n`;
}

function summarise(some: readonly Played[]): string {
  if (some.length === 0) return 'not supported';
  const completed = some.filter(({ outcome }) => outcome === 'COMPLETED').length;
  return `${completed} of ${some.length} COMPLETED`;
}

// `npm run dev:play-operators`: a deposit, its refund and a payout through every operator of a sandbox, by HTTP only.
//
//   npm run sandbox -- --operators fakes                          in another terminal; it prints address and token
//   npm run dev:play-operators -- --url http://127.0.0.1:8080 --token mlp_sandbox_…
//
//   --operator mtn-momo plays one of them; --json prints one line for each payment
//
// Ends with code 0 only if something was played and everything is COMPLETED.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { playProvider, type Played } from './play.ts';
import { listCarriers, listOffers, moveClock, type Kind } from './shop.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    token: { type: 'string' },
    operator: { type: 'string' },
    'patience-seconds': { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
  },
});
const patienceMs = Number(values['patience-seconds']) * 1_000;
if (values.token === undefined || !(patienceMs > 0)) {
  process.stderr
    .write(`npm run dev:play-operators -- --token TOKEN [--url http://127.0.0.1:8080] [--operator NAME]
                          [--patience-seconds 30] [--json]
The token is printed by: npm run sandbox -- --operators fakes\n`);
  process.exit(2);
}

const shop = { url: values.url, token: values.token };
const offers = await listOffers(shop);
const carriers = (await listCarriers(shop)).filter(
  ({ connector, fakeUrl }) =>
    fakeUrl !== undefined && (values.operator === undefined || connector === values.operator),
);
const plays = carriers.flatMap((carrier) =>
  carrier.providers.flatMap(({ provider }) => {
    const offer = offers.find((one) => one.provider === provider);
    return offer === undefined ? [] : [playProvider({ shop, carrier, offer, patienceMs })];
  }),
);
const over = new AbortController();
const hurrying = hurry(over.signal);
const played = (await Promise.all(plays)).flat();
over.abort();
await hurrying;
process.stdout.write(values.json ? renderLines(played) : renderTable(played));
if (played.length === 0)
  process.stderr.write('No operator of this sandbox has a fake: nothing was played.\n');
const isDone = played.length > 0 && played.every(({ outcome }) => outcome === 'COMPLETED');
process.exitCode = isDone ? 0 : 1;

/** Some operators are asked only after half a minute. By then payers had their time, and the clock may run ahead. */
async function hurry(ended: AbortSignal): Promise<void> {
  for (let seconds = 1; !ended.aborted; seconds += 1) {
    await sleep(1_000);
    if (seconds >= 8 && !ended.aborted) await moveClock(shop, 10);
  }
}

function renderLines(all: readonly Played[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join('');
}

/** Operator by operation, with the number of providers; below it whatever did not complete. */
function renderTable(all: readonly Played[]): string {
  const kinds: readonly Kind[] = ['DEPOSIT', 'PAYOUT', 'REFUND'];
  const rows = [...Map.groupBy(all, ({ connector }) => connector)].map(([connector, own]) => [
    connector,
    ...kinds.map((kind) => summarise(own.filter((one) => one.kind === kind))),
  ]);
  const table = [['operator', ...kinds], ...rows].map((cells) =>
    cells
      .map((cell) => cell.padEnd(24))
      .join('')
      .trimEnd(),
  );
  const wrong = all
    .filter(({ outcome }) => outcome !== 'COMPLETED')
    .map(({ provider, kind, outcome }) => `${provider} ${kind}: ${outcome}`);
  return `${[...table, ...wrong].join('\n')}\n`;
}

function summarise(some: readonly Played[]): string {
  if (some.length === 0) return 'not supported';
  const completed = some.filter(({ outcome }) => outcome === 'COMPLETED').length;
  return `${completed} of ${some.length} COMPLETED`;
}

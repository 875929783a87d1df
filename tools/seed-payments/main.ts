// `npm run dev:seed-payments`: fills the database at DATABASE_URL with payments of the past, to look at and measure
// with. The settings are those of the gateway: the same keys, or it could not read what is written here.
//
//   npm run dev:seed-payments -- --count 1000000            for a merchant that is made for it
//   npm run dev:seed-payments -- --merchant ID --days 90    for one that is there, over so many days
import { openGateway } from '../../server/src/commands/serve/compose.ts';
import { readConfig } from '../../server/src/config.ts';
import { startProgram } from '../../drills/kit/program.ts';
import { seedPayments } from './seed.ts';

const { options, say, seconds, refuse } = startProgram('npm run dev:seed-payments --', {
  count: 1_000_000,
  merchant: null,
  days: 180,
  seed: 1,
});
const { count, days, seed, merchant: merchantId } = options;
if (![count, days, seed].every(Number.isSafeInteger)) refuse();

const gateway = await openGateway({ ...readConfig(), logLevel: 'silent' }, { role: 'admin' });
try {
  const order = { count, days, seed, merchantId, until: new Date(), say };
  const past = await seedPayments(gateway.engine, order);
  const summary = { payments: count, merchantId: past.merchantId, seconds: Math.round(seconds()) };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} finally {
  await gateway.stop();
}

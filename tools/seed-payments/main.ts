// `npm run dev:seed-payments`: fills the database at DATABASE_URL with payments of the past, to look at and measure
// with. The settings are those of the gateway: the same keys, or it could not read what is written here.
//
//   npm run dev:seed-payments -- --count 1000000            for a merchant that is made for it
//   npm run dev:seed-payments -- --merchant ID --days 90    for one that is there, over so many days
import { parseArgs } from 'node:util';
import { openGateway } from '../../server/src/commands/serve/compose.ts';
import { readConfig } from '../../server/src/config.ts';
import { seedPayments } from './seed.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    merchant: { type: 'string' },
    days: { type: 'string', default: '180' },
    seed: { type: 'string', default: '1' },
  },
});

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

const [count, days, seed] = [Number(values.count), Number(values.days), Number(values.seed)];
if (![count, days, seed].every((one) => Number.isSafeInteger(one) && one >= 1)) {
  process.stderr.write(
    'npm run dev:seed-payments -- [--count 1000000] [--merchant ID] [--days 180] [--seed 1]\n',
  );
  process.exit(2);
}
const gateway = await openGateway({ ...readConfig(), logLevel: 'silent' }, { role: 'admin' });
try {
  const order = { count, days, seed, merchantId: values.merchant ?? null, until: new Date(), say };
  const { merchantId } = await seedPayments(gateway.engine, order);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${JSON.stringify({ payments: count, merchantId, seconds })}\n`);
} finally {
  await gateway.stop();
}

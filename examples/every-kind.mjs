// Plays every kind of payment once against a running sandbox and shows that the balances add up.
//
//   npm run sandbox                      (in another terminal; it prints the address and the token)
//   node examples/every-kind.mjs http://127.0.0.1:8080 mlp_sandbox_…
import { randomUUID } from 'node:crypto';

const [baseUrl, apiToken] = process.argv.slice(2);
if (baseUrl === undefined || apiToken === undefined) {
  console.error('Usage: node examples/every-kind.mjs <address of the sandbox> <API token>');
  process.exit(2);
}

const CUSTOMER = wallet('250783456789');
const FRIEND = wallet('250788000111');
const COUSIN = wallet('250788000222');

const before = await balance();
console.log(`Balance in Rwanda before: ${before} RWF`);

const depositId = randomUUID();
await play('deposit of 1000', '/v2/deposits', 'depositId', {
  depositId,
  amount: '1000',
  currency: 'RWF',
  payer: CUSTOMER,
});

const payoutId = randomUUID();
await play('payout of 300', '/v2/payouts', 'payoutId', {
  payoutId,
  amount: '300',
  currency: 'RWF',
  recipient: FRIEND,
});

const refundId = randomUUID();
await play('refund of 250 of the deposit', '/v2/refunds', 'refundId', {
  refundId,
  depositId,
  amount: '250',
  currency: 'RWF',
});

const remittanceId = randomUUID();
await play('remittance of 100', '/v2/remittances', 'remittanceId', {
  remittanceId,
  amount: '100',
  currency: 'RWF',
  recipient: { ...COUSIN, recipientDetails: { firstName: 'Aline', lastName: 'Uwase' } },
  sender: {
    transactionDetails: {
      transactionReference: 'R-1001',
      originalAmount: '1.25',
      originalCurrency: 'EUR',
      buyFxRate: '80',
      senderFees: '0.5',
      purposeOfFunds: 'FAMILY_SUPPORT',
      sourceOfFunds: 'SALARY',
    },
    senderDetails: {
      firstName: 'Eric',
      lastName: 'Mugabo',
      nationality: 'RWA',
      phoneNumber: '32470000000',
      address: { addressLine: 'Rue Haute 1', postalCode: '1000', city: 'Brussels', country: 'BEL' },
      identification: { type: 'PASSPORT', number: 'PC123456' },
    },
  },
});

const splitPaymentId = randomUUID();
await play('split payment of 500, of which 400 are shared out', '/v2/split-payments', 'splitPaymentId', {
  splitPaymentId,
  amount: '500',
  currency: 'RWF',
  payer: CUSTOMER,
  splits: [
    { payoutId: randomUUID(), amount: '250', recipient: FRIEND },
    { payoutId: randomUUID(), amount: '150', recipient: COUSIN },
  ],
});

const after = await balance();
const expected = before + 1000 - 300 - 250 - 100 + 500 - 250 - 150;
console.log(
  `Balance in Rwanda after:  ${after} RWF (${before} + 1000 - 300 - 250 - 100 + 500 - 400 = ${expected})`,
);
if (after !== expected) {
  console.error('The balances do not add up.');
  process.exit(1);
}
console.log('The balances add up.');

/** Starts a payment and waits until it is final. */
async function play(what, path, idName, body) {
  const answer = await call('POST', path, body);
  if (answer.status !== 'ACCEPTED') throw new Error(`${what}: ${JSON.stringify(answer)}`);
  for (;;) {
    const { data } = await call('GET', `${path}/${body[idName]}`);
    if (data.status === 'COMPLETED') break;
    if (data.status.endsWith('FAILED')) throw new Error(`${what}: ${JSON.stringify(data.failureReason)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  console.log(`  ${what}: COMPLETED`);
}

async function balance() {
  const { balances } = await call('GET', '/v2/wallet-balances?country=RWA');
  return Number(balances[0].balance);
}

async function call(method, path, body) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}

function wallet(phoneNumber) {
  return { type: 'MMO', accountDetails: { phoneNumber, provider: 'MTN_MOMO_RWA' } };
}

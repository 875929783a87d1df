// Signs a deposit without the SDK, with an independent library for RFC 9421. Settings: BASE, TOKEN and KEY_FILE. Sign
// requests as docs/guides/signatures.md says.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSigner, httpbis } from 'http-message-signatures';

const { BASE, TOKEN, KEY_FILE = 'merchant.pem' } = process.env;

async function post(path, request) {
  const body = JSON.stringify(request);
  const { url, headers } = await httpbis.signMessage(
    {
      key: createSigner(readFileSync(KEY_FILE), 'ecdsa-p256-sha256', 'my-key'),
      name: 'sig-pp',
      fields: ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'],
    },
    {
      method: 'POST',
      url: `${BASE}${path}`,
      headers: {
        'Content-Type': 'application/json',
        'Content-Digest': `sha-512=:${createHash('sha512').update(body).digest('base64')}:`,
        'Signature-Date': new Date().toISOString(),
      },
    },
  );
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { ...headers, Authorization: `Bearer ${TOKEN}` },
  });
  return answer.json();
}

const payer = { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } };
const answer = await post('/v2/deposits', { depositId: randomUUID(), amount: '100', currency: 'RWF', payer });
console.log(JSON.stringify(answer));

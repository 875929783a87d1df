// Receives callbacks and verifies them without the SDK, with an independent library for RFC 9421. Settings: BASE, TOKEN,
// MERCHANT_ID and PORT. docs/guides/callbacks.md says what matters.
import { createHash, createVerify } from 'node:crypto';
import { createServer } from 'node:http';
import { httpbis } from 'http-message-signatures';

const { BASE, TOKEN, MERCHANT_ID, PORT = '9000' } = process.env;
let keys = Promise.resolve(new Map());
let readAt = -Infinity;

async function readKeys() {
  const answer = await fetch(`${BASE}/v2/public-key/http`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return new Map((await answer.json()).map(({ id, key }) => [id, key]));
}

/** Keys change: an unknown one is looked up, but not for every stranger's request. */
async function findKey(id) {
  const ageMs = performance.now() - readAt;
  if (ageMs > 86_400_000 || (ageMs > 10_000 && !(await keys).has(id))) {
    readAt = performance.now();
    const before = keys;
    keys = readKeys().catch(() => before);
  }
  return (await keys).get(id);
}

async function isFromGateway({ method, url, headers }, body) {
  const digest = createHash('sha512').update(body).digest('base64');
  if (headers['content-digest'] !== `sha-512=:${digest}:`) return false;
  return httpbis.verifyMessage(
    {
      // Without these the library would accept a signature that covers nothing.
      requiredFields: ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'],
      requiredParams: ['alg', 'keyid', 'created', 'expires', 'tag'],
      tolerance: 60, // seconds by which clocks may differ
      keyLookup: async ({ keyid, tag }) => {
        const pem = tag === MERCHANT_ID ? await findKey(keyid) : undefined;
        // Signatures are in DER, which createVerify expects; the library's own createVerifier takes raw ones.
        const verify = async (data, signature) => createVerify('sha256').update(data).verify(pem, signature);
        return pem === undefined ? null : { id: keyid, algs: ['ecdsa-p256-sha256'], verify };
      },
    },
    // Behind a proxy, write your own public address here instead of the Host header.
    { method, url: new URL(url, `http://${headers.host}`), headers },
  );
}

async function receive(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isGood = (await isFromGateway(request, body).catch(() => false)) === true;
  if (isGood) console.log(`verified ${body.toString()}`); // store it here
  response.writeHead(isGood ? 200 : 401).end();
}

createServer((request, response) => {
  // What could not be stored is not acknowledged: the gateway tries again.
  receive(request, response).catch(() => response.writeHead(503).end());
}).listen(Number(PORT), () => console.log('listening'));

// The test cases of RFC 9421, appendix B, that use algorithms of ours: rsa-pss-sha512 and ecdsa-p256-sha256. There are
// none with the other two.
import { describe, expect, test } from 'vitest';
import { verifyBase, type SignatureAlgorithm } from '../../src/wire/http-signature/algorithms.ts';
import { findDigestFault } from '../../src/wire/http-signature/content-digest.ts';
import { readSignature } from '../../src/wire/http-signature/read-signature.ts';
import { createSignatureBase } from '../../src/wire/http-signature/signature-base.ts';

/** B.1.2 and B.1.3. */
const KEYS: Readonly<Record<string, { readonly algorithm: SignatureAlgorithm; readonly pem: string }>> = {
  'test-key-rsa-pss': {
    algorithm: 'rsa-pss-sha512',
    pem: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----
`,
  },
  'test-key-ecc-p256': {
    algorithm: 'ecdsa-p256-sha256',
    pem: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
-----END PUBLIC KEY-----
`,
  },
};

const BODY = '{"hello": "world"}';
const ANSWER_BODY = '{"message": "good dog"}';

/** The request of B.2. */
const request = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
  },
};

/** Its answer. */
const answer = {
  status: 200,
  headers: {
    date: 'Tue, 20 Apr 2021 02:07:56 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
    'content-length': '23',
  },
};

/** The request of B.3, as the proxy passes it on. */
const proxied = {
  method: 'POST',
  url: 'https://service.internal.example/foo?param=Value&Pet=dog',
  headers: {
    host: 'service.internal.example',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-length': '18',
    'client-cert':
      ':MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMM' +
      'EkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkw' +
      'EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M' +
      '6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAO' +
      'BgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoG' +
      'CCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk' +
      '0wmuydBVoU4hBVZ1yhk=:',
  },
};

const CASES = [
  {
    title: 'B.2.1 minimal signature using rsa-pss-sha512',
    message: request,
    input: 'sig-b21=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
    signature:
      'sig-b21=:d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7z' +
      'FZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWw' +
      'E56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPY' +
      'TU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==:',
  },
  {
    title: 'B.2.2 selective covered components using rsa-pss-sha512',
    message: request,
    input:
      'sig-b22=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473' +
      ';keyid="test-key-rsa-pss";tag="header-example"',
    signature:
      'sig-b22=:LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8U' +
      'CMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcA' +
      'oFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY' +
      '8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==:',
  },
  {
    title: 'B.2.3 full coverage using rsa-pss-sha512',
    message: request,
    input:
      'sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length")' +
      ';created=1618884473;keyid="test-key-rsa-pss"',
    signature:
      'sig-b23=:bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2vo' +
      'Tp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7Y' +
      'fW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRx' +
      'pJyoEZAFL2FUo5fTIztsDZKEgM4cUA==:',
  },
  {
    title: 'B.2.4 signing a response using ecdsa-p256-sha256',
    message: answer,
    input:
      'sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473' +
      ';keyid="test-key-ecc-p256"',
    signature:
      'sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:',
  },
  {
    title: 'B.3 TLS-terminating proxies',
    message: proxied,
    input:
      'ttrp=("@path" "@query" "@method" "@authority" "client-cert");created=1618884473;keyid="test-key-ecc-p256"',
    signature:
      'ttrp=:xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw==:',
  },
];

describe.each(CASES)('$title', ({ message, input, signature }) => {
  const read = readSignature({ 'signature-input': input, signature });
  if (read.type === 'FAULT') throw new Error(read.cause);
  const { inputText, bytes, parameters } = read.signature;
  const key = KEYS[String(parameters.get('keyid'))]!;
  const base = createSignatureBase(message, inputText);

  test('the signature of the RFC verifies', () => {
    expect(verifyBase(base, bytes, key)).toBe(true);
  });

  test('the last line repeats what was received, and no line break ends the base', () => {
    expect(base.split('\n').at(-1)).toBe(`"@signature-params": ${input.slice(input.indexOf('=') + 1)}`);
  });

  test('it does not verify for a base with one letter changed, nor with one bit of it changed', () => {
    expect(verifyBase(base.replace('created=1', 'created=2'), bytes, key)).toBe(false);
    const bent = Buffer.from(bytes);
    bent[40]! ^= 1;
    expect(verifyBase(base, bent, key)).toBe(false);
  });
});

test('the digests of the RFC fit its bodies, and not each other', () => {
  const digests = [request.headers['content-digest'], answer.headers['content-digest']];
  expect(findDigestFault(digests[0], Buffer.from(BODY))).toBeNull();
  expect(findDigestFault(digests[1], Buffer.from(ANSWER_BODY))).toBeNull();
  expect(findDigestFault(digests[0], Buffer.from(ANSWER_BODY))).not.toBeNull();
});

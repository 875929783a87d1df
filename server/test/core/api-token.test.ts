// API tokens: their text, and who gets in with one.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, withdrawToken } from '../../src/core/merchants/administer-merchants.ts';
import { createTokenText, hashSecret, parseTokenText } from '../../src/core/access/api-token.ts';
import { authenticate } from '../../src/core/access/authenticate.ts';
import type { Environment } from '../../src/core/engine.ts';
import { markTokenUsed } from '../../src/store/access/tokens.ts';
import { nowOf } from '../clocks.ts';
import { eventually, openTestGateway, select, type TestGateway } from '../gateway.ts';

describe('the text of a token', () => {
  test('the text of a token names its environment, home and public identifier, and ends in secret and checksum', () => {
    const { text, tokenId, secret } = createTokenText('sandbox', '00a1');
    expect(text).toMatch(/^mlp_sandbox_00a1_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}[0-9a-f]{8}$/);
    expect(text).toContain(`_${tokenId}_${secret}`);
    const checksum = crc32(text.slice(0, -8)).toString(16).padStart(8, '0');
    expect(text.slice(-8)).toBe(checksum);
  });

  test('the text of a token reads back as what it was made of, in both environments', () => {
    const environments: readonly Environment[] = ['sandbox', 'production'];
    for (const environment of environments) {
      // Secrets may hold the sign that parts the fields: many tokens, not one.
      for (let count = 0; count < 200; count += 1) {
        const { text, ...parts } = createTokenText(environment, 'beef');
        expect(parseTokenText(text)).toEqual(parts);
      }
    }
  });

  test('the text of a token carries 256 random bits: 32 bytes, each bit both ways, none like another', () => {
    const secrets = Array.from({ length: 500 }, () =>
      Buffer.from(createTokenText('sandbox', '0001').secret, 'base64url'),
    );
    expect(secrets.every((secret) => secret.length === 32)).toBe(true);
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(500);
    for (let bit = 0; bit < 256; bit += 1) {
      const ones = secrets.filter((secret) => (secret[bit >> 3]! >> (bit & 7)) & 1).length;
      // A fair bit misses these bounds once in 10^18 runs.
      expect(ones, `bit ${bit}`).toBeGreaterThan(150);
      expect(ones, `bit ${bit}`).toBeLessThan(350);
    }
  });

  test('with any one sign changed is not a token', () => {
    const { text } = createTokenText('production', '0001');
    fc.assert(
      fc.property(
        fc.nat({ max: text.length - 1 }),
        fc.constantFrom('0', '9', 'a', 'f', 'A', 'F', 'z', 'Z', '_', '-'),
        (index, sign) => {
          fc.pre(text[index] !== sign);
          expect(parseTokenText(text.slice(0, index) + sign + text.slice(index + 1))).toBeNull();
        },
      ),
    );
  });

  test.each([
    ['nothing', () => ''],
    ['a sign too few', (text: string) => text.slice(0, -1)],
    ['a sign too many', (text: string) => `${text}0`],
    ['a line break behind it', (text: string) => `${text}\n`],
    ['another prefix', (text: string) => text.replace('mlp_', 'mlq_')],
    ['an unknown environment', (text: string) => rechecked(text.replace('_sandbox_', '_staging_'))],
    ['a home that is not four hex digits', (text: string) => rechecked(text.replace('_0001_', '_000g_'))],
  ])('with %s is not a token', (_, change) => {
    expect(parseTokenText(change(createTokenText('sandbox', '0001').text))).toBeNull();
  });

  test('its secret is kept as a hash', () => {
    expect(hashSecret('secret')).toEqual(createHash('sha256').update('secret').digest());
  });
});

/** The text with a checksum that fits it. */
function rechecked(text: string): string {
  const unchecked = text.slice(0, -8);
  return `${unchecked}${crc32(unchecked).toString(16).padStart(8, '0')}`;
}

describe('anyone who comes with a token', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway({ role: 'api' });
  });
  afterAll(() => gateway.stop());

  const make = (expiresAt: Date | null = null) => {
    const { merchantId } = gateway;
    const order = { by: 'test', merchantId, name: 'test', scopes: ['deposits:read'], expiresAt } as const;
    return createToken(gateway.engine, order);
  };
  const enter = (text: string) => authenticate(gateway.engine, `Bearer ${text}`);
  const REFUSED = { type: 'REFUSED', cause: 'the API token is not valid' };

  test('anyone who comes with a token gets in as its merchant, with its scopes and no others', async () => {
    const answer = await enter((await make()).text);
    expect(answer).toMatchObject({ type: 'AUTHENTICATED', merchant: { merchantId: gateway.merchantId } });
    expect(answer.type === 'AUTHENTICATED' && [...answer.scopes]).toEqual(['deposits:read']);
  });

  test('the database holds neither its text nor its secret', async () => {
    const { text, tokenId } = await make();
    const [row] = await select(gateway, 'select * from api_tokens where token_id = $1', [tokenId]);
    const secret = parseTokenText(text)!.secret;
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row!['secret_hash']).toEqual(hashSecret(secret));
  });

  test('with a wrong secret is refused in the same words as with a token that does not exist', async () => {
    const { text } = await make();
    const { secret } = parseTokenText(text)!;
    const { text: otherText, secret: otherSecret } = createTokenText('sandbox', '0001');
    expect(await enter(rechecked(text.replace(secret, otherSecret)))).toEqual(REFUSED);
    expect(await enter(otherText)).toEqual(REFUSED);
    expect(await enter('nonsense')).toEqual(REFUSED);
    expect((await enter(text)).type).toBe('AUTHENTICATED');
  });

  test('of the other environment is refused, and told so', async () => {
    const { text } = createTokenText('production', '0001');
    expect(await enter(text)).toEqual({
      type: 'REFUSED',
      cause: 'the API token belongs to the production environment',
    });
  });

  test('a request with a token that was withdrawn or has expired is refused', async () => {
    const [withdrawn, expiring] = [
      await make(),
      await make(new Date(nowOf(gateway.engine).getTime() + 60_000)),
    ];
    const order = { by: 'test', tokenId: withdrawn.tokenId };
    expect(await withdrawToken(gateway.engine, order)).toBe(true);
    expect(await withdrawToken(gateway.engine, order)).toBe(false);
    expect(await enter(withdrawn.text)).toEqual(REFUSED);
    expect((await enter(expiring.text)).type).toBe('AUTHENTICATED');
    await gateway.gateway.movableClock!.move(60_000);
    expect(await enter(expiring.text)).toEqual(REFUSED);
  });

  test('of a suspended merchant is refused', async () => {
    const { text } = await make();
    const suspend = (at: Date | null) =>
      select(gateway, 'update merchants set suspended_at = $2 where merchant_id = $1', [
        gateway.merchantId,
        at,
      ]);
    await suspend(nowOf(gateway.engine));
    expect(await enter(text)).toEqual(REFUSED);
    await suspend(null);
    expect((await enter(text)).type).toBe('AUTHENTICATED');
  });

  test.each([
    [undefined, 'the Authorization header is missing'],
    ['', 'the Authorization header must read "Bearer" and an API token'],
    ['Basic abc', 'the Authorization header must read "Bearer" and an API token'],
    ['Bearer', 'the Authorization header must read "Bearer" and an API token'],
    ['Bearer a b', 'the Authorization header must read "Bearer" and an API token'],
  ])('with the header %s is told: %s', async (header, cause) => {
    expect(await authenticate(gateway.engine, header)).toEqual({ type: 'REFUSED', cause });
  });

  const lastUsedAt = async (tokenId: string): Promise<Date | null> => {
    const [row] = await select(gateway, 'select last_used_at from api_tokens where token_id = $1', [tokenId]);
    return row!['last_used_at'];
  };

  describe('last_used_at', () => {
    test('last_used_at is written at most once a minute, so that a busy token is not a hot row', async () => {
      const { tokenId } = await make();
      const start = nowOf(gateway.engine);
      const after = (ms: number) => new Date(start.getTime() + ms);
      const written: (Date | null)[] = [];
      for (const ms of [0, 1, 59_999, 60_000, 61_000]) {
        await markTokenUsed(gateway.engine.store.database, tokenId, after(ms));
        written.push(await lastUsedAt(tokenId));
      }
      expect(written).toEqual([after(0), after(0), after(0), after(60_000), after(60_000)]);
    });

    test('last_used_at follows the use of a token, and not attempts with a wrong secret', async () => {
      const { tokenId, text } = await make();
      const { secret } = parseTokenText(text)!;
      const wrong = rechecked(text.replace(secret, createTokenText('sandbox', '0001').secret));
      expect((await enter(wrong)).type).toBe('REFUSED');
      expect(await lastUsedAt(tokenId)).toBeNull();
      await enter(text);
      await eventually(() => lastUsedAt(tokenId)).not.toBeNull();
      const first = await lastUsedAt(tokenId);
      await gateway.gateway.movableClock!.move(61_000);
      await enter(text);
      await eventually(() => lastUsedAt(tokenId)).not.toEqual(first);
    });
  });
});

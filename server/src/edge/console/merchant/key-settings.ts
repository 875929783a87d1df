// The public keys a merchant signs with, and whether it must.
import type { FastifyInstance } from 'fastify';
import { fingerprintOf, removePublicKey } from '../../../core/merchants/administer-keys.ts';
import { requestPublicKey, requestSignatures } from '../../../core/merchants/request-settings.ts';
import { findMerchant, type SignatureCover } from '../../../store/merchants/merchants.ts';
import { listPublicKeys } from '../../../store/access/public-keys.ts';
import { settingsCalls } from '../../../wire/console/merchant/settings.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import {
  findKeyFault,
  normalisePublicKey,
  SIGNATURE_ALGORITHMS,
} from '../../../wire/http-signature/algorithms.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, orderedBy, type ConsoleParts } from '../route.ts';

const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;

export function registerKeySettings(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'settings');
  const { engine } = parts;
  const url = '/merchants/:merchantId/keys';
  route('GET', url, { for: 'MERCHANT', permission: 'settings:read' }, settingsCalls.readKeys, {
    summary: 'Public keys, and whether requests must be signed',
    handle: async ({ path: { merchantId } }) => {
      const { database } = engine.store;
      const merchant = await findMerchant(database, merchantId);
      const keys = await listPublicKeys(database, merchantId);
      return {
        signedRequestsOnly: merchant?.signedRequestsOnly ?? false,
        signedPagesOnly: merchant?.signedPagesOnly ?? false,
        algorithms: [...SIGNATURE_ALGORITHMS],
        keys: keys.map((key) => ({
          ...show(key, 'name', 'algorithm', 'createdAt'),
          fingerprint: fingerprintOf(key.pem),
        })),
      };
    },
  });
  route('POST', url, WRITE, settingsCalls.addKey, {
    summary: 'Register a public key; needs a second approver',
    handle: async ({ path, body, user }) => {
      const fault = findKeyFault(body.pem, body.algorithm);
      const { algorithm } = body;
      if (fault !== null) throw failureBecause('INVALID_INPUT', 'KEY_INVALID', { algorithm }, `${fault}.`);
      const pem = normalisePublicKey(body.pem) ?? body.pem;
      const order = { ...path, ...body, pem, ...orderedBy(parts, user) };
      const outcome = await requestPublicKey(engine, order);
      if (outcome === 'NAME_TAKEN') {
        throw failureBecause('CONFLICT', 'KEY_ID_TAKEN');
      }
      return { fingerprint: fingerprintOf(pem), outcome };
    },
  });
  route('DELETE', `${url}/:name`, WRITE, settingsCalls.removeKey, {
    summary: 'Remove a public key within ten seconds',
    handle: async ({ path, user: { by } }) => {
      if (!(await removePublicKey(engine, { ...path, by }))) throw new ConsoleFailure('NOT_FOUND');
      return done;
    },
  });
  registerDemand(app, parts, 'PAYMENTS', {
    url: '/merchants/:merchantId/signed-requests-only',
    call: settingsCalls.requireSignatures,
    summary: 'Require signed requests for payments; to stop, a second approver is needed',
  });
  registerDemand(app, parts, 'PAGES', {
    url: '/merchants/:merchantId/signed-pages-only',
    call: settingsCalls.requirePageSignatures,
    summary: 'Require signed requests for payment pages and checkouts; to stop, a second approver is needed',
  });
}

type Demand = {
  readonly url: string;
  readonly call: typeof settingsCalls.requireSignatures;
  readonly summary: string;
};

function registerDemand(
  app: FastifyInstance,
  parts: ConsoleParts,
  covers: SignatureCover,
  { url, call, summary }: Demand,
): void {
  const route = consoleRoutes(app, parts, 'settings');
  const { engine } = parts;
  route('PUT', url, WRITE, call, {
    summary,
    handle: async ({ path, body, user }) => {
      const keys = await listPublicKeys(engine.store.database, path.merchantId);
      if (body.isRequired && keys.length === 0) {
        throw failureBecause('CONFLICT', 'PUBLIC_KEY_MISSING');
      }
      const order = { ...path, ...body, covers, ...orderedBy(parts, user) };
      return { outcome: await requestSignatures(engine, order) };
    },
  });
}

// The host's merchants: onboarding them, and what they may do.
import type { FastifyInstance } from 'fastify';
import {
  changeOperations,
  createMerchant,
  switchProviders,
} from '../../../core/merchants/administer-merchants.ts';
import { resumeMerchant, suspendMerchant } from '../../../core/merchants/suspension.ts';
import { cancelUnsent } from '../../../core/payout-batches/cancel-unsent.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { isUuid } from '../../../domain/identifier.ts';
import { listMerchants } from '../../../store/merchants/merchant-list.ts';
import { findRegionalSettings } from '../../../store/merchants/regional-settings.ts';
import { findMerchant, type Merchant } from '../../../store/merchants/merchants.ts';
import { platformCalls } from '../../../wire/console/platform/platform.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { cursorOf, readCursor } from '../cursor.ts';
import { consoleRoutes, orderedBy, type ConsoleParts } from '../route.ts';
import { sendInvitation } from '../team.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const WRITE = { for: 'HOST', permission: 'merchants:write', isDangerous: true } as const;
const PAGE = 50;
const url = '/host/merchants';

export function registerHostMerchants(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-merchants');
  const { engine } = parts;
  route('GET', url, READ, platformCalls.listMerchants, {
    summary: 'Merchants by name',
    handle: async ({ query }) => {
      const [companyName, merchantId] = readCursor(query.after, 2);
      if (merchantId !== undefined && !isUuid(merchantId))
        throw failureBecause('INVALID_INPUT', 'CURSOR_INVALID');
      const after =
        companyName === undefined || merchantId === undefined ? null : { companyName, merchantId };
      const wanted = { name: query.name ?? null, after, countMax: PAGE };
      const merchants = await listMerchants(engine.store.database, wanted);
      const last = merchants.length === PAGE ? merchants.at(-1) : undefined;
      return {
        merchants: merchants.map((one) => ({
          ...show(one, 'merchantId', 'operations', 'isSuspended', 'createdAt'),
          name: one.companyName,
        })),
        next: last === undefined ? null : cursorOf([last.companyName, last.merchantId]),
      };
    },
  });
  route('POST', url, WRITE, platformCalls.createMerchant, {
    summary: 'Add a merchant, and invite its owner',
    handle: async ({ body, user: { by }, origin }) => {
      const { name: companyName, operations, walletPerProvider, ownerEmail: email } = body;
      const merchantId = await createMerchant(engine, { by, companyName, operations, walletPerProvider });
      const invited = await sendInvitation(parts, { by, merchantId, email, role: 'OWNER', origin });
      return { merchantId, ...invited };
    },
  });
  route('GET', `${url}/:merchantId`, READ, platformCalls.readMerchant, {
    summary: 'Show the settings of a merchant',
    handle: async ({ path: { merchantId } }) => {
      const merchant = await requireMerchant(parts, merchantId);
      const region = await findRegionalSettings(engine.store.database, merchantId);
      return { ...renderMerchant(merchant), homeCurrency: region?.homeCurrency ?? null };
    },
  });
  registerChanges(app, parts);
}

function registerChanges(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-merchants');
  const { engine } = parts;
  route('PUT', `${url}/:merchantId/suspension`, WRITE, platformCalls.suspendMerchant, {
    summary: "Suspend a merchant's payments and tokens, or request that they are resumed",
    handle: async ({ path: { merchantId }, body, user }) => {
      await requireMerchant(parts, merchantId);
      const { actor, secondApprover } = orderedBy(parts, user);
      if (!body.isSuspended) {
        const outcome = await resumeMerchant(engine, { actor, secondApprover, merchantId });
        return { outcome: outcome ?? 'DONE' };
      }
      await suspendMerchant(engine, { actor, merchantId });
      return { outcome: 'DONE' as const };
    },
  });
  route('POST', `${url}/:merchantId/cancel-unsent-payments`, WRITE, platformCalls.cancelUnsentPayments, {
    summary: 'Cancel the payments of a merchant that were not sent to an operator',
    handle: async ({ path: { merchantId }, body: { reason }, user: { by } }) => {
      await requireMerchant(parts, merchantId);
      return { cancelledCount: await cancelUnsent(engine, { by, merchantId, reason }) };
    },
  });
  route('PUT', `${url}/:merchantId/operations`, WRITE, platformCalls.changeOperations, {
    summary: 'Set the operations of a merchant',
    handle: async ({ path: { merchantId }, body: { operations }, user: { by } }) => {
      await requireMerchant(parts, merchantId);
      await changeOperations(engine, { by, merchantId, operations });
      return done;
    },
  });
  route('PUT', `${url}/:merchantId/providers`, WRITE, platformCalls.switchProviders, {
    summary: 'Activate or deactivate providers for a merchant',
    handle: async ({ path: { merchantId }, body, user: { by } }) => {
      await requireMerchant(parts, merchantId);
      const unknown = body.providers.find((code) => findProvider(code) === null);
      if (unknown !== undefined)
        throw failureBecause('INVALID_INPUT', 'PROVIDER_UNKNOWN', { provider: unknown });
      await switchProviders(engine, { by, merchantId, ...body });
      return done;
    },
  });
}

async function requireMerchant({ engine }: ConsoleParts, merchantId: string): Promise<Merchant> {
  const merchant = await findMerchant(engine.store.database, merchantId);
  if (merchant === null) throw new ConsoleFailure('NOT_FOUND');
  return merchant;
}

function renderMerchant(merchant: Merchant) {
  const pairs = [...merchant.activeProviders].toSorted().map((pair) => pair.split(' '));
  const byProvider = Map.groupBy(pairs, ([provider = '']) => provider);
  const providers = [...byProvider].map(([provider, active]) => ({
    provider,
    operations: active.map(([, operation = '']) => operation),
  }));
  return {
    ...show(merchant, 'merchantId', 'home', 'isSuspended', 'operations', 'walletPerProvider'),
    ...show(merchant, 'signedRequestsOnly', 'timeZone'),
    name: merchant.companyName,
    providers,
  };
}

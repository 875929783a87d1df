// What operations cost a merchant. Payments that were accepted keep the fee they were quoted.
import type { FastifyInstance } from 'fastify';
import { walletPlaceOf } from '../../../core/payments/admit.ts';
import { changeFee } from '../../../core/merchants/administer-merchants.ts';
import { findProvider, limitsOf } from '../../../domain/operators/catalogue.ts';
import { decimalsOf, fitsDecimals } from '../../../domain/ledger/decimals.ts';
import type { Fee } from '../../../domain/ledger/fees.ts';
import { parseAmount, renderAmount } from '../../../domain/money.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import { findMerchant, type Merchant } from '../../../store/merchants/merchants.ts';
import { feeCalls } from '../../../wire/console/platform/fee.ts';
import { done } from '../../../wire/console/shape.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const WRITE = { for: 'HOST', permission: 'fees:write', isDangerous: true } as const;
const url = '/host/merchants/:merchantId/fees';

export function registerFees(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-fees');
  const { engine } = parts;
  const requireMerchant = async (merchantId: string): Promise<Merchant> => {
    // Not from the directory, which remembers: anyone who has set a fee wants to see it.
    const merchant = await findMerchant(engine.store.database, merchantId);
    if (merchant === null) throw new ConsoleFailure('NOT_FOUND');
    return merchant;
  };
  route('GET', url, READ, feeCalls.listFees, {
    summary: "List a merchant's fees",
    handle: async ({ path }) => {
      const merchant = await requireMerchant(path.merchantId);
      return { rows: [...merchant.fees].map(renderFee), offers: listOffers(merchant) };
    },
  });
  route('PUT', url, WRITE, feeCalls.setFee, {
    summary: "Set a merchant's fee for an operation",
    handle: async ({ path, body, user: { by } }) => {
      const merchant = await requireMerchant(path.merchantId);
      const { merchantId } = merchant;
      const { provider, operation, currency } = body;
      const fee = requireFee(merchant, body);
      await changeFee(engine, { by, merchantId, provider, operation, currency, fee });
      return done;
    },
  });
}

type Priced = { readonly provider: string; readonly operation: PaymentKind; readonly currency: string };

/** A fee for what a provider does not offer would never be charged, and no one would know. */
function requireFee(
  merchant: Merchant,
  order: Priced & { readonly basisPoints: number; readonly fixed: string },
): Fee {
  const { provider, operation, currency, basisPoints } = order;
  const facts = findProvider(provider);
  if (facts === null || limitsOf(facts, { currency, operation }) === null) {
    throw failureBecause('INVALID_INPUT', 'OPERATION_NOT_OFFERED', { provider, operation, currency });
  }
  const fixed = parseAmount(order.fixed);
  if (fixed === null || !fitsDecimals(fixed, decimalsOf(walletPlaceOf(merchant, order)))) {
    throw failureBecause('INVALID_INPUT', 'AMOUNT_DECIMALS', { currency });
  }
  return { basisPoints, fixed };
}

function renderFee([name, { basisPoints, fixed }]: readonly [string, Fee]) {
  const [provider = '', operation = '', currency = ''] = name.split(' ');
  return { ...pricedOf(provider, operation, currency), basisPoints, fixed: renderAmount(fixed) };
}

function listOffers({ activeProviders }: Merchant) {
  return [...activeProviders].toSorted().flatMap((name) => {
    const [provider = '', operation = ''] = name.split(' ');
    const currencies = findProvider(provider)?.currencies ?? [];
    return currencies
      .map(({ currency }) => pricedOf(provider, operation, currency))
      .filter((priced) => isOffered(priced));
  });
}

function isOffered({ provider, operation, currency }: Priced): boolean {
  const facts = findProvider(provider);
  return facts !== null && limitsOf(facts, { currency, operation }) !== null;
}

function pricedOf(provider: string, operation: string, currency: string): Priced {
  const kind = PAYMENT_KINDS.find((one) => one === operation);
  if (kind === undefined) throw new Error(`${operation} is no kind of payment`);
  return { provider, operation: kind, currency };
}

// Whether every one of many payouts could be sent, and what they come to, before any of them is. By the very checks
// that an initiation goes through, so that the two cannot disagree; funds and availability can change until then.
import { findCountry, findProvider, limitsOf, type ProviderFacts } from '../../domain/operators/catalogue.ts';
import type { FailureReason } from '../../domain/failure.ts';
import { parseAmount, renderAmount, type Amount } from '../../domain/money.ts';
import { readPayerNumber } from '../../domain/payments/payer-number.ts';
import {
  findSameRows,
  type RowFault,
  type SameRows,
  type WrittenPayout,
} from '../../domain/payments/payout-batch.ts';
import { predictProvider, type PredictionOptions } from '../../domain/operators/prediction.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import type { BatchSum } from '../../store/payout-batches/payout-batches.ts';
import { checkAllowed, checkAmount, checkProvider, feeOf } from '../payments/admit.ts';
import type { Engine } from '../engine.ts';
import { listBalances } from '../ledger/read-balances.ts';

export type NumberedPayout = { readonly rowNo: number; readonly payout: WrittenPayout };

/** A payout that could be sent now. */
export type CheckedPayout = {
  readonly rowNo: number;
  readonly phoneNumber: string;
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly payout: WrittenPayout;
};

/** What payouts take from a wallet, and what can be spent of it now. */
export type WalletSum = BatchSum & { readonly available: Amount };

export type PayoutCheck = {
  readonly checked: readonly CheckedPayout[];
  readonly faults: readonly RowFault[];
  /** Rows that may be one payout written twice. */
  readonly same: readonly SameRows[];
  readonly sums: readonly WalletSum[];
};

export async function checkPayouts(
  engine: Engine,
  merchant: Merchant,
  payouts: readonly NumberedPayout[],
): Promise<PayoutCheck> {
  const notAllowed = checkAllowed({ merchant, kind: 'PAYOUT' });
  if (notAllowed !== null) {
    const { failureCode: code } = notAllowed.reason;
    return { checked: [], faults: [{ rowNo: 0, column: '', code, parameters: {} }], same: [], sums: [] };
  }
  const outcomes = payouts.map((numbered) => checkOne(engine, merchant, numbered));
  const checked = outcomes.flatMap((outcome) => ('faults' in outcome ? [] : [outcome]));
  const sums = await withAvailable(engine, merchant, sumsOf(merchant, checked));
  return {
    checked,
    faults: [
      ...outcomes.flatMap((outcome) => ('faults' in outcome ? outcome.faults : [])),
      ...sums.flatMap(shortageOf),
    ],
    same: findSameRows(checked.map((row) => ({ ...row, clientReferenceId: row.payout.clientReferenceId }))),
    sums,
  };
}

export async function withAvailable(
  engine: Engine,
  merchant: Merchant,
  sums: readonly BatchSum[],
): Promise<readonly WalletSum[]> {
  const balances = await listBalances(engine, merchant, { country: null });
  const available = new Map(
    balances.map((one) => [[one.country, one.currency, one.provider].join(' '), one.available]),
  );
  return sums.map((sum) => ({
    ...sum,
    available: available.get([sum.country, sum.currency, sum.walletProvider].join(' ')) ?? 0n,
  }));
}

/** What payouts take from each wallet, fees apart. */
function sumsOf(merchant: Merchant, payouts: readonly CheckedPayout[]): readonly BatchSum[] {
  const sums = new Map<string, BatchSum>();
  for (const { country, currency, provider, amount, fee } of payouts) {
    const walletProvider = merchant.walletPerProvider ? provider : '';
    const name = `${country} ${currency} ${walletProvider}`;
    const sum = sums.get(name) ?? { country, currency, walletProvider, rowCount: 0, amount: 0n, fee: 0n };
    sums.set(name, {
      ...sum,
      rowCount: sum.rowCount + 1,
      amount: sum.amount + amount,
      fee: sum.fee + fee,
    });
  }
  return [...sums.values()];
}

function shortageOf(sum: WalletSum): readonly RowFault[] {
  const needed = sum.amount + sum.fee;
  if (needed <= sum.available) return [];
  const { country, currency, walletProvider, available } = sum;
  const parameters = {
    country,
    currency,
    provider: walletProvider,
    available: renderAmount(available),
    needed: renderAmount(needed),
    missing: renderAmount(needed - available),
  };
  return [{ rowNo: 0, column: 'amount', code: 'WALLET_OUT_OF_FUNDS', parameters }];
}

type Outcome = CheckedPayout | { readonly faults: readonly RowFault[] };

/** Everything that is wrong with a payout, and not only the first thing. */
function checkOne(engine: Engine, merchant: Merchant, { rowNo, payout }: NumberedPayout): Outcome {
  const place = placeOf(engine, payout);
  if ('code' in place) return { faults: [{ rowNo, ...place }] };
  const { provider, phoneNumber } = place;
  const { amountText, currency } = payout;
  const amount = parseAmount(amountText) ?? 0n;
  const known = findProvider(provider);
  const connector = engine.connectorOf(provider, 'PAYOUT');
  const facts = { merchant, kind: 'PAYOUT', provider, connector, currency, amount, amountText } as const;
  const country = known?.country ?? '';
  const parameters = { provider, currency, country, ...limitsIn(known, currency) };
  const faults: readonly CheckFault[] = [
    ...faultsOf('provider', checkProvider(facts, known)?.reason ?? null),
    ...faultsOf('amount', known === null ? null : checkAmount(facts, known)),
    ...(phoneNumber === null ? [{ column: 'phoneNumber', code: 'INVALID_PHONE_NUMBER' } as const] : []),
  ];
  if (faults.length > 0 || phoneNumber === null)
    return { faults: faults.map((fault) => ({ rowNo, ...fault, parameters })) };
  return { rowNo, phoneNumber, provider, country, currency, amount, fee: feeOf(facts), payout };
}

/** What the provider takes, for people who exceeded it. */
function limitsIn(known: ProviderFacts | null, currency: string): Readonly<Record<string, string>> {
  const limits = known === null ? null : limitsOf(known, { currency, operation: 'PAYOUT' });
  if (limits === null) return {};
  const { decimals, minAmountText: minAmount, maxAmountText: maxAmount } = limits;
  return { decimals: String(decimals), minAmount, maxAmount };
}

type CheckFault = Pick<RowFault, 'column' | 'code'>;

function faultsOf(column: string, reason: FailureReason | null): readonly CheckFault[] {
  if (reason === null) return [];
  const { failureCode: code } = reason;
  return [{ column: code === 'INVALID_CURRENCY' ? 'currency' : column, code }];
}

export type WrittenRecipient = Pick<WrittenPayout, 'phoneNumber' | 'provider' | 'country'>;

/** Whom a payout would reach, if this merchant may pay there; else the column that is wrong. */
export function findRecipient(
  engine: Pick<Engine, 'environment' | 'connectorOf'>,
  merchant: Merchant,
  written: WrittenRecipient,
): { readonly provider: string; readonly phoneNumber: string } | CheckFault {
  const place = placeOf(engine, written);
  if ('code' in place) return place;
  const { provider, phoneNumber } = place;
  const facts = {
    merchant,
    kind: 'PAYOUT',
    provider,
    connector: engine.connectorOf(provider, 'PAYOUT'),
  } as const;
  if (checkAllowed(facts) !== null || checkProvider(facts, findProvider(provider)) !== null)
    return { column: 'provider', code: 'INVALID_PROVIDER' };
  if (phoneNumber === null) return { column: 'phoneNumber', code: 'INVALID_PHONE_NUMBER' };
  return { provider, phoneNumber };
}

type Place = { readonly provider: string; readonly phoneNumber: string | null };

/** Whose wallet it is. The number is null where it is none of the provider's country. */
function placeOf(
  engine: Pick<Engine, 'environment'>,
  { phoneNumber, provider, country }: WrittenRecipient,
): Place | (CheckFault & Pick<RowFault, 'parameters'>) {
  const options = { testNumbersAllowed: engine.environment === 'sandbox' };
  if (provider === null) {
    if (country === undefined) return predict(phoneNumber, options);
    return predictIn(country, phoneNumber, options);
  }
  const known = findCountry(findProvider(provider)?.country ?? '');
  if (known === null) return { column: 'provider', code: 'INVALID_PROVIDER', parameters: { provider } };
  return { provider, phoneNumber: readPayerNumber(phoneNumber, known, options)?.phoneNumber ?? null };
}

/** Of a number as people write it at home. */
function predictIn(
  country: string,
  phoneNumber: string,
  options: PredictionOptions,
): ReturnType<typeof placeOf> {
  const facts = findCountry(country);
  const read = facts === null ? null : readPayerNumber(phoneNumber, facts, options);
  if (read === null) return { column: 'phoneNumber', code: 'INVALID_PHONE_NUMBER', parameters: { country } };
  return read.provider === null ? unknownProvider('PREFIX') : { ...read, provider: read.provider };
}

function predict(phoneNumber: string, options: PredictionOptions): ReturnType<typeof placeOf> {
  const predicted = predictProvider(phoneNumber, options);
  if (predicted.type === 'UNRESOLVED') return unknownProvider(predicted.because);
  return { provider: predicted.provider, phoneNumber: predicted.phoneNumber };
}

function unknownProvider(because: string): CheckFault & Pick<RowFault, 'parameters'> {
  return { column: 'phoneNumber', code: 'PROVIDER_UNKNOWN', parameters: { because } };
}

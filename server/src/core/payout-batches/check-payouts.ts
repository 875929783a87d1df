// Whether every one of many payouts could be sent, and what they come to, before any of them is. By the very checks
// that an initiation goes through, so that the two cannot disagree; funds and availability can change until then.
import { findCountry, findProvider } from '../../domain/operators/catalogue.ts';
import type { FailureReason } from '../../domain/failure.ts';
import { parseAmount, renderAmount, type Amount } from '../../domain/money.ts';
import { readPayerNumber } from '../../domain/payments/payer-number.ts';
import {
  findSameRows,
  type RowFault,
  type SameRows,
  type WrittenPayout,
} from '../../domain/payments/payout-batch.ts';
import { predictProvider } from '../../domain/operators/prediction.ts';
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
    const { failureCode: code, failureMessage: message } = notAllowed.reason;
    return { checked: [], faults: [{ rowNo: 0, column: '', code, message }], same: [], sums: [] };
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
  const wallet = [country, currency, walletProvider].filter((part) => part !== '').join(' ');
  const message =
    `The wallet ${wallet} holds ${renderAmount(available)}, and ${renderAmount(needed)} are needed with fees: ` +
    `${renderAmount(needed - available)} too little.`;
  return [{ rowNo: 0, column: 'amount', code: 'WALLET_OUT_OF_FUNDS', message }];
}

type Outcome = CheckedPayout | { readonly faults: readonly RowFault[] };

/** Everything that is wrong with a payout, and not only the first thing. */
function checkOne(engine: Engine, merchant: Merchant, { rowNo, payout }: NumberedPayout): Outcome {
  const place = placeOf(engine, payout);
  if ('message' in place) return { faults: [{ rowNo, ...place }] };
  const { provider, phoneNumber } = place;
  const { amountText, currency } = payout;
  const amount = parseAmount(amountText) ?? 0n;
  const known = findProvider(provider);
  const connector = engine.connectorOf(provider, 'PAYOUT');
  const facts = { merchant, kind: 'PAYOUT', provider, connector, currency, amount, amountText } as const;
  const faults = [
    ...faultsOf(rowNo, 'provider', checkProvider(facts, known)?.reason ?? null),
    ...faultsOf(rowNo, 'amount', known === null ? null : checkAmount(facts, known)),
    ...(phoneNumber === null ? [numberFault(rowNo, known?.country ?? '')] : []),
  ];
  if (faults.length > 0 || phoneNumber === null) return { faults };
  const country = known?.country ?? '';
  return { rowNo, phoneNumber, provider, country, currency, amount, fee: feeOf(facts), payout };
}

function faultsOf(rowNo: number, column: string, reason: FailureReason | null): readonly RowFault[] {
  if (reason === null) return [];
  const { failureCode: code, failureMessage: message } = reason;
  return [{ rowNo, column: code === 'INVALID_CURRENCY' ? 'currency' : column, code, message }];
}

function numberFault(rowNo: number, country: string): RowFault {
  const message = `The phone number is not a valid number of '${country}'.`;
  return { rowNo, column: 'phoneNumber', code: 'INVALID_PHONE_NUMBER', message };
}

type Place = { readonly provider: string; readonly phoneNumber: string | null };

/** Whose wallet it is. The number is null where it is none of the provider's country. */
function placeOf(
  engine: Pick<Engine, 'environment'>,
  { phoneNumber, provider }: WrittenPayout,
): Place | { readonly column: string; readonly code: string; readonly message: string } {
  const options = { testNumbersAllowed: engine.environment === 'sandbox' };
  if (provider === null) {
    const predicted = predictProvider(phoneNumber, options);
    if (predicted.type === 'PREDICTED') {
      return { provider: predicted.provider, phoneNumber: predicted.phoneNumber };
    }
    const message = `The provider cannot be told from the number: ${predicted.cause}.`;
    return { column: 'phoneNumber', code: 'PROVIDER_UNKNOWN', message };
  }
  const country = findCountry(findProvider(provider)?.country ?? '');
  if (country === null) {
    return { column: 'provider', code: 'INVALID_PROVIDER', message: 'There is no provider with this code.' };
  }
  return { provider, phoneNumber: readPayerNumber(phoneNumber, country, options)?.phoneNumber ?? null };
}

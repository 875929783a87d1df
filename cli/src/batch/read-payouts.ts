// Reads payouts from a file and checks them without sending: with the rules of the dashboard's files, the provider's
// numbers, and what the account may do. All errors are returned, with their lines.
import type { ActiveConfiguration, PayoutRequest } from '@malipo/sdk';
import { findCountry, findProvider } from '@malipo/server/catalogue';
import { decimalsWritten, parseAmount } from '@malipo/server/money';
import { readPayerNumber } from '@malipo/server/payer-number';
import { findSameRows } from '@malipo/server/payout-batch';
import { parsePayoutFile, type PayoutFile } from '@malipo/server/payout-file';
import { describeFault } from '@malipo/server/payout-file-messages';
import { predictProvider } from '@malipo/server/prediction';
import { lineOf } from './lines.ts';

type Written = PayoutFile['rows'][number]['payout'];

export type PlannedPayout = {
  readonly rowNo: number;
  readonly country: string;
  readonly request: PayoutRequest;
};

/** `line` is 0 for an error of the whole file. */
export type FileFault = { readonly line: number; readonly column: string; readonly message: string };

export type ReadPayouts = {
  readonly payouts: readonly PlannedPayout[];
  readonly faults: readonly FileFault[];
};

export type ReadOptions = {
  readonly configuration: ActiveConfiguration;
  readonly testNumbersAllowed: boolean;
  readonly areDuplicatesAllowed: boolean;
};

export function readPayouts(text: string, options: ReadOptions): ReadPayouts {
  const file = parsePayoutFile(text);
  const fault = ({ rowNo, column, message }: Omit<FileFault, 'line'> & { readonly rowNo: number }) => ({
    line: rowNo === 0 ? 0 : lineOf(text, rowNo),
    column,
    message,
  });
  const read = file.rows.map(({ rowNo, payout }) => ({ rowNo, ...plan(payout, options) }));
  const payouts = read.flatMap(({ rowNo, planned }) => (planned === null ? [] : [{ rowNo, ...planned }]));
  const duplicates = options.areDuplicatesAllowed ? [] : listDuplicates(payouts);
  return {
    payouts,
    faults: [
      ...file.faults.map((one) => ({ ...one, message: describeFault(one) })),
      ...read.flatMap(({ rowNo, faults }) => faults.map((one) => ({ rowNo, ...one }))),
      ...duplicates,
    ]
      .map(fault)
      .toSorted((one, other) => one.line - other.line),
  };
}

type CellFault = { readonly column: string; readonly message: string };
type Plan = { readonly planned: Omit<PlannedPayout, 'rowNo'> | null; readonly faults: readonly CellFault[] };

function plan(payout: Written, options: ReadOptions): Plan {
  const place = placeOf(payout, options);
  if ('column' in place) return { planned: null, faults: [place] };
  const { provider, phoneNumber } = place;
  const faults = listTermFaults(payout, provider, options.configuration);
  if (faults.length > 0) return { planned: null, faults };
  const { amountText: amount, currency, customerMessage, clientReferenceId, metadata } = payout;
  const request = {
    amount,
    currency,
    recipient: { type: 'MMO', accountDetails: { phoneNumber, provider } },
    ...(customerMessage !== undefined && { customerMessage }),
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(metadata !== undefined && { metadata: metadata.map(renderMetadata) }),
  } as PayoutRequest;
  return { planned: { country: findProvider(provider)?.country ?? '', request }, faults: [] };
}

type MetadataEntry = NonNullable<Written['metadata']>[number];

function renderMetadata({ name, value, isPii }: MetadataEntry): Readonly<Record<string, string | boolean>> {
  return isPii ? { [name]: value, isPII: true } : { [name]: value };
}

type Place = { readonly provider: string; readonly phoneNumber: string };

/** The provider, from the number or from the provider column. */
function placeOf({ phoneNumber, provider }: Written, options: ReadOptions): Place | CellFault {
  if (provider === null) {
    const predicted = predictProvider(phoneNumber, options);
    if (predicted.type === 'PREDICTED') return predicted;
    return {
      column: 'phoneNumber',
      message: `Unknown provider: ${predicted.cause}. Check the number, or fill in the provider column.`,
    };
  }
  const country = findCountry(findProvider(provider)?.country ?? '');
  if (country === null) return { column: 'provider', message: 'Unknown provider code.' };
  const number = readPayerNumber(phoneNumber, country, options);
  if (number !== null) return { provider, phoneNumber: number.phoneNumber };
  return { column: 'phoneNumber', message: `Not a valid phone number in ${country.alpha3}.` };
}

function listTermFaults(
  { currency, amountText }: Written,
  provider: string,
  configuration: ActiveConfiguration,
): readonly CellFault[] {
  const own = configuration.countries
    .flatMap(({ providers }) => providers)
    .find((one) => one.provider === provider);
  if (own === undefined)
    return [{ column: 'provider', message: `${provider} is not enabled for this account.` }];
  const terms = own.currencies.find((one) => one.currency === currency)?.operationTypes.PAYOUT;
  if (terms === undefined) {
    return [
      {
        column: 'currency',
        message: `${provider} does not support payouts in ${currency} for this account.`,
      },
    ];
  }
  const { minAmount, maxAmount, decimalsInAmount } = terms;
  const amount = parseAmount(amountText) ?? 0n;
  const isWithin = amount >= (parseAmount(minAmount) ?? 0n) && amount <= (parseAmount(maxAmount) ?? amount);
  if (!isWithin) {
    return [{ column: 'amount', message: `${provider} takes amounts from ${minAmount} to ${maxAmount}.` }];
  }
  const decimalsMax = decimalsInAmount === 'TWO_PLACES' ? 2 : 0;
  if (decimalsWritten(amountText) <= decimalsMax) return [];
  return [{ column: 'amount', message: `${provider} supports ${decimalsMax} decimal places.` }];
}

function listDuplicates(payouts: readonly PlannedPayout[]) {
  const rows = payouts.map(({ rowNo, request }) => ({
    rowNo,
    phoneNumber: request.recipient.accountDetails.phoneNumber,
    currency: request.currency,
    amount: parseAmount(request.amount) ?? 0n,
    clientReferenceId: request.clientReferenceId,
  }));
  return findSameRows(rows).map(({ rowNos }) => ({
    rowNo: rowNos.at(-1) ?? 0,
    column: '',
    message: `Rows ${rowNos.join(', ')} look like duplicates. To send all of them: --allow-duplicates.`,
  }));
}

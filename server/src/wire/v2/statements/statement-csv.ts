// The file of a statement: RFC 4180, UTF-8, one row per movement between two balance rows.
import { metadataToRecord } from '../../../domain/metadata.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import type { StatedPayment, StatementRow } from '../../../domain/wallet-statement.ts';
import { harmless, renderCsvLine } from '../../csv.ts';
import { renderTimestamp } from '../timestamp.ts';

/** In the order of the specification; `balance` is ours. New columns are added at the end. */
const COLUMNS = [
  'id',
  'type',
  'status',
  'currency',
  'amount',
  'fee',
  'net',
  'balance',
  'phoneNumber',
  'provider',
  'clientReferenceId',
  'created',
  'completed',
  'providerTransactionId',
  'metadata',
] as const;

type Cells = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

export function renderHeader(): string {
  return renderCsvLine(COLUMNS);
}

export function renderBalanceRow(
  type: 'OPENING_BALANCE' | 'CLOSING_BALANCE',
  { currency, balance, at }: { readonly currency: string; readonly balance: Amount; readonly at: Date },
): string {
  return renderCells({ type, currency, balance: renderAmount(balance), completed: renderTimestamp(at) });
}

export function renderRow(row: StatementRow, currency: string): string {
  return renderCells({
    id: row.id,
    type: row.type,
    currency,
    amount: renderAmount(row.amount),
    fee: renderAmount(row.fee),
    net: renderAmount(row.net),
    balance: renderAmount(row.balance),
    created: row.payment?.createdAt ?? row.at,
    completed: row.at,
    ...(row.payment === null ? {} : cellsOf(row.payment)),
  });
}

/** Values from merchants, payers and operators are free text; all others are our own codes and numbers. */
function cellsOf({ state, provider, providerTransactionId, details }: StatedPayment): Cells {
  const { phoneNumber, clientReferenceId = '', metadata } = details;
  return {
    status: state,
    phoneNumber: harmless(phoneNumber),
    provider,
    clientReferenceId: harmless(clientReferenceId),
    providerTransactionId: harmless(providerTransactionId ?? ''),
    metadata: metadata === undefined ? '' : harmless(JSON.stringify(metadataToRecord(metadata))),
  };
}

function renderCells(cells: Cells): string {
  return renderCsvLine(COLUMNS.map((column) => cells[column] ?? ''));
}

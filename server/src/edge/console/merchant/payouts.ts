// Payouts that people order in the dashboard: one by a form, many by a file, each approved before it is sent.
import type { FastifyInstance } from 'fastify';
import {
  cancelPayouts,
  sendPayouts,
  type BatchRefusal,
} from '../../../core/payout-batches/approve-payouts.ts';
import { preparePayouts, type PrepareOrder } from '../../../core/payout-batches/prepare-payouts.ts';
import { listActive } from '../../../core/payments/read/read-configuration.ts';
import {
  readBatch,
  readBatches,
  readBatchRows,
  revealBatchRows,
} from '../../../core/payout-batches/read-payout-batches.ts';
import { BATCH_ROWS_MAX } from '../../../domain/payments/payout-batch.ts';
import type { Merchant } from '../../../store/merchants/merchants.ts';
import type { BatchRow } from '../../../store/payout-batches/payout-batch-rows.ts';
import type { Preparer } from '../../../store/payout-batches/payout-batches.ts';
import { FILE_BYTES_MAX, readForm, payoutBatchCalls } from '../../../wire/console/merchant/payout-batch.ts';
import {
  renderBatch,
  renderBatchRow,
  renderListedBatch,
  renderPrepared,
  type RowView,
} from './payout-records.ts';
import { parsePayoutFile } from '../../../wire/console/merchant/payout-file.ts';
import { renderOptions, payoutLimitCalls } from '../../../wire/console/merchant/payout-limit.ts';
import { renderBatchFile } from './payout-results.ts';
import { renderPage, type Page } from '../../../wire/console/page.ts';
import { done } from '../../../wire/console/shape.ts';
import { describeApproval } from '../approvals.ts';
import { requirePage } from '../page.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, permissionsAt, type ConsoleParts, type SignedInUser } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'payments:read' } as const;
const PREPARE = { for: 'MERCHANT', permission: 'payouts:prepare' } as const;
const SEND = { ...PREPARE, isDangerous: true } as const;
const REVEAL = { for: 'MERCHANT', permission: 'payments:reveal' } as const;

const base = '/merchants/:merchantId';
const batch = `${base}/payout-batches/:batchId`;

export function registerPayoutBatches(app: FastifyInstance, parts: ConsoleParts): void {
  registerPreparing(app, parts);
  registerReading(app, parts);
  registerFiles(app, parts);
  registerDeciding(app, parts);
}

function registerPreparing(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payouts');
  route('GET', `${base}/payout-options`, PREPARE, payoutLimitCalls.readPayoutOptions, {
    summary: 'List providers and limits for payouts',
    handle: async ({ path }) => {
      const merchant = await merchantOf(parts, path.merchantId);
      const filter = { country: null, operationType: 'PAYOUT' };
      return renderOptions(await listActive(parts.engine, merchant, filter));
    },
  });
  route('POST', `${base}/payouts`, PREPARE, payoutBatchCalls.preparePayout, {
    summary: 'Prepare one payout, as a batch of one',
    handle: async ({ path, body, user }) => {
      const title = body.clientReferenceId?.slice(0, 100) || 'Payout';
      const payouts = [{ rowNo: 1, payout: readForm(body) }];
      const order = { source: 'FORM', title, payouts, faults: [] } as const;
      return prepare(parts, path, user, { ...order, repeatsAreMeant: body.repeatsAreMeant === true });
    },
  });
  route('POST', `${base}/payout-batches`, PREPARE, payoutBatchCalls.preparePayoutBatch, {
    summary: 'Check a file of payouts and, if it has no errors, prepare a batch',
    bodyBytesMax: FILE_BYTES_MAX,
    handle: async ({ path, body, user }) => {
      const { rows: payouts, faults, rowCount } = parsePayoutFile(body.file);
      const repeatsAreMeant = body.repeatsAreMeant === true;
      const order = { source: 'FILE', title: body.title, payouts, faults, repeatsAreMeant } as const;
      return { ...(await prepare(parts, path, user, order)), rowCount };
    },
  });
}

type Asked = Pick<PrepareOrder, 'source' | 'title' | 'payouts' | 'faults' | 'repeatsAreMeant'>;

async function prepare(
  parts: ConsoleParts,
  { merchantId }: { readonly merchantId: string },
  user: SignedInUser,
  asked: Asked,
) {
  const prepared = await preparePayouts(parts.engine, {
    ...asked,
    merchant: await merchantOf(parts, merchantId),
    actor: actorOf(user),
    apiVersion: 'v2',
    hostLimits: parts.payoutApprovalAbove,
  });
  return renderPrepared(prepared, asked.payouts.length);
}

function registerReading(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payouts');
  const { engine, payoutApprovalAbove: hostLimits } = parts;
  route('GET', `${base}/payout-batches`, READ, payoutBatchCalls.listPayoutBatches, {
    summary: 'Batches of payouts, the newest first',
    handle: async ({ path, query }) => {
      const page = requirePage(query, ['uuid']);
      const { status = null } = query;
      const [beforeId, countMax] = [page.after?.[0] ?? null, page.countMax + 1];
      const batches = await readBatches(engine, { ...path, status, beforeId, countMax, hostLimits });
      return renderPage(batches, page, { show: renderListedBatch, cursorOf: ({ batchId }) => [batchId] });
    },
  });
  route('GET', batch, READ, payoutBatchCalls.readPayoutBatch, {
    summary: 'Show a batch, its wallets and its progress',
    handle: async ({ path, user }) => {
      const merchant = await merchantOf(parts, path.merchantId);
      const read = required(await readBatch(engine, merchant, { batchId: path.batchId, hostLimits }));
      const approval = read.approval === null ? null : await describeApproval(parts, user, read.approval);
      return renderBatch(read, user.personId, approval);
    },
  });
  route('GET', `${batch}/rows`, READ, payoutBatchCalls.listPayoutBatchRows, {
    summary: 'The payouts of a batch, in the order of the file',
    handle: async ({ path, query, user }) => {
      const page = requirePage(query, ['number']);
      const rows = required(await readBatchRows(engine, { ...path, ...rowsIn(page) }));
      return renderRows(rows, page, viewOf(user, path.merchantId));
    },
  });
  route('POST', `${batch}/rows/reveal`, REVEAL, payoutBatchCalls.revealPayoutBatchRows, {
    summary: 'The same page with names and numbers in full; asking is recorded',
    handle: async ({ path, body, user }) => {
      const page = requirePage(body, ['number']);
      const order = { ...path, ...rowsIn(page), actor: actorOf(user) };
      return renderRows(required(await revealBatchRows(engine, order)), page, 'REVEALED');
    },
  });
}

function rowsIn({ after, countMax }: Page) {
  return { afterNo: Math.min(Number(after?.[0] ?? 0), BATCH_ROWS_MAX), countMax: countMax + 1 };
}

function renderRows(rows: readonly BatchRow[], page: Page, view: RowView) {
  const show = (row: BatchRow) => renderBatchRow(row, view);
  return renderPage(rows, page, { show, cursorOf: ({ rowNo }) => [String(rowNo)] });
}

/** Names are for the people who prepare and approve payouts: they must see whom they pay. */
function viewOf(user: SignedInUser, merchantId: string): RowView {
  const permissions = permissionsAt(user, merchantId);
  return permissions.includes('payouts:prepare') || permissions.includes('payouts:approve')
    ? 'NAMED'
    : 'MASKED';
}

function registerFiles(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payouts');
  const { engine } = parts;
  const all = { afterNo: 0, countMax: BATCH_ROWS_MAX };
  route('GET', `${batch}/results`, READ, payoutBatchCalls.readPayoutResults, {
    summary: 'The outcome of every payout of a batch, as comma-separated values with masked numbers',
    handle: async ({ path }) =>
      fileOf(path.batchId, required(await readBatchRows(engine, { ...path, ...all })), { isRevealed: false }),
  });
  route('POST', `${batch}/results/reveal`, REVEAL, payoutBatchCalls.revealPayoutResults, {
    summary: 'The same with numbers in full; access is recorded',
    handle: async ({ path, user }) => {
      const rows = await revealBatchRows(engine, { ...path, ...all, actor: actorOf(user) });
      return fileOf(path.batchId, required(rows), { isRevealed: true });
    },
  });
}

function registerDeciding(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'payouts');
  const { engine } = parts;
  route('POST', `${batch}/send`, SEND, payoutBatchCalls.sendPayoutBatch, {
    summary: 'Send a batch, or request approval',
    handle: async ({ path, user }) => {
      const hostLimits = parts.payoutApprovalAbove;
      const sent = await sendPayouts(engine, { ...path, actor: actorOf(user), hostLimits });
      if (sent.type === 'NOT_FOUND' || sent.type === 'NOT_NOW') throw failureOf(sent);
      return { outcome: sent.type };
    },
  });
  route('POST', `${batch}/cancel`, PREPARE, payoutBatchCalls.cancelPayoutBatch, {
    summary: 'Cancel payouts that are not sent yet',
    handle: async ({ path, body, user }) => {
      const cancelled = await cancelPayouts(engine, { ...path, ...body, by: user.by });
      if (cancelled.type === 'DONE') return done;
      throw failureOf(cancelled);
    },
  });
}

export function failureOf(refusal: BatchRefusal): ConsoleFailure {
  return refusal.type === 'NOT_FOUND'
    ? new ConsoleFailure('NOT_FOUND')
    : failureBecause('CONFLICT', 'BATCH_CHANGED', { status: refusal.status });
}

function fileOf(batchId: string, rows: readonly BatchRow[], options: { readonly isRevealed: boolean }) {
  return { fileName: `payouts-${batchId}.csv`, file: renderBatchFile(rows, options) };
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new ConsoleFailure('NOT_FOUND');
  return value;
}

async function merchantOf({ engine }: ConsoleParts, merchantId: string): Promise<Merchant> {
  return required(await engine.directory.merchant(merchantId));
}

function actorOf({ personId, by }: SignedInUser): Preparer {
  return { personId, by };
}

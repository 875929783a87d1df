// Operators' reports: files that are imported, lines that wait for approval, and payments that a restore lost.
import { randomBytes, randomUUID } from 'node:crypto';
import { referenceFor } from '../../src/core/operators/reference.ts';
import { beginRecovery, endRecovery } from '../../src/core/recovery/recover.ts';
import type { FloatMovementType } from '../../src/domain/ledger/float-movement.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import { requestVoid } from '../../src/core/reconciliation/void-file.ts';
import { insertUpload } from '../../src/store/daily-close/report-uploads.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { approvalIn } from '../console/asked.ts';
import { select } from '../gateway.ts';
import { nowOf } from '../clocks.ts';
import { whileRefused } from '../refused-writes.ts';
import { importFile } from '../report-files.ts';
import { ACCOUNT, OF_ACCOUNT, rowAbout, uploadReport, type ReportRow } from './report-files.ts';
import type { Way, Ways } from './ways.ts';
import {
  acceptPayment,
  act,
  completed,
  decideForPlatform,
  FAILED,
  happen,
  startWorkerUntilNone,
  type World,
} from './world.ts';

async function decideOnReport(world: World, what: 'approve' | 'reject'): Promise<void> {
  const approvalId = await approvalIn(world.gateway, world.ana, 'OPERATOR_REPORT');
  await decideForPlatform(world, world.ben, approvalId, what);
}

/** What a report says of a deposit to which these things happened, which another person decides on. */
const proposed = (
  events: () => readonly PaymentEvent[],
  changes: Partial<ReportRow>,
  what: 'approve' | 'reject',
): Way<World> => ({
  make: async (world) => {
    const key = await acceptPayment(world, { kind: 'DEPOSIT' });
    await happen(world, key, { type: 'SUBMIT_CLAIMED' }, ...events());
    await uploadReport(world, { ...(await rowAbout(world, key)), ...changes });
    return () => decideOnReport(world, what);
  },
});

/** What a report says that is not about a payment. */
const movement = (type: FloatMovementType, direction: 'IN' | 'OUT'): Way<World> => ({
  make: async (world) => {
    await uploadReport(world, { direction, amount: '7', movement: type, transactionId: `${type}-1` });
    return () => decideOnReport(world, 'approve');
  },
});

type Lost = { readonly row: ReportRow };

/** A deposit that the database lost when it was restored, as the operator's report has it. */
async function lose({ gateway }: World): Promise<Lost> {
  const { engine, merchantId } = gateway;
  if ((await select(gateway, 'select 1 from recoveries')).length === 0)
    await beginRecovery(engine, { by: 'Ana', lostFrom: new Date('2026-01-01T00:00:00Z') });
  const depositId = randomUUID();
  const key = { merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  const { referenceKey, home, connectors } = engine;
  const { shape } = connectors.get('simulator')!.reference;
  const reference = referenceFor(referenceKey, { key, attemptNo: 1, home, shape });
  return { row: { direction: 'IN', amount: '100', reference, transactionId: randomUUID() } };
}

/** The report that names it is uploaded, and to be decided on. */
async function report(world: World): Promise<Lost> {
  const lost = await lose(world);
  await uploadReport(world, lost.row);
  return lost;
}

const REPORTED_HOLDS = `select 1 from wallet_holds where reason = 'REPORTED_REVERSAL' and released_at is null`;

export const FILE_WAYS: Ways<World> = {
  'report_uploads.status RUNNING': {
    make: async (world) => {
      const { gateway, ana } = world;
      const startedAt = nowOf(gateway.engine);
      const upload = { ...ACCOUNT, source: 'OPERATOR', fileName: 'a.csv', fileHash: 'h' } as const;
      const begun = { ...upload, uploadId: randomUUID(), uploadedBy: 'Ana', startedAt, updatedAt: startedAt };
      // The process that imports it stops.
      await insertUpload(gateway.engine.store.database, begun);
      return {
        count: async () =>
          (await act(ana, 'GET', `${OF_ACCOUNT}/uploads`)).rows.filter(
            ({ status }: { readonly status: string }) => status === 'RUNNING',
          ).length,
        end: async () => {
          await gateway.gateway.movableClock!.move(121_000);
          await uploadReport(world, { direction: 'IN', amount: '1', reference: randomUUID() });
        },
      };
    },
  },
  'operator_reports.covers_from null': {
    make: async ({ gateway }) => {
      const occurredAt = nowOf(gateway.engine);
      const moved = { direction: 'IN', status: 'COMPLETED', amount: 10_000n, currency: 'RWF' } as const;
      const lines = [{ ...moved, occurredAt, reference: randomUUID() }];
      const fileHash = randomBytes(32);
      const writes = { table: 'operator_report_lines', operation: 'update' } as const;
      await whileRefused(gateway, writes, () => importFile(gateway, lines, { fileHash })).catch(
        () => undefined,
      );
      return () => importFile(gateway, lines, { fileHash });
    },
  },
  'operator_reports.taken_back_at null': {
    make: async (world) => {
      const { gateway } = world;
      const { engine } = gateway;
      const moved = { direction: 'IN', status: 'COMPLETED', amount: 10_000n, currency: 'RWF' } as const;
      const line = { ...moved, occurredAt: nowOf(engine), reference: randomUUID() };
      const { reportId: fileId } = await importFile(gateway, [line]);
      const asked = await requestVoid(engine, { fileId, actor: actorNamed('Ana'), reason: 'it was wrong' });
      const approvalId = asked.type === 'REQUESTED' ? asked.approvalId : '';
      const writes = { table: 'operator_report_lines', operation: 'update' } as const;
      await whileRefused(gateway, writes, () => decideAs(engine, 'Ben', approvalId)).catch(() => undefined);
      const left = 'select 1 from operator_reports where voided_at is not null and taken_back_at is null';
      return () => startWorkerUntilNone(world, left);
    },
  },
  'operator_report_lines.finding TO_APPROVE': proposed(() => [], {}, 'approve'),
  'operator_report_lines.effect END_COMPLETED': proposed(() => [], {}, 'approve'),
  'operator_report_lines.effect END_FAILED': proposed(() => [], { status: 'FAILED' }, 'approve'),
  'operator_report_lines.effect CASE': proposed(() => [FAILED], {}, 'reject'),
  'operator_report_lines.effect REVERSAL': proposed(() => [completed()], { status: 'FAILED' }, 'approve'),
  'wallet_holds.reason REPORTED_REVERSAL': {
    make: async (world) => {
      const decided = proposed(() => [completed()], { status: 'FAILED' }, 'reject');
      const end = await decided.make(world);
      if (typeof end !== 'function') throw new Error('it is a row of the database');
      return async () => {
        await end();
        // A worker releases what nothing holds any more.
        await startWorkerUntilNone(world, REPORTED_HOLDS);
      };
    },
  },
  'operator_report_lines.effect FLOAT_TOP_UP': movement('FLOAT_TOP_UP', 'IN'),
  'operator_report_lines.effect FLOAT_WITHDRAWAL': movement('FLOAT_WITHDRAWAL', 'OUT'),
  'operator_report_lines.effect OPERATOR_CHARGE': movement('OPERATOR_CHARGE', 'OUT'),
  'operator_report_lines.effect LOST_PAYMENT': {
    make: async (world) => {
      await report(world);
      return () => decideOnReport(world, 'reject');
    },
  },
  'unmatched_payments.approved_at null': {
    make: async (world) => {
      await report(world);
      return () => decideOnReport(world, 'approve');
    },
  },
  'unmatched_payments.posted_at null': {
    make: async (world) => {
      const lost = await report(world);
      await whileRefused(world.gateway, { table: 'transfers', operation: 'insert' }, () =>
        decideOnReport(world, 'approve').catch(() => undefined),
      );
      return () => uploadReport(world, lost.row);
    },
  },
  'unmatched_payments.released_at null': {
    make: async (world) => {
      const lost = await report(world);
      await decideOnReport(world, 'approve');
      return async () => {
        await endRecovery(world.gateway.engine, { by: 'Ana', provider: null, unasked: true });
        const { reference } = lost.row;
        const body = {
          provider: ACCOUNT.provider,
          reference,
          direction: 'IN',
          bearer: 'PLATFORM',
          reason: 'unknown',
        };
        await act(world.ana, 'POST', 'api/host/lost-payments', body);
        const approvalId = await approvalIn(world.gateway, world.ana, 'LOST_PAYMENT');
        await decideForPlatform(world, world.ben, approvalId, 'approve');
      };
    },
  },
};

// Money of wallets that waits: holds, cases, bank accounts, settlements, batches of payouts and statements.
import { randomUUID } from 'node:crypto';
import { sendNextLot } from '../../src/core/payout-batches/send-payouts.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { approvalAbout, approvalIn, at } from '../console/asked.ts';
import { fileOf, pathOf, prepared } from '../console/payout-files.ts';
import { select } from '../gateway.ts';
import { whileRefused } from '../refused-writes.ts';
import { today } from './report-files.ts';
import type { Way, Ways } from './ways.ts';
import {
  acceptPayment,
  act,
  completed,
  decideForMerchant,
  decideForPlatform,
  FAILED,
  happen,
  startWorkerUntil,
  type World,
} from './world.ts';

const HOUR_MS = 3_600_000;

const OTHER_AMOUNT: PaymentEvent = {
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'UNKNOWN', reason: 'AMOUNT_DIFFERS', about: 'MP-1' },
};

/** A payment at its operator, with what the operator says of it, one after the other. */
async function told(
  world: World,
  kind: 'DEPOSIT' | 'PAYOUT',
  ...events: readonly PaymentEvent[]
): Promise<PaymentKey> {
  const key = await acceptPayment(world, { kind });
  await happen(world, key, { type: 'SUBMIT_CLAIMED' }, ...events);
  return key;
}

type Resolving = { readonly resolution: string; readonly amount?: string };

/** Ana requests how the payment's case is resolved, and Ben approves. */
async function resolve(world: World, { paymentId }: PaymentKey, order: Resolving): Promise<void> {
  const [row] = await select(world.gateway, 'select case_id from cases where payment_id = $1', [paymentId]);
  const caseId = row?.['case_id'];
  const path = `api/host/cases/${caseId}/resolution`;
  const { approvalId } = await act(world.ana, 'POST', path, { reason: 'as the statement says', ...order });
  await decideForPlatform(world, world.ben, approvalId);
}

const ofCase = (
  kind: 'DEPOSIT' | 'PAYOUT',
  events: () => readonly PaymentEvent[],
  order: Resolving,
): Way<World> => ({
  make: async (world) => {
    const key = await told(world, kind, ...events());
    return () => resolve(world, key, order);
  },
});

/** The owner registers the merchant's bank account. Answers the request. */
async function registerAccount({ gateway, owner }: World): Promise<string> {
  const account = { bank: 'Bank of Kigali', holder: 'Duka', number: '00040123456' };
  return (await act(owner, 'PUT', at(gateway, 'bank-accounts/RWF'), account)).approvalId;
}

const passCoolingOff = ({ gateway }: World) => gateway.gateway.movableClock!.move(49 * HOUR_MS);

const cancelBatch = ({ gateway, owner }: World, batchId: string) =>
  act(owner, 'POST', pathOf(gateway, `/${batchId}/cancel`), {});

async function approveBatch(world: World, batchId: string): Promise<void> {
  const approvalId = await approvalAbout(world.gateway, 'PAYOUT_BATCH', batchId);
  await decideForMerchant(world, world.finance, approvalId);
}

/** A batch that waits for its approval. */
const prepare = ({ gateway, owner }: World) => prepared(gateway, owner, fileOf(2));

export const MONEY_WAYS: Ways<World> = {
  'wallet_holds.reason MANUAL_DEPOSIT': {
    make: async (world) => {
      const { gateway } = world;
      const key = await told(world, 'DEPOSIT', { type: 'HORIZON_PASSED' });
      const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
      await happen(world, key, { type: 'ENDED_MANUALLY', outcome });
      return async () => {
        await gateway.gateway.movableClock!.move(25 * HOUR_MS);
        const held = 'select 1 from wallet_holds where payment_id = $1 and released_at is null';
        await startWorkerUntil(
          world,
          async () => (await select(gateway, held, [key.paymentId])).length === 0,
        );
      };
    },
  },
  'wallet_holds.reason CASE': ofCase('DEPOSIT', () => [completed(), FAILED], { resolution: 'WRITE_OFF' }),
  'cases.evidence LATE_SUCCESS': ofCase('DEPOSIT', () => [FAILED, completed()], {
    resolution: 'CREDIT_MERCHANT',
  }),
  'cases.evidence LATE_FAILURE': ofCase('DEPOSIT', () => [completed(), FAILED], {
    resolution: 'REVERSE_EVIDENCE',
  }),
  'cases.evidence DISCREPANCY': ofCase('DEPOSIT', () => [OTHER_AMOUNT, completed()], {
    resolution: 'WRITE_OFF',
    amount: '10',
  }),
  'wallet_debts row': {
    make: async (world) => {
      const { gateway, ana, ben } = world;
      // The operator took back a deposit: the merchant owes it until a later credit pays for it.
      await told(world, 'DEPOSIT', completed(), FAILED);
      return async () => {
        const { merchantId } = gateway;
        const place = { merchantId, country: 'RWA', currency: 'RWF' };
        const order = { type: 'ADJUSTMENT', ...place, amount: '1000', reason: 'the platform bears it' };
        await act(ana, 'POST', 'api/host/money-requests', order);
        await decideForPlatform(world, ben, await approvalIn(gateway, ana, 'MONEY'));
      };
    },
  },
  'bank_accounts.status REQUESTED': {
    make: async (world) => {
      const approvalId = await registerAccount(world);
      return async () => {
        await decideForMerchant(world, world.finance, approvalId);
        await passCoolingOff(world);
      };
    },
  },
  'bank_accounts.usable_from set': {
    make: async (world) => {
      await decideForMerchant(world, world.finance, await registerAccount(world));
      return () => passCoolingOff(world);
    },
  },
  'settlements.status REQUESTED': {
    make: async (world) => {
      const { gateway, owner, ana, ben } = world;
      await decideForMerchant(world, world.finance, await registerAccount(world));
      await passCoolingOff(world);
      const order = { requestId: randomUUID(), country: 'RWA', currency: 'RWF', amount: '5' };
      const { settlementId } = await act(owner, 'POST', at(gateway, 'settlements'), order);
      return async () => {
        const path = `api/host/settlements/${settlementId}/paid`;
        const { approvalId } = await act(ana, 'POST', path, { reference: randomUUID() });
        await decideForPlatform(world, ben, approvalId);
      };
    },
  },
  'payout_batches.status WAITING': {
    make: async (world) => {
      const batchId = await prepare(world);
      return () => approveBatch(world, batchId);
    },
  },
  'payout_batches.status SENDING': {
    make: async (world) => {
      const batchId = await prepare(world);
      await approveBatch(world, batchId);
      return () => cancelBatch(world, batchId);
    },
  },
  'payout_batch_rows.status WAITING': {
    make: async (world) => {
      const batchId = await prepare(world);
      return () => cancelBatch(world, batchId);
    },
  },
  'payout_batch_rows.status CLAIMED': {
    make: async (world) => {
      const { gateway } = world;
      const leaseMs = 60_000;
      await approveBatch(world, await prepare(world));
      // The process that claimed the rows stops before it makes payments of them.
      const lot = { countMax: 50, leaseMs, onError: () => undefined };
      await whileRefused(gateway, { table: 'payments', operation: 'insert' }, () =>
        sendNextLot(gateway.engine, lot),
      );
      return async () => {
        await gateway.gateway.movableClock!.move(leaseMs + 1_000);
        const claimed = `select 1 from payout_batch_rows where status = 'CLAIMED'`;
        await startWorkerUntil(world, async () => (await select(gateway, claimed)).length === 0);
      };
    },
  },
  'statements.status PROCESSING': {
    make: async (world) => {
      const { gateway, finance } = world;
      const day = today(gateway);
      const wallet = { country: 'RWA', currency: 'RWF' };
      const order = { wallet, from: day, to: day, isCompressed: false };
      await act(finance, 'POST', at(gateway, 'statements'), order);
      return async () => {
        await gateway.gateway.movableClock!.move(60_000);
        const open = `select 1 from statements where status = 'PROCESSING'`;
        await startWorkerUntil(world, async () => (await select(gateway, open)).length === 0);
      };
    },
  },
};

// Requests of every kind, which wait for another person. What each does when it is approved has tests of its own; here
// those who may decide end it, whatever it is about.
import { randomUUID } from 'node:crypto';
import { requestApproval } from '../../src/core/approvals/request.ts';
import { requestMoney } from '../../src/core/ledger/request-money-movement.ts';
import { APPROVAL_KINDS, rulesOf, type ApprovalKind } from '../../src/domain/approval.ts';
import { permissionsOf } from '../../src/domain/merchants/roles.ts';
import { inTransaction } from '../../src/store/database.ts';
import { OF_THE_CELL, REQUESTS } from '../approval-requests.ts';
import { actorNamed } from '../approvals.ts';
import { approvalIn } from '../console/asked.ts';
import { signedIn, type TestPerson } from '../console/people.ts';
import { select } from '../gateway.ts';
import type { Way, Ways } from './ways.ts';
import { decideForMerchant, decideForPlatform, type World } from './world.ts';

/** A request about what does not exist. Answers its identifier. */
async function request({ gateway }: World, kind: ApprovalKind, person: TestPerson): Promise<string> {
  const { engine, merchantId } = gateway;
  const actor = { personId: person.personId, by: person.email };
  const whose = OF_THE_CELL.includes(kind) ? null : merchantId;
  const asked = REQUESTS[kind];
  // The rows that these requests are about have names of this form.
  const content = Object.assign({}, asked, 'closeId' in asked && { closeId: randomUUID() });
  const wanted = { actor, merchantId: whose, kind, subject: randomUUID(), request: content };
  await inTransaction(engine.store.database, (tx) => requestApproval(engine, tx, wanted));
  return approvalIn(gateway, person, kind);
}

/** Whoever has the permission to decide on the kind rejects it. */
const rejected = (kind: ApprovalKind): Way<World> => ({
  make: async (world) => {
    const { gateway, ana, ben, owner } = world;
    const { decidedAt, decide } = rulesOf({ kind, merchantId: gateway.merchantId });
    const isOfPlatform = decidedAt === 'PLATFORM';
    const approvalId = await request(world, kind, isOfPlatform ? ana : owner);
    if (isOfPlatform) return () => decideForPlatform(world, ben, approvalId, 'reject');
    const role = permissionsOf('FINANCE').includes(decide) ? 'FINANCE' : 'DEVELOPER';
    const other = await signedIn(gateway, role);
    return () => decideForMerchant(world, other, approvalId, 'reject');
  },
});

export const APPROVAL_WAYS: Ways<World> = {
  ...Object.fromEntries(APPROVAL_KINDS.map((kind) => [`approvals.kind ${kind}`, rejected(kind)])),
  'approvals.status PENDING': {
    make: async (world) => {
      const approvalId = await request(world, 'TOKEN', world.owner);
      return () => decideForMerchant(world, world.owner, approvalId, 'withdraw');
    },
  },
  'approvals.confirmed_at null': {
    make: async (world) => {
      const { gateway, ana, ben } = world;
      const money = {
        type: 'TOP_UP',
        country: 'RWA',
        currency: 'RWF',
        walletProvider: '',
        amount: 10_000n,
      } as const;
      await requestMoney(gateway.engine, {
        ...money,
        actor: actorNamed('a command'),
        merchantId: gateway.merchantId,
        reference: randomUUID(),
        reason: null,
      });
      const asked = `select approval_id from approvals where requested_by is null and status = 'PENDING'`;
      const [row] = await select(gateway, asked);
      return async () => {
        await decideForPlatform(world, ana, row?.['approval_id']);
        await decideForPlatform(world, ben, row?.['approval_id']);
      };
    },
  },
};

// OWASP API6:2023, Unrestricted Access to Sensitive Business Flows: whatever is requested, another person approves it,
// as they were shown it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, reject } from '../../src/core/approvals/decide.ts';
import { findRefusal } from '../../src/core/approvals/refusals.ts';
import { requestApproval } from '../../src/core/approvals/request.ts';
import { APPROVAL_KINDS } from '../../src/domain/approval.ts';
import { decideApproval, findApproval } from '../../src/store/approvals/approvals.ts';
import { inTransaction } from '../../src/store/database.ts';
import { setMembership } from '../../src/store/merchants/people.ts';
import { addPeople, ANA, BEN, OF_THE_CELL, REQUESTS } from '../approval-requests.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  await addPeople(gateway.engine);
  const of = { personId: ANA.personId, now: new Date(0) };
  const { database } = gateway.engine.store;
  await setMembership(database, { ...of, merchantId: gateway.merchantId, role: 'OWNER' });
  await setMembership(database, { ...of, merchantId: null, role: 'OPERATOR_ADMIN' });
});
afterAll(() => gateway.stop());

test.each(APPROVAL_KINDS)(
  'A request of kind %s is approved only by another person, as shown.',
  async (kind) => {
    const { engine, merchantId } = gateway;
    const { database, keyring } = engine.store;
    const whose = OF_THE_CELL.includes(kind) ? null : merchantId;
    const wanted = { actor: ANA, merchantId: whose, kind, subject: randomUUID(), request: REQUESTS[kind] };
    const approvalId = (await inTransaction(database, (tx) => requestApproval(engine, tx, wanted)))!;
    const pending = (await findApproval(database, approvalId))!;
    const { shownHash } = pending;
    const deciding = { approvalId, whose: 'ALL', hash: shownHash } as const;
    const renamed = { personId: ANA.personId, by: 'eve@example.com' };
    const sameName = { personId: BEN.personId, by: ` ${ANA.by.toUpperCase()}` };
    for (const decider of [ANA, renamed, sameName]) {
      expect(await approve(engine, { ...deciding, decider })).toEqual({ type: 'SAME_PERSON' });
      expect(await reject(engine, { ...deciding, decider, reason: 'why' })).toEqual({ type: 'SAME_PERSON' });
      const decision = {
        status: 'APPROVED',
        by: decider,
        hash: shownHash,
        note: null,
        at: new Date(),
      } as const;
      await expect(decideApproval(database, keyring, pending, decision)).rejects.toMatchObject({
        code: '23514',
      });
    }
    const unseen = { ...deciding, decider: BEN, hash: '0'.repeat(64) };
    expect(await approve(engine, unseen)).toEqual({ type: 'NOT_AS_SHOWN' });
    expect(await findApproval(database, approvalId)).toMatchObject({ status: 'PENDING' });
    // Nothing else stands in the way.
    expect(await findRefusal(engine, database, pending, { decider: BEN, hash: shownHash })).toBeNull();
  },
);

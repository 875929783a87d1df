// What addresses of screens name: a merchant, one of its payments, an account of the ledger, links in mails.
import type { Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import { startCloses } from '../../server/src/core/daily-close/accounts.ts';
import { invite } from '../../server/src/core/merchants/team.ts';
import { dayIn } from '../../server/src/domain/time-zone.ts';
import { findPersonByEmail } from '../../server/src/store/merchants/people.ts';

export type NamedThings = Readonly<Record<string, string>>;

export async function nameThings(sandbox: Sandbox): Promise<NamedThings> {
  const { gateway, merchantId } = sandbox;
  const { engine } = gateway;
  const { database } = engine.store;
  const first = async (query: string) => {
    const { rows } = await database.query<{ id: string }>(query);
    if (rows[0] === undefined) throw new Error(`nothing for a picture: ${query}`);
    return rows[0].id;
  };
  return {
    ...(await createLinks(sandbox)),
    merchantId,
    day: await followDays(sandbox),
    // The newest has its callback and its refund.
    depositId: await first(
      `select d.payment_id as id from payments d join payments r on r.deposit_id = d.payment_id
       where r.kind = 'REFUND' order by d.created_at desc limit 1`,
    ),
    accountId: await first(
      `select account_id as id from accounts where type = 'FLOAT' and provider = 'MTN_MOMO_RWA' limit 1`,
    ),
  };
}

/** What people are mailed: an invitation, and a link for a new password. */
async function createLinks({ gateway, merchantId }: Sandbox): Promise<NamedThings> {
  const { engine } = gateway;
  const by = 'owner@demo.example';
  const role = 'SUPPORT';
  const { personId = '' } = (await findPersonByEmail(engine.store.database, by)) ?? {};
  return {
    invitation: await invite(engine, { by, merchantId, email: 'awa.diop@demo.example', role }),
    reset: (await gateway.console?.signIn.createResetToken({ by, personId, email: by })) ?? '',
  };
}

/** An account whose days are closed since three days ago. Answers the second of them. */
async function followDays({ gateway: { engine } }: Sandbox): Promise<string> {
  const account = { provider: 'MTN_MOMO_RWA', currency: 'RWF', timeZone: null, dueHours: 36 };
  const dayAgo = (days: number) =>
    dayIn('Africa/Kigali', new Date(engine.clock.now().getTime() - days * 86_400_000));
  await startCloses(engine, { by: 'admin@demo.example', ...account, firstDay: dayAgo(3) });
  return dayAgo(2);
}

// Certifications of operator accounts, as the audit log has them.
import { parseSigned, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';

/** The amounts of the runs with real money that began since then. Two that begin at once wait for each other. */
export async function sumCertified(
  tx: Tx,
  { subject, currency, since }: { readonly subject: string; readonly currency: string; readonly since: Date },
): Promise<Amount> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7027))', [`${subject}/${currency}`]);
  const { rows } = await tx.query<{ amount: string }>(
    `select detail->>'amount' as amount from audit_log
     where act = 'OPERATOR_CERTIFICATION_STARTED' and subject = $1 and detail->>'currency' = $2
       and (detail->>'isRealMoney')::boolean and at > $3`,
    [subject, currency, since],
  );
  return rows.reduce((sum, { amount }) => sum + parseSigned(amount), 0n);
}

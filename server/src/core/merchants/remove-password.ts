// For anyone whom the identity provider signs in. An account of before may have been made by another person, who had
// the link of an invitation: nothing of theirs opens it any more.
import { inTransaction } from '../../store/database.ts';
import { deletePassword } from '../../store/merchants/identities.ts';
import { deleteTwoFactor } from '../../store/merchants/two-factor.ts';
import { record } from '../audit.ts';
import type { TimedStore } from '../engine.ts';

/** Two-factor authentication, sessions and links go with it. Does nothing where there is no password. */
export async function removePassword(
  engine: TimedStore,
  { personId, email }: { readonly personId: string; readonly email: string },
): Promise<void> {
  await inTransaction(engine.store.database, async (tx) => {
    if (!(await deletePassword(tx, personId))) return;
    const detail = { by: 'single sign-on', hadTwoFactor: await deleteTwoFactor(tx, personId) };
    await record(engine, tx, [
      { by: email, act: 'PASSWORD_REMOVED', merchantId: null, subject: email, detail },
    ]);
  });
}

// Whoever set one of the columns of a file decided what its lines say, and so approves nothing that comes from it.
import { isSameName } from '../../domain/approval.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { isSamePerson } from '../../store/merchants/identities.ts';
import { findPersonByEmail } from '../../store/merchants/people.ts';
import { NotExecuted } from './executor.ts';

/** `mappingBy`: everybody who set one of the columns; left out for our own format. */
export async function refuseColumnsSetter(
  tx: Tx,
  decider: ActingPerson,
  { mappingBy = [] }: { readonly mappingBy?: readonly string[] },
): Promise<void> {
  for (const author of mappingBy)
    if (await isTheirs(tx, decider, author))
      throw new NotExecuted(
        { code: 'APPROVAL_COLUMNS_OWN', parameters: {} },
        'You set columns of this file. Somebody who set none must approve. ' +
          'Or reject this, and import the file yourself.',
      );
}

async function isTheirs(tx: Tx, { personId, by }: ActingPerson, mappingBy: string): Promise<boolean> {
  if (personId === null) return isSameName(by, mappingBy);
  const setter = await findPersonByEmail(tx, mappingBy);
  return isSamePerson(tx, personId, { personId: setter?.personId ?? '', by: mappingBy });
}

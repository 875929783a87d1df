// The audit log: who did what manually.
import { Type } from 'typebox';
import { pageOf, pageQuery } from '../page.ts';
import { merchantPath, strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';

/** An entry for all readers of the log. The person's free text about an action is not in it. */
export const auditEntry = {
  entryId: Type.String(),
  at: timeSchema,
  actor: Type.String(),
  act: Type.String(),
  /** The subject of the action: a merchant, a token, a provider, a case. */
  subject: Type.String(),
  /** Codes, identifiers and amounts. */
  detail: arrayOf({ name: Type.String(), value: Type.String() }),
};

export const auditCalls = describeCalls({
  listAudit: {
    path: merchantPath,
    query: strict(pageQuery),
    answer: pageOf(strict(auditEntry)),
  },
});

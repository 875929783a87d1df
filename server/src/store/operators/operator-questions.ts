// Questions to operators that answer at an address: each has a secret of its own, which works once.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Tx } from '../database.ts';
import { countChanged } from '../rows.ts';
import type { Pruning } from '../retention.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { firstTimedUuid, timedUuid } from '../timed-uuid.ts';

const SECRET_BYTES = 32;

/** Answers the secret, which is kept nowhere else. */
export async function insertQuestion(
  tx: Tx,
  keyring: Keyring,
  { reference, now }: { readonly reference: string; readonly now: Date },
): Promise<string> {
  const questionId = timedUuid(now);
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  await tx.query(
    'insert into operator_questions (question_id, reference, asked_at, encrypted_secret) values ($1, $2, $3, $4)',
    [questionId, reference, now, keyring.encrypt(identityOf(questionId), secret)],
  );
  return secret;
}

/** The question that an address was made for; null where there is none, or it was answered. */
export async function findQuestion(
  tx: Tx,
  keyring: Keyring,
  { reference, secret }: { readonly reference: string; readonly secret: string },
): Promise<string | null> {
  const { rows } = await tx.query<{ question_id: string; encrypted_secret: Buffer }>(
    'select question_id, encrypted_secret from operator_questions where reference = $1',
    [reference],
  );
  const given = Buffer.from(secret);
  const asked = rows.find((row) => {
    const kept = keyring.open(identityOf(row.question_id), row.encrypted_secret);
    return kept.length === given.length && timingSafeEqual(kept, given);
  });
  return asked?.question_id ?? null;
}

/** Takes questions off the list. Answers those that were still on it: of two takers one gets each. */
export async function takeQuestions(tx: Tx, questionIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (questionIds.length === 0) return new Set();
  const { rows } = await tx.query<{ question_id: string }>(
    'delete from operator_questions where question_id = any($1) returning question_id',
    [questionIds],
  );
  return new Set(rows.map((row) => row.question_id));
}

/** Answers how many went: what was not answered in time is asked again. */
export async function pruneQuestions(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from operator_questions where question_id in (
       select question_id from operator_questions where question_id < $1 order by question_id limit $2)`,
    [firstTimedUuid(before), countMax],
  );
}

function identityOf(questionId: string) {
  return { merchantId: PLATFORM, row: `operator_questions/${questionId}` };
}

// Callbacks and their attempts, to be looked at: what was sent when, and what came back.
import { answerIdentity, attempts, dueCallbacks, openBody } from './callbacks.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';

const logged = columns({
  ...dueCallbacks.only('merchantId', 'callbackId', 'kind', 'paymentId', 'announcedState', 'attemptCount')
    .defs,
  createdAt: 'timestamptz',
  status: 'text',
  dueAt: 'timestamptz',
});
const withBody = columns({ ...logged.defs, encryptedBody: 'bytea null' });

export type LoggedCallback = Row<typeof logged>;

/** The newest first. */
export async function listCallbacks(
  tx: Tx,
  query: { readonly merchantId: string; readonly paymentId: string | null; readonly countMax: number },
): Promise<readonly LoggedCallback[]> {
  return logged.select(
    tx,
    `from callbacks where merchant_id = $1 and ($2::uuid is null or subject_id in (
       select payment_no from payment_keys
       where merchant_id = $1 and kind = any (enum_range(null::payment_kind)) and payment_id = $2
       union all select $2))
     order by created_at desc limit $3`,
    [query.merchantId, query.paymentId, query.countMax],
  );
}

export type LoggedAttempt = Omit<Row<typeof attempts>, 'encryptedAnswer'> & {
  /** The first bytes of the answer, as far as they are text. */
  readonly answer: string | null;
};

export type OpenedCallback = LoggedCallback & {
  /** Null before the first attempt. */
  readonly body: string | null;
  readonly attempts: readonly LoggedAttempt[];
};

/** With body and answers, which name people: the merchant's data key must be loaded. */
export async function openCallback(
  tx: Tx,
  keyring: Keyring,
  { merchantId, callbackId }: { readonly merchantId: string; readonly callbackId: string },
): Promise<OpenedCallback | null> {
  const tail = 'from callbacks where callback_id = $2 and merchant_id = $1';
  const found = await withBody.find(tx, tail, [merchantId, callbackId]);
  if (found === null) return null;
  const { encryptedBody: _, ...callback } = found;
  return {
    ...callback,
    body: openBody(keyring, found),
    attempts: await openAttempts(tx, keyring, callback),
  };
}

async function openAttempts(
  tx: Tx,
  keyring: Keyring,
  { merchantId, callbackId }: LoggedCallback,
): Promise<readonly LoggedAttempt[]> {
  const tail = 'from callback_attempts where callback_id = $1 order by attempt_no';
  const rows = await attempts.select(tx, tail, [callbackId]);
  return rows.map(({ encryptedAnswer: encrypted, ...attempt }) => {
    const identity = answerIdentity({ ...attempt, merchantId, callbackId });
    return { ...attempt, answer: keyring.openText(identity, encrypted) };
  });
}

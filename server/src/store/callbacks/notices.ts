// What merchants are notified of beside their payments, and whether the mail about it was sent.
import { randomUUID } from 'node:crypto';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type NoticeTopic = 'CALLBACKS_SWITCHED_OFF';

const notices = columns({
  merchantId: 'uuid',
  noticedAt: 'timestamptz',
  topic: column<NoticeTopic>('text'),
  /** Codes, kinds and hosts only. */
  detail: column<Readonly<Record<string, string>>>('jsonb'),
});

export type Notice = Row<typeof notices>;

/** Due by mail at once, where the merchant has an address. */
export async function insertNotice(tx: Tx, notice: Notice): Promise<void> {
  await tx.query(
    `insert into merchant_notices (merchant_id, notice_id, noticed_at, topic, detail, mail_due_at)
     select merchant_id, $2, $3, $4, $5, case when encrypted_contact_email is not null then $3::timestamptz end
     from merchants where merchant_id = $1`,
    [notice.merchantId, randomUUID(), notice.noticedAt, notice.topic, JSON.stringify(notice.detail)],
  );
}

const listed = columns({ ...notices.defs, mailedAt: 'timestamptz null' });

export type ListedNotice = Row<typeof listed>;

/** The newest first; all merchants when none is named. */
export async function listNotices(
  tx: Tx,
  options: { readonly merchantId: string | null; readonly countMax: number },
): Promise<readonly ListedNotice[]> {
  return listed.select(
    tx,
    `from merchant_notices where $1::uuid is null or merchant_id = $1 order by noticed_at desc limit $2`,
    [options.merchantId, options.countMax],
  );
}

const toMail = columns({
  ...notices.defs,
  noticeId: 'uuid',
  companyName: column<string>('text', 'm.company_name'),
  timeZone: column<string>('text', 'm.time_zone'),
  encryptedContactEmail: column<Buffer>('bytea', 'm.encrypted_contact_email'),
});

export type NoticeToMail = Row<typeof toMail>;

/**
 * Takes notices whose mail is due, and makes them due again at `againAt` in case nothing comes of it. After so many
 * tries a mail is given up.
 */
export async function claimNoticesToMail(
  tx: Tx,
  claim: {
    readonly now: Date;
    readonly againAt: Date;
    readonly attemptsMax: number;
    readonly countMax: number;
  },
): Promise<readonly NoticeToMail[]> {
  return toMail.query(
    tx,
    `with due as (
       select merchant_id, notice_id from merchant_notices where mail_due_at <= $1
       order by mail_due_at limit $4 for update skip locked)
     update merchant_notices n set mail_attempt_count = mail_attempt_count + 1,
       mail_due_at = case when mail_attempt_count + 1 < $3 then $2::timestamptz end
     from due join merchants m using (merchant_id)
     where n.merchant_id = due.merchant_id and n.notice_id = due.notice_id and m.encrypted_contact_email is not null
     returning ${toMail.namesIn('n')}`,
    [claim.now, claim.againAt, claim.attemptsMax, claim.countMax],
  );
}

export async function markMailed(
  tx: Tx,
  { merchantId, noticeId }: Pick<NoticeToMail, 'merchantId' | 'noticeId'>,
  mailedAt: Date,
): Promise<void> {
  await tx.query(
    'update merchant_notices set mailed_at = $3, mail_due_at = null where merchant_id = $1 and notice_id = $2',
    [merchantId, noticeId, mailedAt],
  );
}

/** Encrypted: an address of a person. Answers whether there is such a merchant. */
export async function setContactEmail(
  tx: Tx,
  keyring: Keyring,
  { merchantId, email }: { readonly merchantId: string; readonly email: string },
): Promise<boolean> {
  return isChanged(tx, 'update merchants set encrypted_contact_email = $2 where merchant_id = $1', [
    merchantId,
    keyring.encrypt(contactIdentity(merchantId), email),
  ]);
}

export function openContactEmail(keyring: Keyring, notice: NoticeToMail): string {
  return keyring.openText(contactIdentity(notice.merchantId), notice.encryptedContactEmail);
}

function contactIdentity(merchantId: string) {
  return { merchantId, row: 'merchants/contact-email' };
}

// What the gateway has to tell merchants beside their payments, and whether the mail about it was sent.
import { randomUUID } from 'node:crypto';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type NoticeTopic = 'CALLBACKS_SWITCHED_OFF';

export type Notice = {
  readonly merchantId: string;
  readonly noticedAt: Date;
  readonly topic: NoticeTopic;
  /** Codes, kinds and hosts only. */
  readonly detail: Readonly<Record<string, string>>;
};

/** Due by mail at once, where the merchant has an address. */
export async function insertNotice(tx: Tx, notice: Notice): Promise<void> {
  await tx.query(
    `insert into merchant_notices (merchant_id, notice_id, noticed_at, topic, detail, mail_due_at)
     select merchant_id, $2, $3, $4, $5, case when encrypted_contact_email is not null then $3::timestamptz end
     from merchants where merchant_id = $1`,
    [notice.merchantId, randomUUID(), notice.noticedAt, notice.topic, JSON.stringify(notice.detail)],
  );
}

export type ListedNotice = Notice & { readonly mailedAt: Date | null };

type NoticeRow = {
  merchant_id: string;
  noticed_at: Date;
  topic: NoticeTopic;
  detail: Record<string, string>;
};

/** The newest first; all merchants when none is named. */
export async function listNotices(
  tx: Tx,
  options: { readonly merchantId: string | null; readonly countMax: number },
): Promise<readonly ListedNotice[]> {
  const { rows } = await tx.query<NoticeRow & { mailed_at: Date | null }>(
    `select merchant_id, noticed_at, topic, detail, mailed_at from merchant_notices
     where $1::uuid is null or merchant_id = $1 order by noticed_at desc limit $2`,
    [options.merchantId, options.countMax],
  );
  return rows.map((row) => ({ ...noticeOf(row), mailedAt: row.mailed_at }));
}

export type NoticeToMail = Notice & {
  readonly noticeId: string;
  readonly companyName: string;
  readonly encryptedContactEmail: Buffer;
};

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
  const { rows } = await tx.query<
    NoticeRow & { notice_id: string; company_name: string; encrypted_contact_email: Buffer }
  >(
    `with due as (
       select merchant_id, notice_id from merchant_notices where mail_due_at <= $1
       order by mail_due_at limit $4 for update skip locked)
     update merchant_notices n set mail_attempt_count = mail_attempt_count + 1,
       mail_due_at = case when mail_attempt_count + 1 < $3 then $2::timestamptz end
     from due join merchants m using (merchant_id)
     where n.merchant_id = due.merchant_id and n.notice_id = due.notice_id and m.encrypted_contact_email is not null
     returning n.merchant_id, n.notice_id, n.noticed_at, n.topic, n.detail, m.company_name, m.encrypted_contact_email`,
    [claim.now, claim.againAt, claim.attemptsMax, claim.countMax],
  );
  return rows.map((row) => ({
    ...noticeOf(row),
    noticeId: row.notice_id,
    companyName: row.company_name,
    encryptedContactEmail: row.encrypted_contact_email,
  }));
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
  const { rowCount } = await tx.query(
    'update merchants set encrypted_contact_email = $2 where merchant_id = $1',
    [merchantId, keyring.encrypt(contactIdentity(merchantId), email)],
  );
  return rowCount === 1;
}

export function openContactEmail(keyring: Keyring, notice: NoticeToMail): string {
  return keyring.open(contactIdentity(notice.merchantId), notice.encryptedContactEmail).toString();
}

function contactIdentity(merchantId: string) {
  return { merchantId, row: 'merchants/contact-email' };
}

function noticeOf(row: NoticeRow): Notice {
  return { merchantId: row.merchant_id, noticedAt: row.noticed_at, topic: row.topic, detail: row.detail };
}

// Notices to people, each mailed once, and the facts they are made from.
import { randomUUID } from 'node:crypto';
import type { ApprovalKind } from '../../domain/approval.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { countChanged, unnested, valuesOf } from '../rows.ts';
import type { MailLanguage } from './people.ts';

export type PersonNoticeTopic = 'TOKEN_EXPIRES' | 'ENDPOINT_FAILING' | 'WALLET_LOW' | 'APPROVAL_PENDING';

const notices = columns({
  personId: 'text',
  merchantId: 'uuid null',
  topic: column<PersonNoticeTopic>('text'),
  /** The thing, and which time: a person hears of it once. */
  subject: 'text',
  /** Codes, hosts, days and names of tokens only. */
  detail: column<Readonly<Record<string, string>>>('jsonb'),
});
export type PersonNotice = Row<typeof notices>;
const inserted = columns({ noticeId: 'uuid', ...notices.defs, noticedAt: 'timestamptz' }).cells;

/** Those that are known already are left out. Answers how many are new. */
export async function insertPersonNotices(
  tx: Tx,
  made: readonly PersonNotice[],
  noticedAt: Date,
): Promise<number> {
  if (made.length === 0) return 0;
  const rows = made.map((notice) => ({ ...notice, noticeId: randomUUID(), noticedAt }));
  return countChanged(
    tx,
    `insert into person_notices (notice_id, person_id, merchant_id, topic, subject, detail, noticed_at, mail_due_at)
     select notice_id, person_id, merchant_id, topic, subject, detail, noticed_at, noticed_at
     from ${unnested(inserted, 'n')} on conflict on constraint person_notices_once do nothing`,
    valuesOf(inserted, rows),
  );
}

const toMail = columns({
  noticeId: 'uuid',
  ...notices.only('merchantId', 'topic', 'detail').defs,
  email: column<string>('text', 'p.email'),
  language: column<MailLanguage | null>('text null', 'p.language'),
  companyName: column<string | null>('text null', 'm.company_name'),
  timeZone: column<string | null>('text null', 'm.time_zone'),
});
export type PersonNoticeToMail = Row<typeof toMail>;

/**
 * Takes notices whose mail is due, and makes them due again at `againAt` in case it cannot be sent. People who have
 * left meanwhile get none.
 */
export async function claimPersonNotices(
  tx: Tx,
  claim: {
    readonly now: Date;
    readonly againAt: Date;
    readonly attemptsMax: number;
    readonly countMax: number;
  },
): Promise<readonly PersonNoticeToMail[]> {
  return toMail.query(
    tx,
    `with due as (
       select notice_id from person_notices where mail_due_at <= $1 order by mail_due_at limit $4
       for update skip locked),
     claimed as (
       update person_notices n set mail_attempt_count = mail_attempt_count + 1,
         mail_due_at = case when mail_attempt_count + 1 < $3 then $2::timestamptz end
       from due where n.notice_id = due.notice_id returning n.*)
     select ${toMail.namesIn('n')} from claimed n join people p on p.id = n.person_id
     left join merchants m on m.merchant_id = n.merchant_id
     where exists (select from memberships s where s.person_id = n.person_id
       and (s.merchant_id is null or s.merchant_id = n.merchant_id))`,
    [claim.now, claim.againAt, claim.attemptsMax, claim.countMax],
  );
}

export async function markPersonNoticeMailed(tx: Tx, noticeId: string, mailedAt: Date): Promise<void> {
  await tx.query('update person_notices set mailed_at = $2, mail_due_at = null where notice_id = $1', [
    noticeId,
    mailedAt,
  ]);
}

const expiring = columns({
  tokenId: 'text',
  merchantId: 'uuid',
  name: 'text',
  createdAt: 'timestamptz',
  expiresAt: column<Date>('timestamptz'),
});

/** Tokens that expire until then. No index: there are a few for each merchant. */
export async function listExpiringTokens(
  tx: Tx,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<readonly Row<typeof expiring>[]> {
  const tail = `from api_tokens where revoked_at is null and expires_at > $1 and expires_at <= $2
    and ${livesHere('api_tokens')}`;
  return expiring.select(tx, tail, [now, until]);
}

const failing = columns({
  endpointId: 'uuid',
  merchantId: 'uuid',
  url: 'text',
  failingSince: column<Date>('timestamptz'),
});

/** Endpoints that failed since before this time, so many times in a row. Those that were disabled are mailed apart. */
export async function listFailingEndpoints(
  tx: Tx,
  { since, failuresMin }: { readonly since: Date; readonly failuresMin: number },
): Promise<readonly Row<typeof failing>[]> {
  return failing.select(
    tx,
    `from callback_endpoints join endpoint_queues using (endpoint_id)
     where failure_count >= $2 and failing_since <= $1 and disabled_at is null and kind is not null
       and ${livesHere('callback_endpoints')}`,
    [since, failuresMin],
  );
}

const pending = columns({
  approvalId: 'uuid',
  kind: column<ApprovalKind>('text'),
  merchantId: 'uuid null',
  subject: 'text',
  requestedBy: 'text null',
});

/** What waits for a decision, the oldest first. */
export async function listPendingApprovals(
  tx: Tx,
  countMax: number,
): Promise<readonly Row<typeof pending>[]> {
  const tail = `from approvals where status = 'PENDING' and ${livesHere('approvals')}
    order by requested_at, approval_id limit $1`;
  return pending.select(tx, tail, [countMax]);
}

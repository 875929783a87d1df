// Finds what people should hear of, and mails it to them in their language. A mail that cannot be sent is tried again
// for a day. It runs in the process of the console, because workers may not read who people are.
import { renderAlert, type Alert } from '../../callbacks/alert-mail.ts';
import type { Mailer } from '../../callbacks/mail.ts';
import { notifyPeople } from '../../core/merchants/notify-people.ts';
import type { Engine } from '../../core/engine.ts';
import { inTimedTransaction } from '../../core/timed-transaction.ts';
import { UTC } from '../../domain/time-zone.ts';
import { addMs } from '../../domain/time.ts';
import {
  claimPersonNotices,
  markPersonNoticeMailed,
  type PersonNoticeToMail,
} from '../../store/merchants/person-notices.ts';
import type { Background, Round } from '../loop.ts';

const AGAIN_AFTER_MS = 30 * 60_000;
const ATTEMPTS_MAX = 48;
const COUNT_MAX = 20;

/** Where to act, below the merchant's or the platform's part of the dashboard. */
const PATHS: Readonly<Record<Alert['topic'], (detail: Alert['detail']) => string>> = {
  TOKEN_EXPIRES: () => 'tokens',
  ENDPOINT_FAILING: () => 'callbacks',
  WALLET_LOW: ({ country, currency, provider }) =>
    `wallets/${[country, currency, provider].filter(Boolean).join('-')}`,
  APPROVAL_PENDING: ({ batchId }) => (batchId === undefined ? 'approvals' : `payouts/${batchId}`),
};

export type PeopleMail = {
  readonly mailer: Mailer;
  /** The gateway's name, for what the platform decides. */
  readonly gateway: string;
  /** What links begin with. */
  readonly publicUrl: string;
};

export function createPeopleMailRound(engine: Engine, parts: PeopleMail) {
  return async ({ onError }: Background): Promise<Round> => {
    await notifyPeople(engine);
    const notices = await inTimedTransaction(engine, (tx, now) => {
      const againAt = addMs(now, AGAIN_AFTER_MS);
      return claimPersonNotices(tx, { now, againAt, attemptsMax: ATTEMPTS_MAX, countMax: COUNT_MAX });
    });
    for (const notice of notices) await mail(engine, parts, notice).catch(onError);
    return notices.length === COUNT_MAX ? 'MORE' : 'IDLE';
  };
}

async function mail(engine: Engine, parts: PeopleMail, notice: PersonNoticeToMail): Promise<void> {
  const { noticeId, merchantId, topic, detail, companyName, timeZone, email, language } = notice;
  const place = merchantId === null ? 'host' : `m/${merchantId}`;
  const link = `${parts.publicUrl}/dashboard/${place}/${PATHS[topic](detail)}`;
  const team = companyName ?? parts.gateway;
  await parts.mailer.send({
    to: email,
    ...renderAlert({ topic, detail, link, team, timeZone: timeZone ?? UTC, language: language ?? 'en' }),
  });
  await inTimedTransaction(engine, (tx, mailedAt) => markPersonNoticeMailed(tx, noticeId, mailedAt));
}

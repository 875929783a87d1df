// What people should hear of because their role lets them act on it: a token that expires, an endpoint that fails, a
// wallet that runs low, a request that waits. Recorded here, each person and thing once; jobs mail it.
import { rulesOf } from '../../domain/approval.ts';
import { permissionsOf, type Permission } from '../../domain/merchants/roles.ts';
import { addMs } from '../../domain/time.ts';
import type { Tx } from '../../store/database.ts';
import { listLowWallets, markWalletLow, type WalletAlert } from '../../store/ledger/wallet-alerts.ts';
import { listMembers } from '../../store/merchants/people.ts';
import {
  insertPersonNotices,
  listExpiringTokens,
  listFailingEndpoints,
  listPendingApprovals,
  type PersonNotice,
} from '../../store/merchants/person-notices.ts';
import { inMerchant, MerchantInOtherCell } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';

type Parts = Pick<Engine, 'clock' | 'wallClock' | 'store'>;
type Fact = Omit<PersonNotice, 'personId'> & {
  readonly permission: Permission;
  /** The requester knows already. */
  readonly except?: string | null;
};

const DAY_MS = 86_400_000;
/** The smaller first: a token found with two days left is mailed about once, not twice. */
const TOKEN_DAYS = [3, 14] as const;
/** A restart of a server is over by then. */
const ENDPOINT_FAILS_MS = 15 * 60_000;
const ENDPOINT_FAILURES_MIN = 3;
const APPROVALS_MAX = 500;

/** Answers how many notices are new. */
export async function notifyPeople(engine: Parts): Promise<number> {
  const { database } = engine.store;
  const now = await engine.clock.timeOf(database);
  const facts = [
    ...(await tokensIn(database, now)),
    ...(await endpointsIn(database, now)),
    ...(await walletsIn(engine, now)),
    ...(await approvalsIn(database)),
  ];
  return insertPersonNotices(database, await addressed(engine, facts), now);
}

async function tokensIn(tx: Tx, now: Date): Promise<readonly Fact[]> {
  const until = addMs(now, Math.max(...TOKEN_DAYS) * DAY_MS);
  const tokens = await listExpiringTokens(tx, { now, until });
  return tokens.flatMap(({ tokenId, merchantId, name, createdAt, expiresAt }) => {
    const daysFrom = (start: Date) => (expiresAt.getTime() - start.getTime()) / DAY_MS;
    const stage = TOKEN_DAYS.find((days) => daysFrom(now) <= days);
    // A token made for less time than that was meant to end.
    if (stage === undefined || daysFrom(createdAt) <= stage) return [];
    const detail = { name, days: String(Math.ceil(daysFrom(now))), expiresAt: expiresAt.toISOString() };
    return {
      merchantId,
      topic: 'TOKEN_EXPIRES',
      subject: `${tokenId} ${stage}`,
      detail,
      permission: 'settings:write',
    };
  });
}

async function endpointsIn(tx: Tx, now: Date): Promise<readonly Fact[]> {
  const since = addMs(now, -ENDPOINT_FAILS_MS);
  const endpoints = await listFailingEndpoints(tx, { since, failuresMin: ENDPOINT_FAILURES_MIN });
  return endpoints.map(({ endpointId, merchantId, url, failingSince }) => ({
    merchantId,
    topic: 'ENDPOINT_FAILING',
    subject: `${endpointId} ${dayOf(failingSince)}`,
    // Paths and queries of callback addresses often carry a secret of the merchant.
    detail: { host: new URL(url).host, since: failingSince.toISOString() },
    permission: 'settings:write',
  }));
}

async function walletsIn(engine: Parts, now: Date): Promise<readonly Fact[]> {
  const { database } = engine.store;
  const facts: Fact[] = [];
  for (const { isLow, ...alert } of await listLowWallets(database)) {
    const isNews = isLow === (alert.lowSince === null) && (await mark(engine, alert, isLow ? now : null));
    // Of processes that look at once, one finds news; the others know the time in their next round.
    const since = isNews ? now : alert.lowSince;
    if (isLow && since !== null) facts.push(lowWallet(alert, since));
  }
  return facts;
}

async function mark({ store }: Parts, alert: WalletAlert, lowSince: Date | null): Promise<boolean> {
  try {
    return await inMerchant(store.database, alert.merchantId, (tx) => markWalletLow(tx, alert, lowSince));
  } catch (error) {
    // Its new cell will say so.
    if (error instanceof MerchantInOtherCell) return false;
    throw error;
  }
}

function lowWallet(alert: WalletAlert, since: Date): Fact {
  const { merchantId, country, currency, provider, below } = alert;
  const subject = `${merchantId} ${country} ${currency} ${provider} ${below} ${dayOf(since)}`;
  const detail = { country, currency, provider };
  return { merchantId, topic: 'WALLET_LOW', subject, detail, permission: 'payouts:prepare' };
}

/** What comes and goes is mailed about once a day. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

async function approvalsIn(tx: Tx): Promise<readonly Fact[]> {
  const approvals = await listPendingApprovals(tx, APPROVALS_MAX);
  return approvals.map((approval) => {
    const { decidedAt, decide } = rulesOf(approval);
    return {
      merchantId: decidedAt === 'PLATFORM' ? null : approval.merchantId,
      topic: 'APPROVAL_PENDING',
      subject: approval.approvalId,
      // Of a batch the identifier, by which the mail leads to it. Other subjects may be names or addresses.
      detail: approval.kind === 'PAYOUT_BATCH' ? { batchId: approval.subject } : {},
      permission: decide,
      except: approval.requestedBy,
    };
  });
}

/** To everyone whose role at the merchant, or at the platform, has the permission. */
async function addressed(
  { store, wallClock }: Parts,
  facts: readonly Fact[],
): Promise<readonly PersonNotice[]> {
  const now = await wallClock.timeOf(store.database);
  const platform = facts.length === 0 ? [] : await listMembers(store.database, null, now);
  const notices: PersonNotice[] = [];
  for (const merchantId of new Set(facts.map((one) => one.merchantId))) {
    const members = merchantId === null ? platform : await listMembers(store.database, merchantId, now);
    for (const { permission, except = null, ...notice } of facts.filter(
      (one) => one.merchantId === merchantId,
    )) {
      const isAble = ({ role, personId }: (typeof members)[number]) =>
        permissionsOf(role).includes(permission) && personId !== except;
      const own = members.filter(isAble);
      // At a merchant with one person the platform's people are the second approvers.
      const able = own.length > 0 || notice.topic !== 'APPROVAL_PENDING' ? own : platform.filter(isAble);
      notices.push(...able.map(({ personId }) => ({ ...notice, personId })));
    }
  }
  return notices;
}

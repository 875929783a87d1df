// What people order in the console that lets money out by the API, or lets somebody take part in deciding about money:
// where a second person is required nothing is done, and what was ordered waits for another to agree. Nothing of it
// exists until then: a token that waits is as unknown as one that nobody made.
import { randomUUID } from 'node:crypto';
import { addsPart, letsMoneyOut, type Wanted } from '../../domain/approval.ts';
import type { MoneyOrderType } from '../../domain/ledger/money-movement.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Role } from '../../domain/merchants/roles.ts';
import { insertApproval, type Decider } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Tx } from '../../store/database.ts';
import { findMerchant, type SignatureRequirement } from '../../store/merchants/merchants.ts';
import { lockMembers } from '../../store/merchants/people.ts';
import type { SignatureAlgorithm } from '../../wire/http-signature/algorithms.ts';
import { drawToken, keepToken, type Scope } from '../merchants/administer-merchants.ts';
import { referencedBy } from '../ledger/administer-wallets.ts';
import { fingerprintOf, keepPublicKey, setSignatures } from '../merchants/administer-keys.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { findUse, type ReferenceUse } from '../ledger/money-references.ts';
import { inTeam, keepInvitation, setRole, type TeamAnswer } from '../merchants/team.ts';

/** OPTIONAL only where no money is real. */
export type SecondPerson = 'REQUIRED' | 'OPTIONAL';

/** The rule on the command line, where nobody is signed in: in production it only creates requests. */
export function askedByCommand({ environment }: Pick<Engine, 'environment'>, by: string): Ordered {
  const secondPerson = environment === 'production' ? 'REQUIRED' : 'OPTIONAL';
  return { actor: { personId: null, by }, secondPerson };
}

/** The person who asks for something, and the rule that holds there. */
export type Ordered = { readonly actor: Decider; readonly secondPerson: SecondPerson };
type AtMerchant = Ordered & { readonly merchantId: string };
type InTeam = Ordered & { readonly merchantId: string | null };

/** DONE, or ASKED: it waits for a second person. */
export type Outcome = 'DONE' | 'ASKED';

/** The token's text is shown once, to whoever orders it. */
export async function orderToken(
  engine: Engine,
  order: AtMerchant & {
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Date | null;
  },
): Promise<{ readonly tokenId: string; readonly text: string; readonly outcome: Outcome }> {
  const { merchantId, actor, name, scopes, expiresAt } = order;
  const { text, tokenId, secretHash } = await drawToken(engine, merchantId);
  const outcome = await inMerchant(engine.store.database, merchantId, async (tx) => {
    if (!isNeeded(order) || !letsMoneyOut(scopes)) {
      await keepToken(engine, tx, { ...order, by: actor.by, tokenId, secretHash });
      return 'DONE';
    }
    const end = expiresAt === null ? null : expiresAt.toISOString();
    const token = { tokenId, secretHash: secretHash.toString('hex'), name, scopes, expiresAt: end };
    return ask(engine, tx, order, { kind: 'TOKEN', ...token });
  });
  return { tokenId, text, outcome };
}

/** With a key of one's own a token that two people made could be used by one. */
export async function orderPublicKey(
  engine: Engine,
  order: AtMerchant & {
    readonly name: string;
    readonly algorithm: SignatureAlgorithm;
    readonly pem: string;
  },
): Promise<Outcome | 'NAME_TAKEN'> {
  const { merchantId, actor, name, algorithm, pem } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    if (merchant?.publicKeys.has(name) === true) return 'NAME_TAKEN';
    if (isNeeded(order)) return ask(engine, tx, order, { kind: 'PUBLIC_KEY', name, algorithm, pem });
    return (await keepPublicKey(engine, tx, { ...order, by: actor.by })) ? 'DONE' : 'NAME_TAKEN';
  });
}

/** To demand signatures is anybody's who may set it; to do without them takes two. */
export async function orderSignatures(
  engine: Engine,
  order: AtMerchant & SignatureRequirement,
): Promise<Outcome> {
  const { merchantId, actor, covers, isRequired } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    const isSet = covers === 'PAGES' ? merchant?.signedPagesOnly : merchant?.signedRequestsOnly;
    if (isNeeded(order) && isSet === true && !isRequired) {
      return ask(engine, tx, order, { kind: covers === 'PAGES' ? 'UNSIGNED_PAGES' : 'UNSIGNED_REQUESTS' });
    }
    await setSignatures(engine, tx, { ...order, by: actor.by });
    return 'DONE';
  });
}

/** The last part of the link, or null where a second person must agree first. */
export async function orderInvitation(
  engine: Engine,
  order: InTeam & { readonly email: string; readonly role: Role },
): Promise<string | null> {
  const { merchantId, actor, role } = order;
  const email = order.email.toLowerCase();
  return inTeam(engine, merchantId, async (tx) => {
    if (!isNeeded(order) || !addsPart(role, null)) {
      return keepInvitation(engine, tx, { ...order, by: actor.by });
    }
    await ask(engine, tx, order, { kind: 'INVITATION', email, role });
    return null;
  });
}

export async function orderRole(
  engine: Engine,
  order: InTeam & { readonly personId: string; readonly role: Role },
): Promise<TeamAnswer | 'ASKED'> {
  const { merchantId, actor, personId, role } = order;
  return inTeam(engine, merchantId, async (tx) => {
    const member = (await lockMembers(tx, merchantId)).find((one) => one.personId === personId);
    if (member === undefined) return 'NOT_FOUND';
    if (!isNeeded(order) || !addsPart(role, member.role)) {
      return setRole(engine, tx, { ...order, by: actor.by });
    }
    return ask(engine, tx, order, { kind: 'ROLE', personId, email: member.email, role });
  });
}

/** Money that a command asks to have moved. Nothing moves before it is approved. */
export async function askForMoney(
  engine: Engine,
  order: AtMerchant & {
    readonly type: MoneyOrderType;
    readonly country: string;
    readonly currency: string;
    readonly walletProvider?: string;
    readonly amount: Amount;
    /** The bank's. */
    readonly reference: string | null;
    readonly reason: string | null;
  },
): Promise<'ASKED' | ReferenceUse> {
  const { merchantId, type, country, currency, walletProvider = '', reference, reason } = order;
  const place = { country, currency, walletProvider };
  const named = reference === null ? {} : { reference };
  const wanted = { kind: 'MONEY', type, ...place, amount: renderAmount(order.amount), ...named } as const;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const referenced = referencedBy(type, order);
    const use = referenced === null ? null : await findUse(tx, referenced);
    if (use?.type === 'REFERENCE_REQUESTED') return 'ASKED';
    return use ?? ask(engine, tx, order, wanted, reason);
  });
}

export function isNeeded({ secondPerson }: Ordered): boolean {
  return secondPerson === 'REQUIRED';
}

/** Nothing is added where the same is asked for already. */
export async function ask(
  engine: Engine,
  tx: Tx,
  { actor, merchantId }: Pick<InTeam, 'actor' | 'merchantId'>,
  wanted: Wanted,
  reason: string | null = null,
): Promise<'ASKED'> {
  const approvalId = randomUUID();
  const approval = { approvalId, merchantId, wanted, reason, askedBy: actor, askedAt: engine.clock.now() };
  if (!(await insertApproval(tx, engine.store.keyring, approval))) return 'ASKED';
  const entry = { by: actor.by, act: 'APPROVAL_ASKED', merchantId, subject: approvalId } as const;
  await record(engine, tx, [{ ...entry, detail: describeWanted(wanted) }]);
  return 'ASKED';
}

/** For the audit log: codes, names and identifiers, no secret and no hash of one. */
export function describeWanted(wanted: Wanted): Readonly<Record<string, unknown>> {
  const { kind } = wanted;
  switch (kind) {
    case 'TOKEN': {
      const { tokenId, name, scopes, expiresAt } = wanted;
      return { kind, tokenId, name, scopes, expiresAt };
    }
    case 'PUBLIC_KEY': {
      const { name, algorithm, pem } = wanted;
      return { kind, name, algorithm, fingerprint: fingerprintOf(pem) };
    }
    case 'UNSIGNED_REQUESTS':
    case 'UNSIGNED_PAGES':
      return { kind };
    case 'INVITATION':
    case 'ROLE': {
      const { email, role } = wanted;
      return { kind, email, role };
    }
    case 'PAYMENT_END':
    case 'MONEY':
    case 'FLOAT':
      return { ...wanted };
    case 'OPERATOR_REPORT': {
      const { statementId, provider, completedCount, failedCount } = wanted;
      return { kind, statementId, provider, completedCount, failedCount };
    }
  }
}

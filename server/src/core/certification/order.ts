// What a certification is asked to do, where the account is, and what is refused because real money would move.
import type { Certification, CertificationNumbers } from '../../connectors/operator.ts';
import type { Connector } from '../../connectors/port.ts';
import { limitsOf, type ProviderFacts } from '../../domain/operators/catalogue.ts';
import type { Amount } from '../../domain/money.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../domain/payments/payment.ts';
import { findCredentials } from '../../store/operators/operator-credentials.ts';
import type { Engine, Environment } from '../engine.ts';
import { credentialsKeyFor } from '../operators/operator-accounts.ts';

/** What a person gives; the rest is the operator's published tests. */
export type Wishes = {
  readonly provider: ProviderFacts;
  readonly numbers: Partial<CertificationNumbers>;
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** The payer's one-time code, for operators that take one. */
  readonly code: string | null;
  /** The person has agreed that real money moves. */
  readonly isRealMoney: boolean;
};

export type CertificationOrder = {
  readonly provider: ProviderFacts;
  readonly numbers: Partial<CertificationNumbers>;
  readonly amount: Amount;
  readonly currency: string;
  readonly code: string | null;
  readonly account: CertifiedAccount;
  /** For all runs of a day together; null where no real money moves. */
  readonly dailyMax: Amount | null;
};

export type CertifiedAccount = {
  /** FAKE: on this machine. SANDBOX: the operator's own tests. REAL: everything else. */
  readonly place: 'FAKE' | 'SANDBOX' | 'REAL';
  readonly hosts: readonly string[];
  /** Kinds of payment that have credentials. */
  readonly kinds: readonly PaymentKind[];
};

/**
 * How many times the smallest amount a real account may be tried with in a day. It must not become a way to pay people
 * without a second approver.
 */
const AMOUNT_TIMES_MAX = 10n;

/** The order, or why it is refused. Nothing has been sent then. */
export function orderFor(
  { sandboxNumbers, sandboxCurrency }: Certification,
  account: CertifiedAccount,
  wishes: Wishes,
): CertificationOrder | { readonly refusal: string } {
  const { provider, code } = wishes;
  const isReal = account.place === 'REAL';
  if (account.kinds.length === 0) {
    return { refusal: `No credentials are set for ${provider.code}. See operator-account set.` };
  }
  const { paying } = wishes.numbers;
  if (isReal && (!wishes.isRealMoney || wishes.amount === null || paying === undefined)) {
    return {
      refusal:
        `Real money would move: ${account.hosts.join(', ')} is not a sandbox that the operator publishes. ` +
        'Give --number, --amount and --real-money.',
    };
  }
  const inSandbox = account.place === 'SANDBOX' ? sandboxCurrency : undefined;
  const ownCurrency = provider.currencies[0]?.currency ?? '';
  const currency = wishes.currency ?? inSandbox ?? ownCurrency;
  const smallest = smallestAmountOf(provider, inSandbox === undefined ? currency : ownCurrency);
  if (smallest === null) return { refusal: `${provider.code} has no payments in ${currency}.` };
  const amount = wishes.amount ?? smallest;
  const dailyMax = isReal ? smallest * AMOUNT_TIMES_MAX : null;
  const numbers = account.place === 'SANDBOX' ? { ...sandboxNumbers, ...wishes.numbers } : wishes.numbers;
  return { provider, numbers, amount, currency, code, account, dailyMax };
}

/** The smallest amount that every kind of payment takes. */
function smallestAmountOf(provider: ProviderFacts, currency: string): Amount | null {
  const limits = PAYMENT_KINDS.flatMap((operation) => limitsOf(provider, { currency, operation }) ?? []);
  if (limits.length === 0) return null;
  return limits.map(({ minAmount }) => minAmount).reduce((one, other) => (other > one ? other : one));
}

type AccountEngine = Pick<Engine, 'store' | 'bindings' | 'environment'>;

export async function findCertifiedAccount(
  engine: AccountEngine,
  { name, supports }: Connector,
  { certification, provider }: { readonly certification: Certification; readonly provider: string },
): Promise<CertifiedAccount> {
  const { database, keyring } = engine.store;
  const kinds: PaymentKind[] = [];
  const urls = new Set<string>();
  for (const operation of PAYMENT_KINDS.filter((kind) => supports(kind, provider))) {
    const key = credentialsKeyFor(engine.bindings, name, { provider, operation });
    const values = await findCredentials(database, keyring, key);
    if (values === null) continue;
    kinds.push(operation);
    urls.add(values['baseUrl'] ?? '');
  }
  const places = [...urls].map((url) => placeOf(url, certification, engine.environment));
  return {
    place: places.find((one) => one === 'REAL') ?? places[0] ?? 'REAL',
    hosts: [...urls].map((url) => (URL.canParse(url) ? new URL(url).host : url)),
    kinds,
  };
}

function placeOf(
  url: string,
  { sandboxUrls }: Certification,
  environment: Environment,
): CertifiedAccount['place'] {
  if (!URL.canParse(url)) return 'REAL';
  const { protocol, hostname, pathname } = new URL(url);
  const isIn = (sandbox: URL) =>
    sandbox.protocol === protocol &&
    sandbox.hostname === hostname &&
    (sandbox.pathname === '/' ||
      pathname === sandbox.pathname ||
      pathname.startsWith(`${sandbox.pathname}/`));
  if (sandboxUrls.some((sandbox) => isIn(new URL(sandbox)))) return 'SANDBOX';
  // In production a local address is a tunnel to the operator.
  const isLocal = /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);
  return isLocal && environment !== 'production' ? 'FAKE' : 'REAL';
}

// What merchants ask for, admitted by the real rules: deposits, bulk payouts, remittances, refunds and splits.
import { firstStep } from '../../src/core/payments/payment-request.ts';
import { isFinal } from '../../src/domain/payments/lifecycle.ts';
import { renderAmount, type Amount } from '../../src/domain/money.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import type { Admitted } from '../../src/core/payments/admit.ts';
import type { Merchant } from '../../src/store/merchants/merchants.ts';
import type { StoredPayment } from '../../src/store/payments/payments.ts';
import { accountName } from './books.ts';
import { PROVIDERS, type ProviderPlace } from './providers.ts';
import type { Split } from './splits.ts';
import { demand } from './violation.ts';
import type { Kept, World } from './world.ts';

const KINDS = { DEPOSIT: 46, PAYOUT: 20, REMITTANCE: 8, REFUND: 14, SPLIT_PAYMENT: 12 } as const;

export function order(world: World): void {
  const { random } = world;
  const merchant = random.pick(world.merchants);
  const place = random.pick(PROVIDERS);
  const kind = random.weighted(KINDS);
  if (kind === 'REFUND') return refund(world);
  if (kind === 'SPLIT_PAYMENT') return split(world, merchant, place);
  const count = kind === 'PAYOUT' && random.chance(0.3) ? 3 : 1;
  const wishes = Array.from({ length: count }, () => {
    const amount = anyAmount(world, place);
    const admitted = admitDirect(world, { merchant, place, kind, amount });
    return admitted === null ? [] : newPayment(world, { merchant, place, kind, amount, admitted });
  });
  accept(world, merchant, wishes.flat());
}

type Wish = {
  readonly merchant: Merchant;
  readonly place: ProviderPlace;
  readonly kind: Exclude<PaymentKind, 'REFUND'>;
  readonly amount: Amount;
};

function admitDirect(world: World, { merchant, place, kind, amount }: Wish): Admitted | null {
  const { provider, currency, phoneNumber, operator } = place;
  const admission = world.rules.admit({
    merchant,
    kind,
    amount,
    amountText: renderAmount(amount),
    currency,
    provider,
    phoneNumber,
    availability: world.unavailable.get(`${provider} ${kind}`) ?? 'OPERATIONAL',
    connector: operator,
    testNumbersAllowed: false,
  });
  if (admission.type === 'ADMITTED') return admission;
  world.counts.rejected += 1;
  return null;
}

/** What sends money holds it now, in the order of arrival; what finds no funds is rejected. */
function accept(world: World, merchant: Merchant, payments: readonly StoredPayment[]): readonly Kept[] {
  const wants = payments.flatMap((item) => {
    if (item.kind === 'DEPOSIT') return [];
    const posting = world.rules.holdOf(item, merchant.walletPerProvider ? item.provider : '');
    const wallet = posting.legs[0]?.debit;
    if (wallet === undefined) return [];
    return [{ item, posting, wallet, walletId: accountName(wallet), amount: item.amount + item.fee }];
  });
  const available = new Map(
    wants.map(({ wallet, walletId }) => [walletId, world.books.available(wallet)] as const),
  );
  const paid = new Set(world.rules.allocate(available, wants).paid);
  return payments.flatMap((payment) => {
    if (payment.kind !== 'DEPOSIT' && !paid.has(payment)) {
      world.counts.rejected += 1;
      return [];
    }
    const want = wants.find(({ item }) => item === payment);
    if (want !== undefined) world.books.hold(want.posting);
    return [world.insert(payment, merchant)];
  });
}

function refund(world: World): void {
  const { random, payments } = world;
  if (payments.length === 0) return;
  const deposit = payments[random.between(Math.max(0, payments.length - 400), payments.length - 1)];
  if (deposit === undefined || deposit.payment.kind !== 'DEPOSIT') return;
  const { merchant } = deposit;
  const { provider, paymentId, currency, connector } = deposit.payment;
  const wished = random.chance(0.4) ? null : divide(deposit.payment.amount, random.between(1, 3));
  const history = world.rules.refundHistoryOf<Kept>(
    { ...deposit, amount: deposit.payment.amount },
    deposit.refunds.map((kept) => ({ ...kept, amount: kept.payment.amount, state: kept.payment.state })),
    // People resolve cases when no one requests anything any more.
    ({ cases }) => [...cases.keys()].map((evidence) => ({ evidence, resolved: null })),
  );
  const admission = world.rules.admitRefund(
    {
      depositId: paymentId,
      ...(wished === null ? {} : { amount: wished, amountText: renderAmount(wished) }),
    },
    {
      merchant,
      deposit: deposit.payment,
      ...history,
      availability: world.unavailable.get(`${provider} REFUND`) ?? 'OPERATIONAL',
      connector,
      isFullOnly: false,
      isBeyondReach: false,
    },
  );
  if (admission.type !== 'ADMITTED') {
    world.counts.rejected += 1;
    return;
  }
  const { amount, amountText } = admission;
  const [kept] = accept(world, merchant, [
    {
      ...base(world, merchant, deposit.payment.details.phoneNumber),
      ...firstStep(admission, world.now()),
      kind: 'REFUND',
      amount,
      amountText,
      currency,
      provider,
      depositId: paymentId,
    },
  ]);
  if (kept === undefined) return;
  const isUnclear = deposit.refunds.some(({ cases }) => cases.has('DISCREPANCY'));
  demand(!isUnclear, 'nothing is refunded while it is open what an earlier refund gave back', deposit);
  deposit.refunds.push(kept);
  checkRefunds(deposit);
}

/** At the moment a refund is accepted no more than the deposit is given back or on its way. */
function checkRefunds(deposit: Kept): void {
  const given = deposit.refunds.filter(
    ({ payment, cases }) => payment.state !== 'FAILED' || cases.has('LATE_SUCCESS'),
  );
  const sum = given.reduce((total, { payment }) => total + payment.amount, 0n);
  demand(sum <= deposit.payment.amount, 'no more is refunded than was deposited', deposit);
  const isOpen = given.filter(({ payment }) => !isFinal(payment.state));
  demand(isOpen.length <= 1, 'a deposit has one open refund', deposit);
}

function split(world: World, merchant: Merchant, place: ProviderPlace): void {
  const { random } = world;
  const amount = anyAmount(world, place);
  const { currency, provider } = place;
  const places = PROVIDERS.filter((other) => other.currency === currency);
  const count = random.between(1, 3);
  const parts = Array.from({ length: count }, () => ({
    writtenId: `s${(world.acts += 1)}`,
    amount: divide(amount, count + random.between(0, 2)),
    currency,
    place: random.pick(places),
  }));
  const collection = admitDirect(world, { merchant, place, kind: 'DEPOSIT', amount });
  const payouts = parts.map((part) => admitDirect(world, { merchant, kind: 'PAYOUT', ...part }));
  if (collection === null || payouts.includes(null)) return;
  const fees = payouts.flatMap((payout) => payout ?? []);
  const amountText = renderAmount(amount);
  if (
    world.rules.checkParts({ amount, amountText, currency, provider, parts }, collection.fee, fees) !== null
  ) {
    world.counts.rejected += 1;
    return;
  }
  const payment = newPayment(world, { merchant, place, kind: 'DEPOSIT', amount, admitted: collection });
  const made: Split = {
    merchantId: merchant.merchantId,
    splitPaymentId: payment.paymentId,
    apiVersion: 'v2',
    merchant,
    parts: parts.map((part, index) => ({
      payoutId: part.writtenId,
      paymentNo: part.writtenId,
      writtenId: part.writtenId,
      amountText: renderAmount(part.amount),
      feeText: renderAmount(fees[index]?.fee ?? 0n),
      country: part.place.country,
      provider: part.place.provider,
      connector: part.place.operator,
      details: { phoneNumber: part.place.phoneNumber, customerMessage: '' },
    })),
    collection: null,
    payouts: [],
    callbacks: { announced: 0, acknowledged: 0, waiting: 0 },
  };
  made.collection = world.insert({ ...payment, splitPaymentId: payment.paymentId }, merchant, made);
  world.splits.push(made);
}

function newPayment(
  world: World,
  { merchant, place, kind, amount, admitted }: Wish & { readonly admitted: Admitted },
): StoredPayment {
  const { currency, provider, phoneNumber } = place;
  return {
    ...base(world, merchant, phoneNumber),
    ...firstStep(admitted, world.now()),
    kind,
    amount,
    amountText: renderAmount(amount),
    currency,
    provider,
  };
}

function base(world: World, { merchantId }: Merchant, phoneNumber: string) {
  const id = `p${(world.acts += 1)}`;
  const details = { phoneNumber, customerMessage: '' };
  return { merchantId, paymentId: id, paymentNo: id, writtenId: id, apiVersion: 'v2', details } as const;
}

/** Whole units, and hundredths where the currency has them. */
function anyAmount({ random }: World, { currency }: ProviderPlace): Amount {
  return currency === 'ZMW'
    ? BigInt(random.between(100, 90_000)) * 100n
    : BigInt(random.between(100, 3_000)) * 10_000n;
}

/** A whole number of units, so that every provider takes it. */
function divide(amount: Amount, by: number): Amount {
  return (amount / BigInt(by) / 10_000n) * 10_000n;
}

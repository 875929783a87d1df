// The people who end payments without a clear answer and resolve cases, once everything is quiet. They know what the
// operator's books say.
import { subjectOf } from '../../src/core/payments/payment-postings.ts';
import { isFinal, type Evidence } from '../../src/domain/payments/lifecycle.ts';
import type { Amount } from '../../src/domain/money.ts';
import type { End } from '../../src/domain/payments/outcome.ts';
import type { Resolution } from '../../src/domain/reconciliation/cases.ts';
import { subjectName } from './books.ts';
import { demand } from './violation.ts';
import type { Kept, World } from './world.ts';

/** A discrepancy comes last: what it is about is what the other cases leave. */
const IN_ORDER: readonly Evidence[] = ['LATE_SUCCESS', 'LATE_FAILURE', 'DISCREPANCY'];

/** Ends what operators will never say anything clear about, by what is in their books. */
export function endManually(world: World): void {
  for (const kept of world.payments.filter(({ payment }) => payment.state === 'IN_RECONCILIATION')) {
    const hasMoved = (world.entryOf(kept)?.moved ?? 0n) !== 0n;
    const providerTransactionId = `H${(world.acts += 1)}`;
    const outcome: End = hasMoved
      ? { type: 'COMPLETED', providerTransactionId }
      : { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' };
    world.advance(kept, [{ event: { type: 'ENDED_MANUALLY', outcome } }]);
  }
}

export function resolveCases(world: World): void {
  for (const kept of world.payments) {
    if (kept.cases.size === 0 || !isFinal(kept.payment.state)) continue;
    for (const evidence of IN_ORDER) if (kept.cases.get(evidence) === 'OPEN') resolve(world, kept, evidence);
  }
}

/** What the operator holds for us because of a payment, less what our books say it does. */
export function differenceOf(world: World, kept: Kept): Amount {
  const booked = world.books.floats.get(subjectName(subjectOf(kept.payment))) ?? 0n;
  return (world.entryOf(kept)?.moved ?? 0n) - booked;
}

function resolve(world: World, kept: Kept, evidence: Evidence): void {
  const { merchantId, country, currency, provider, kind, amount: whole } = kept.payment;
  const about = { evidence, kind };
  const difference = differenceOf(world, kept);
  const size = difference < 0n ? -difference : difference;
  const amount = evidence === 'DISCREPANCY' ? size : whole;
  const resolution = choose(world, about, difference);
  const from = kept.split?.collection ?? kept;
  const wallet = { walletCountry: from.payment.country, walletProvider: world.walletProviderOf(from) };
  const place = { merchantId, country, currency, provider, ...wallet };
  const available = world.books.available({
    type: 'WALLET',
    merchantId,
    country: wallet.walletCountry,
    currency,
    provider: wallet.walletProvider,
  });
  world.books.post({
    subject: subjectOf(kept.payment),
    template: resolution,
    firstLegNo: world.rules.firstLegNoOf({ evidence, caseNo: 1 }),
    legs: world.rules.resolutionLegs(about, resolution, { ...place, amount, available, collected: 0n }),
  });
  kept.cases.set(evidence, 'RESOLVED');
  const entry = world.entryOf(kept);
  if (resolution !== 'RETURN_TO_PAYER' || evidence === 'DISCREPANCY') return;
  demand(entry !== undefined, 'only an operator that knows a payment can give its money back', kept);
  kept.operator.giveBack(entry, amount);
}

/** Any way that is open; of a discrepancy, one that leads the books where the operator's are. */
function choose(
  world: World,
  about: { readonly evidence: Evidence; readonly kind: Kept['payment']['kind'] },
  difference: Amount,
): Resolution {
  // These operators stand by their evidence.
  const allowed = world.rules.allowedResolutions(about).filter((one) => one !== 'REVERSE_EVIDENCE');
  if (about.evidence !== 'DISCREPANCY' || difference === 0n) return world.random.pick(allowed);
  const fitting: readonly Resolution[] =
    difference > 0n ? ['CREDIT_MERCHANT'] : ['RECOVER_FROM_MERCHANT', 'WRITE_OFF'];
  return world.random.pick(allowed.filter((resolution) => fitting.includes(resolution)));
}

import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findProvider } from '../../src/domain/operators/catalogue.ts';

/** A number whose payouts find no account. */
export function numberWithoutAccount(provider: string): string {
  const isIt = (row: (typeof numbers)[number]) =>
    row.provider === provider && row.outcome === 'RECIPIENT_NOT_FOUND';
  return numbers.find(isIt)!.phoneNumber;
}

/** A number that completes in the sandbox: the provider's, or one of its country where it has none of its own. */
export function completingNumberOf(provider: string): string {
  const completing = numbers.filter(({ outcome }) => outcome === 'COMPLETED');
  const own = completing.find((row) => row.provider === provider);
  const country = findProvider(provider)?.country ?? '';
  return (own ?? completing.find((row) => row.provider.endsWith(`_${country}`)))!.phoneNumber;
}

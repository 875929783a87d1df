// Which connector carries a provider's payments of a kind, and with which account: the host's configuration. Pure.
import { findProvider } from '../domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../domain/payments/payment.ts';

export type Binding = {
  /** A provider's code, or the beginning of several with a star behind it. */
  readonly provider: string;
  /** Null: all kinds. */
  readonly kind: PaymentKind | null;
  readonly connector: string;
  /** Under which name the credentials are kept; null: the provider's code. */
  readonly account: string | null;
};

/**
 * Reads "MTN_MOMO_RWA=mtn-momo MTN_MOMO_ZMB/PAYOUT=mtn-momo:zambia AIRTEL_*=airtel-money". Answers the bindings, or the
 * first entry that is none: one that names a provider no one knows would silently bind nothing.
 */
export function parseBindings(text: string): readonly Binding[] | { readonly fault: string } {
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  const bindings: Binding[] = [];
  for (const entry of entries) {
    const binding = parseBinding(entry);
    if (binding === null) return { fault: entry };
    bindings.push(binding);
  }
  return bindings;
}

/** The last one that fits, so that a general rule can stand before its exceptions. */
export function findBinding(
  bindings: readonly Binding[],
  wanted: { readonly provider: string; readonly kind: PaymentKind },
): Binding | null {
  return (
    bindings.findLast(
      ({ provider, kind }) => fits(provider, wanted.provider) && (kind === null || kind === wanted.kind),
    ) ?? null
  );
}

function parseBinding(entry: string): Binding | null {
  const parts = /^(\w+\*?|\*)(?:\/([A-Z]+))?=([a-z0-9-]+)(?::([\w-]+))?$/.exec(entry);
  const [, provider = '', kindText, connector = '', account = null] = parts ?? [];
  const kind = PAYMENT_KINDS.find((one) => one === kindText) ?? null;
  if (parts === null || (kindText !== undefined && kind === null)) return null;
  if (!provider.endsWith('*') && findProvider(provider) === null) return null;
  return { provider, kind, connector, account };
}

function fits(pattern: string, provider: string): boolean {
  return pattern.endsWith('*') ? provider.startsWith(pattern.slice(0, -1)) : pattern === provider;
}

// Which connector and account handle a provider's payments of a kind: the host's configuration. Pure.
import { findProvider } from '../domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../domain/payments/payment.ts';

export type Binding = {
  /** A provider code, or a prefix followed by a star. */
  readonly provider: string;
  /** Null: all kinds. */
  readonly kind: PaymentKind | null;
  readonly connector: string;
  /** The name under which the credentials are stored; null: the provider code. */
  readonly account: string | null;
};

/**
 * Parses "MTN_MOMO_RWA=mtn-momo MTN_MOMO_ZMB/PAYOUT=mtn-momo:zambia AIRTEL_*=airtel-money". Returns the bindings, or
 * the first invalid entry. An unknown provider is invalid, because it would silently bind nothing.
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

/** The last match wins, so exceptions come after the general rule. */
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

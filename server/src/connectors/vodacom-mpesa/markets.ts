// The markets of Vodacom and Vodafone by the country in the provider code, and the address of each call. There are two
// APIs: the OpenAPI with sessions, and Mozambique's older one with a port per operation. Pure.
import type { PaymentKind } from '../../domain/payments/payment.ts';

export type Market = {
  readonly form: 'OPENAPI' | 'OLDER';
  /** The path before the name of a call. */
  readonly path: string;
  /** Vodacom's own code for the country. */
  readonly country: string;
};

const MARKETS: Readonly<Record<string, Market>> = {
  COD: { form: 'OPENAPI', path: '/ipg/v2/vodacomDRC/', country: 'DRC' },
  GHA: { form: 'OPENAPI', path: '/ipg/v2/vodafoneGHA/', country: 'GHA' },
  LSO: { form: 'OPENAPI', path: '/ipg/v2/vodacomLES/', country: 'LES' },
  TZA: { form: 'OPENAPI', path: '/ipg/v2/vodacomTZN/', country: 'TZN' },
  MOZ: { form: 'OLDER', path: '/ipg/v1x/', country: 'MOZ' },
};

/** VODACOM_TZA, VODACOM_MPESA_COD, MPESA_LSO, VODAFONE_GHA; null for any other provider. */
export function findMarket(provider: string): Market | null {
  const country = /^(?:VODACOM|VODACOM_MPESA|MPESA|VODAFONE)_([A-Z]{3})$/.exec(provider)?.[1] ?? '';
  return Object.hasOwn(MARKETS, country) ? (MARKETS[country] ?? null) : null;
}

export function marketOf(provider: string): Market {
  const market = findMarket(provider);
  if (market === null) throw new Error(`${provider} is no market of this connector`);
  return market;
}

type Name = 'SESSION' | 'QUERY' | Exclude<PaymentKind, 'REMITTANCE'>;

const CALLS = {
  SESSION: { path: 'getSession/', port: '' },
  DEPOSIT: { path: 'c2bPayment/singleStage/', port: '18352' },
  PAYOUT: { path: 'b2cPayment/', port: '18345' },
  REFUND: { path: 'reversal/', port: '18354' },
  QUERY: { path: 'queryTransactionStatus/', port: '18353' },
} as const satisfies Record<Name, { readonly path: string; readonly port: string }>;

/**
 * The address of a call. In the older API each operation has its port, which is added if the host's address has none.
 * An address with a port is used as it is, for a tunnel or proxy.
 */
export function addressOf(baseUrl: string, market: Market, name: Name): string {
  const { path, port } = CALLS[name];
  const needsPort = market.form === 'OLDER' && !/:\d+$/.test(baseUrl);
  return `${baseUrl}${needsPort ? `:${port}` : ''}${market.path}${path}`;
}

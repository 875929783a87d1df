// What docs/reference/connectors.md must say: every provider of the catalogue, who carries it, and what it can do.
import type { OperatorContext } from '../../src/connectors/operator.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../src/domain/payments/payment.ts';

const WORDS: Readonly<Record<PaymentKind, string>> = {
  DEPOSIT: 'deposits',
  PAYOUT: 'payouts',
  REFUND: 'refunds',
  REMITTANCE: 'remittances',
};

/** The rows of the table of providers: each connector with its providers and what it can do, in their order. */
export function connectorRows(): readonly string[] {
  const rows = [...OPERATOR_NAMES, undefined].flatMap((connector) => {
    const codes = listProviders()
      .map(({ code }) => code)
      .filter((code) => connectorsOf(code)[0] === connector);
    return [...Map.groupBy(codes, (code) => kindsOf(connector, code))].map(([kinds, alike]) => ({
      connector,
      kinds,
      alike,
    }));
  });
  return rows.map(
    ({ connector, kinds, alike }) =>
      `| ${connector === undefined ? 'none yet' : quote(connector)} | ${kinds} | ${alike.map(quote).join(' ')} |`,
  );
}

const quote = (text: string) => `\`${text}\``;

const OPERATOR_NAMES = Object.keys(OPERATORS);

function kindsOf(connector: string | undefined, provider: string): string {
  if (connector === undefined) return '';
  return PAYMENT_KINDS.filter((kind) => canDo(connector, kind, provider))
    .map((kind) => WORDS[kind])
    .join(', ');
}

/** Those that name the provider as one they serve. */
export function connectorsOf(provider: string): readonly string[] {
  return Object.entries(OPERATORS)
    .filter(([, { providers }]) => providers.includes(provider))
    .map(([name]) => name);
}

/** Those that can say who holds a number. */
export function holderConnectors(): readonly string[] {
  return OPERATOR_NAMES.filter((name) => bareConnector(name)?.holder !== undefined);
}

/** Making a connector calls nothing, so it needs nothing yet. */
function bareConnector(name: string) {
  return OPERATORS[name]?.create({ timing: {} } as OperatorContext);
}

function canDo(name: string, kind: PaymentKind, provider: string): boolean {
  const connector = bareConnector(name);
  if (connector === undefined || !connector.supports(kind, provider)) return false;
  return kind !== 'REFUND' || connector.refund !== undefined;
}

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

/** The rows of the table of providers, in the order of the catalogue. */
export function connectorRows(): readonly string[] {
  return listProviders().map(({ code, country }) => {
    const [connector] = connectorsOf(code);
    if (connector === undefined) return `| \`${code}\` | ${country} | none yet | |`;
    const kinds = PAYMENT_KINDS.filter((kind) => canDo(connector, kind, code));
    return `| \`${code}\` | ${country} | \`${connector}\` | ${kinds.map((kind) => WORDS[kind]).join(', ')} |`;
  });
}

/** Those that name the provider as one they serve. */
export function connectorsOf(provider: string): readonly string[] {
  return Object.entries(OPERATORS)
    .filter(([, { providers }]) => providers.includes(provider))
    .map(([name]) => name);
}

function canDo(name: string, kind: PaymentKind, provider: string): boolean {
  // Making a connector calls nothing, so it needs nothing yet.
  const connector = OPERATORS[name]?.create({ timing: {} } as OperatorContext);
  if (connector === undefined || !connector.supports(kind, provider)) return false;
  return kind !== 'REFUND' || connector.refund !== undefined;
}

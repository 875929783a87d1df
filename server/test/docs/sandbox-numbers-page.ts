// Makes docs/reference/sandbox-numbers.md from the table the simulator works by.
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findCountry, listProviders, type ProviderFacts } from '../../src/domain/operators/catalogue.ts';

export type NumberRow = (typeof numbers)[number];

const INTRODUCTION = `# Test numbers of the sandbox

In the sandbox the phone number decides how a payment ends. Use a number from this table with its provider. All other
numbers of the country complete. Refunds and remittances follow the payout numbers.

- \`COMPLETED\`: the payment completes, and a callback is sent.
- \`STUCK\`: the payment never ends. It stays \`PROCESSING\`, later \`IN_RECONCILIATION\`, and no callback is sent.
- Any other word: the payment ends \`FAILED\` with this [code](failure-codes.md), and a callback is sent.

Production rejects some numbers of Benin, Lesotho and Mozambique. This page is generated from
\`server/src/sandbox/fakes/payers/numbers.json\`.

| Provider | Deposits | Payouts |
|---|---|---|
`;

export function renderSandboxNumbersPage(): string {
  return `${INTRODUCTION}${listProviders().map(renderProvider).join('\n')}\n`;
}

function renderProvider(provider: ProviderFacts): string {
  const { code, country } = provider;
  const currencies = provider.currencies.map(({ currency }) => currency).join(', ');
  const where = findCountry(country)?.displayName.en ?? country;
  const cells = [
    `\`${code}\`<br>${where}: ${currencies}`,
    [...listNumbers(code, 'DEPOSIT'), ...renderNeeds(provider)].join('<br>'),
    listNumbers(code, 'PAYOUT').join('<br>'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function listNumbers(code: string, kind: string): readonly string[] {
  return numbers
    .filter(({ provider, operation }) => provider === code && operation === kind)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ phoneNumber, outcome }) => `\`${phoneNumber}\`&nbsp;${outcome}`);
}

/** What most readers look for comes first. */
const rank = ({ outcome }: NumberRow) => (outcome === 'COMPLETED' ? 0 : outcome === 'STUCK' ? 2 : 1);

function renderNeeds({ authType }: ProviderFacts): readonly string[] {
  switch (authType) {
    case 'PROVIDER_AUTH':
      return [];
    case 'PREAUTH':
      return ['any `preAuthorisationCode`'];
    case 'REDIRECT_AUTH':
      return ['needs `successfulUrl` and `failedUrl`; the simulator shows the page'];
  }
}

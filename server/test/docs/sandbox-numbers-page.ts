// Makes docs/reference/sandbox-numbers.md from the table the simulator works by.
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findCountry, listProviders, type ProviderFacts } from '../../src/domain/operators/catalogue.ts';

export type NumberRow = (typeof numbers)[number];

const INTRODUCTION = `# Sandbox numbers

In the sandbox the phone number decides what becomes of a payment. Each number below counts for its provider and its
operation only; every other number of the country completes. Refunds and remittances follow the payout numbers.

${renderTable(
  ['Outcome', 'What you see'],
  [
    ['`COMPLETED`', 'The payment ends `COMPLETED`, and a callback says so.'],
    [
      '`STUCK`',
      "The payment never ends and no callback comes: it stays `PROCESSING` until the provider's time is over, then " +
        '`IN_RECONCILIATION`.',
    ],
    [
      'any other',
      'The payment ends `FAILED` with this code, and a callback says so. [Failure codes](failure-codes.md) says what ' +
        'each means.',
    ],
  ],
)}
Some numbers of Benin, Lesotho and Mozambique are outside the numbering plan of their country. Production refuses them.

This page is made from \`server/src/sandbox/fakes/payers/numbers.json\` and tested against it.
`;

export function renderSandboxNumbersPage(): string {
  const providers = listProviders();
  const countries = [...new Set(providers.map(({ country }) => country))];
  const sections = countries.map((country) =>
    renderCountry(
      country,
      providers.filter((provider) => provider.country === country),
    ),
  );
  return [INTRODUCTION, ...sections].join('\n');
}

function renderCountry(alpha3: string, providers: readonly ProviderFacts[]): string {
  const name = findCountry(alpha3)?.displayName.en ?? alpha3;
  return [`## ${name} (${alpha3})\n`, ...providers.map(renderProvider)].join('\n');
}

function renderProvider(provider: ProviderFacts): string {
  const currencies = provider.currencies.map(({ currency }) => currency).join(', ');
  const rows = numbers.filter((row) => row.provider === provider.code);
  const text = rows.length === 0 ? renderNoNumbers(provider) : renderRows(rows);
  return `### ${provider.code}\n\n${provider.displayName}, ${currencies}.${renderNeeds(provider)}\n\n${text}`;
}

function renderNeeds({ authType }: ProviderFacts): string {
  switch (authType) {
    case 'PROVIDER_AUTH':
      return '';
    case 'PREAUTH':
      return ' Deposits need a `preAuthorisationCode`; any will do.';
    case 'REDIRECT_AUTH':
      return ' Deposits need `successfulUrl` and `failedUrl`; the payer is sent to a page of the simulator.';
  }
}

function renderNoNumbers({ code }: ProviderFacts): string {
  return `No numbers of its own: every number that \`${code}\` takes completes.\n`;
}

function renderRows(rows: readonly NumberRow[]): string {
  return renderTable(
    ['Operation', 'Phone number', 'Outcome'],
    rows.map(({ operation, phoneNumber, outcome }) => [operation, `\`${phoneNumber}\``, `\`${outcome}\``]),
  );
}

function renderTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...lines.toSpliced(1, 0, `|${'---|'.repeat(heading.length)}`), ''].join('\n');
}

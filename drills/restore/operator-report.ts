// The operators' reports, made from their own journals, imported as a host imports them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BookedCharge } from '../kit/verdict/operator-books.ts';
import { BY } from '../kit/settings.ts';
import type { Setup } from './setup.ts';

/** Imports a report of each provider. Returns the references that the gateway lists as unknown or unmatched. */
export async function importReports(
  setup: Setup,
  charges: readonly BookedCharge[],
): Promise<ReadonlySet<string>> {
  const paid = charges.filter(({ status }) => status === 'SUCCESSFUL');
  const imports = [...Map.groupBy(paid, (charge) => charge.provider)].map(async ([provider, some]) => {
    const file = join(setup.scratch.folder('reports'), `${provider}.csv`);
    writeFileSync(file, [HEADER, ...some.map(lineOf), ''].join('\n'));
    const command = ['operator-report', 'import', '--provider', provider, '--file', file, '--by', BY];
    return unknownIn(await setup.command(command));
  });
  return new Set((await Promise.all(imports)).flat());
}

const HEADER = 'time,direction,status,amount,currency,reference,transactionId,phoneNumber';

function lineOf(charge: BookedCharge): string {
  const { settledAt, acceptedAt, operation, amount, currency, askedAs, transactionId, phoneNumber } = charge;
  const direction = operation === 'DEPOSIT' ? 'IN' : 'OUT';
  const cells = [settledAt ?? acceptedAt, direction, 'COMPLETED', amount, currency, askedAs, transactionId];
  return [...cells, phoneNumber].join(',');
}

/** The lines of a report that name no payment of ours: "line 7", tab, "UNMATCHED", tab, what it says. */
function unknownIn(report: string): readonly string[] {
  return report.split('\n').flatMap((line) => {
    const [, finding, text] = line.split('\t');
    if (finding !== 'UNKNOWN' && finding !== 'UNMATCHED') return [];
    if (text === undefined || !text.startsWith('{')) return [];
    return [(JSON.parse(text) as { readonly reference: string }).reference];
  });
}

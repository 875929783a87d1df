// `malipo payment list`: the newest payments of all kinds. The API has no lists yet; a sandbox tells the events of the
// newest payments.
import { countOf, type Command } from '../command.ts';
import { readSandboxEvents } from '../events.ts';
import { openGateway, type Gateway } from '../gateway.ts';
import { renderAmountText } from '../payment-text.ts';
import { controlSandbox } from '../sandbox-control.ts';
import { renderTable } from '../table.ts';
import { KINDS } from './kinds.ts';

type Listed = {
  readonly kind: string;
  readonly id: string;
  readonly status: string;
  readonly created?: string;
  readonly amount?: string;
  readonly currency?: string;
};

/** As many as a sandbox tells of. */
const COUNT_MAX = 100;

export const paymentListCommand: Command = {
  words: 'payment list',
  summary: 'List the newest payments of all kinds, the newest first',
  details:
    'It works in a sandbox only: the API cannot list payments yet. The dashboard lists them elsewhere.',
  options: [{ name: 'count', value: 'COUNT', summary: `How many; default: 20, at most ${COUNT_MAX}.` }],
  examples: ['malipo payment list', 'malipo payment list --count 5 --json'],
  run: async (call) => {
    const gateway = await openGateway(call);
    const control = controlSandbox(gateway.profile, 'list payments');
    const countMax = countOf(call, 'count', { min: 1, max: COUNT_MAX, otherwise: 20 });
    const { events } = await readSandboxEvents(control, new Date(0).toISOString());
    // The first event of a payment is its acceptance.
    const ids = new Map(events.map(({ paymentId, kind }) => [paymentId, kind.toLowerCase()]));
    const newest = [...ids].toReversed().slice(0, countMax);
    const listed = await Promise.all(newest.map(([id, kind]) => readListed(gateway, kind, id)));
    const rows = listed.map(({ created = '', kind, id, status, amount = '', currency = '' }) => [
      created.slice(0, 19),
      kind,
      id,
      status,
      amount === '' ? '' : `${renderAmountText(amount, currency)} ${currency}`,
    ]);
    const text =
      rows.length === 0
        ? 'No payments yet. Create one: malipo deposit create --help'
        : renderTable(['created (UTC)', 'kind', 'id', 'status', 'amount'], rows);
    return { value: listed, text };
  },
};

async function readListed({ malipo }: Gateway, name: string, id: string): Promise<Listed> {
  const kind = KINDS.find((one) => one.name === name);
  const found = await kind?.resource(malipo).get(id);
  const { status, created, amount, currency } = (
    found?.found === true ? found.payment : {}
  ) as Partial<Listed>;
  return {
    kind: name,
    id,
    status: status ?? 'UNKNOWN',
    ...(created !== undefined && { created }),
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
  };
}

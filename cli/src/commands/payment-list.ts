// `malipo payment list`: the newest payments of all kinds that the token may read.
import { MalipoError, type Malipo } from '@malipo/sdk';
import { countOf, type Command } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { renderAmountText } from '../payment-text.ts';
import { renderTable } from '../table.ts';

const KINDS = ['deposit', 'payout', 'refund', 'remittance'] as const;
type Kind = (typeof KINDS)[number];

type Listed = {
  readonly kind: Kind;
  readonly id: string;
  readonly status: string;
  readonly created: string;
  readonly amount: string;
  readonly currency: string;
};

/** As many as the API has on one page. */
const COUNT_MAX = 100;

export const paymentListCommand: Command = {
  words: 'payment list',
  summary: 'List the newest payments of all kinds',
  details: 'Kinds that the API token has no scope to read are left out.',
  options: [{ name: 'count', value: 'COUNT', summary: `How many; default: 20, at most ${COUNT_MAX}.` }],
  examples: ['malipo payment list', 'malipo payment list --count 5 --json'],
  run: async (call) => {
    const { malipo } = await openGateway(call);
    const countMax = countOf(call, 'count', { min: 1, max: COUNT_MAX, otherwise: 20 });
    const listed = await listNewest(malipo, countMax);
    const rows = listed.map(({ created, kind, id, status, amount, currency }) => [
      created.slice(0, 19),
      kind,
      id,
      status,
      `${renderAmountText(amount, { currency })} ${currency}`,
    ]);
    const text =
      rows.length === 0
        ? 'No payments yet. Create one: malipo deposit create --help'
        : renderTable(['created (UTC)', 'kind', 'id', 'status', 'amount'], rows);
    return { value: listed, text };
  },
};

async function listNewest(malipo: Malipo, countMax: number): Promise<readonly Listed[]> {
  const ofKinds = await Promise.allSettled(KINDS.map((kind) => listKind(malipo, kind, countMax)));
  const failed = ofKinds.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  const [other] = failed.filter((error) => !isScopeMissing(error));
  if (other !== undefined || failed.length === KINDS.length) throw other ?? failed[0];
  return ofKinds
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .toSorted((a, b) => b.created.localeCompare(a.created))
    .slice(0, countMax);
}

function isScopeMissing(error: unknown): boolean {
  return error instanceof MalipoError && error.code === 'AUTHORISATION_ERROR';
}

async function listKind(malipo: Malipo, kind: Kind, countMax: number): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for await (const payment of malipo[`${kind}s`].list({ pageSize: countMax })) {
    const { status, created, amount, currency } = payment;
    const id = String((payment as Readonly<Record<string, unknown>>)[`${kind}Id`]);
    listed.push({ kind, id, status, created, amount, currency });
    if (listed.length === countMax) break;
  }
  return listed;
}

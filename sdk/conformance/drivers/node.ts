// The driver of the Node SDK.
import { Malipo, MalipoError, type EventsPage } from '@malipo/sdk';
import type { DriverCall, DriverResult } from '../driver.ts';
import { answerCalls } from './answer-calls.ts';

answerCalls(run);

/** What the calls of the SDK return, as far as a driver shows it. */
type Returned = {
  readonly outcome?: string;
  readonly id?: string;
  readonly failureReason?: { readonly failureCode: string };
  readonly cause?: MalipoError;
  readonly found?: boolean;
  readonly payment?: { readonly status: string; readonly paid?: boolean };
};

type Resources = Record<
  string,
  Record<string, (request: unknown) => Promise<Returned | readonly Returned[]>>
>;

async function run({ call, request, ...options }: DriverCall): Promise<readonly DriverResult[]> {
  const { signing, ...plain } = options;
  const malipo = new Malipo({ ...plain, ...(signing !== undefined && { signing: signing as never }) });
  const [resource = '', verb = ''] = call.split('.');
  try {
    if (call === 'events.follow') return await follow(malipo, request as Following);
    const returned = await (malipo as unknown as Resources)[resource]![verb]!(request);
    return [returned].flat().map(render);
  } catch (error) {
    if (!(error instanceof MalipoError)) throw error;
    return [{ outcome: 'error', code: error.code }];
  }
}

type Following = { readonly after: string; readonly until: string };

async function follow(malipo: Malipo, { after, until }: Following): Promise<readonly DriverResult[]> {
  const results: DriverResult[] = [];
  for await (const page of malipo.events.follow({ after })) {
    results.push(...renderPage(page));
    if (results.some(({ id, status }) => id === until && status === 'COMPLETED')) break;
  }
  return results;
}

function renderPage({ events, expired }: EventsPage): readonly DriverResult[] {
  const statuses = events.flatMap(({ id, status }) =>
    id === undefined || status === undefined ? [] : [{ outcome: 'event', id, status }],
  );
  return expired ? [{ outcome: 'expired' }, ...statuses] : statuses;
}

function render({ outcome, id, failureReason, cause, payment }: Returned): DriverResult {
  if (outcome === undefined) {
    if (payment === undefined) return { outcome: 'not found' };
    return { outcome: 'found', status: payment.status, paid: payment.paid === true };
  }
  const code = failureReason?.failureCode ?? cause?.code;
  return { outcome, ...(id !== undefined && { id }), ...(code !== undefined && { code }) };
}

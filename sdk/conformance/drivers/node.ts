// The driver of the Node SDK.
import { Malipo, MalipoError } from '@malipo/sdk';
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
    const returned = await (malipo as unknown as Resources)[resource]![verb]!(request);
    return [returned].flat().map(render);
  } catch (error) {
    if (!(error instanceof MalipoError)) throw error;
    return [{ outcome: 'error', code: error.code }];
  }
}

function render({ outcome, id, failureReason, cause, payment }: Returned): DriverResult {
  if (outcome === undefined) {
    if (payment === undefined) return { outcome: 'not found' };
    return { outcome: 'found', status: payment.status, paid: payment.paid === true };
  }
  const code = failureReason?.failureCode ?? cause?.code;
  return { outcome, ...(id !== undefined && { id }), ...(code !== undefined && { code }) };
}

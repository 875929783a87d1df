// Which payments a line of the log is about: their identifiers and traces, and nothing else of them. Every line about a
// payment takes its fields from here.
import type { OperationKey } from '../domain/payments/payment.ts';
import type { Engine } from './engine.ts';

/** An error while something was done for one payment. What went wrong is its cause. */
export class AboutPayment extends Error {
  readonly key: OperationKey;

  constructor(key: OperationKey, cause: unknown) {
    super('failed for a payment', { cause });
    this.name = 'AboutPayment';
    this.key = key;
  }
}

type LogSubject = OperationKey & { readonly traceId: string };

export function logSubjects(
  { traceIdOf }: Pick<Engine, 'traceIdOf'>,
  keys: readonly OperationKey[],
): { readonly payments: readonly LogSubject[] } {
  return {
    payments: keys.map(({ merchantId, kind, paymentId }) => {
      const key = { merchantId, kind, paymentId };
      return { ...key, traceId: traceIdOf(key) };
    }),
  };
}

/** For those who report errors of single payments, as `togetherOrAlone` does. */
export function reportAbout(
  onError: (error: unknown) => void,
): (error: unknown, key: OperationKey | undefined) => void {
  return (error, key) => onError(key === undefined ? error : new AboutPayment(key, error));
}

/** Does something for one payment; an error carries its key. For the outermost call, which only logs it. */
export async function aboutPayment<Result>(key: OperationKey, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new AboutPayment(key, error);
  }
}

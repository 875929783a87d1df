// Why the availability of a provider changed: a code and its figures. The dashboard words it in the reader's language.

type Failed = {
  readonly failed: number;
  readonly calls: number;
  readonly seconds: number;
  readonly percent: number;
};

export type AvailabilityReason =
  | { readonly code: 'SET_MANUALLY'; readonly by: string }
  /** DELAYED, because too large a share of calls failed. */
  | ({ readonly code: 'CALLS_FAILED'; readonly limitPercent: number } & Failed)
  /** DELAYED, because the operator was silent for too long. */
  | {
      readonly code: 'NO_ANSWER';
      readonly calls: number;
      readonly seconds: number;
      readonly limitSeconds: number;
    }
  /** OPERATIONAL again on trial: nothing could be measured. */
  | { readonly code: 'NO_CALLS'; readonly seconds: number }
  /** OPERATIONAL again, because few calls failed for long enough. */
  | ({
      readonly code: 'RECOVERED';
      readonly limitPercent: number;
      readonly afterSeconds: number;
    } & Failed);

export const AVAILABILITY_REASONS = [
  'SET_MANUALLY',
  'CALLS_FAILED',
  'NO_ANSWER',
  'NO_CALLS',
  'RECOVERED',
] as const satisfies readonly AvailabilityReason['code'][];

/** For the command line. */
export function describeReason(reason: AvailabilityReason): string {
  switch (reason.code) {
    case 'SET_MANUALLY':
      return `set by ${reason.by}`;
    case 'CALLS_FAILED':
      return `${inFigures(reason)}; DELAYED from ${reason.limitPercent} %`;
    case 'NO_ANSWER':
      return `${reason.calls} calls in ${reason.seconds} s and no answer; DELAYED from ${reason.limitSeconds} s`;
    case 'NO_CALLS':
      return `no call could be made for ${reason.seconds} s`;
    case 'RECOVERED': {
      const limit = `OPERATIONAL after ${reason.afterSeconds} s at ${reason.limitPercent} % or less`;
      return `${inFigures(reason)}; ${limit}`;
    }
  }
}

/** "48 of 60 calls failed in 60 s (80 %)". */
function inFigures({ failed, calls, seconds, percent }: Failed): string {
  return `${failed} of ${calls} calls failed in ${seconds} s (${percent} %)`;
}

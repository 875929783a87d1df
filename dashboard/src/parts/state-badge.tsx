import type { ReactNode } from 'react';
import style from './state-badge.module.css';

export type Tone = 'success' | 'failure' | 'trouble' | 'info' | 'quiet';

/** How the states of payments, checkouts and other things that end are shown. What is not listed is quiet. */
const TONES: Readonly<Record<string, Tone>> = {
  COMPLETED: 'success',
  DELIVERED: 'success',
  OPERATIONAL: 'success',
  ACTIVE: 'success',
  APPROVED: 'success',
  PAID: 'success',
  FAILED: 'failure',
  REJECTED: 'failure',
  REFUSED: 'failure',
  CLOSED: 'failure',
  IN_RECONCILIATION: 'trouble',
  DELAYED: 'trouble',
  EXPIRED: 'trouble',
  ENQUEUED: 'trouble',
  PROCESSING: 'info',
  ACCEPTED: 'info',
  SUBMITTED: 'info',
};

type StateBadgeProps = {
  readonly state: string;
  /** In words. Default: the state's own name with spaces. */
  readonly children?: ReactNode;
  readonly tone?: Tone;
};

export function StateBadge({ state, children, tone = TONES[state] ?? 'quiet' }: StateBadgeProps) {
  return (
    <span className={style['badge']} data-tone={tone} data-state={state}>
      {children ?? state.replaceAll('_', ' ').toLowerCase()}
    </span>
  );
}

import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../api/failure.ts';
import { FailureState } from '../parts/failure-state.tsx';

/** For addresses that lead to no screen. */
export function NotFoundScreen() {
  return <FailureState error={new Failure('NOT_FOUND')} isScreen />;
}

export function NotPermitted() {
  return <FailureState error={new Failure('NOT_PERMITTED')} isScreen />;
}

/** For a screen that could not be drawn: also one whose file is gone because the gateway was updated meanwhile. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  return <FailureState error={error} isScreen onRetry={() => window.location.reload()} />;
}

import { Anchor, Stack } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../api/failure.ts';
import { useWords, words } from '../language.tsx';
import { FailureState } from '../parts/failure-state.tsx';

/** For addresses that lead to no screen. */
export function NotFoundScreen() {
  return <FailureState error={new Failure('NOT_FOUND')} isScreen />;
}

/** For addresses outside the frame, which brings no landmark and no navigation there. */
export function LostScreen() {
  const { home } = useWords(WORDS);
  return (
    <Stack component="main" align="center" p="md">
      <NotFoundScreen />
      <Anchor component={Link} to="/">
        {home}
      </Anchor>
    </Stack>
  );
}

export function NotPermitted() {
  return <FailureState error={new Failure('NOT_PERMITTED')} isScreen />;
}

/** For a screen that could not be drawn: also one whose file is gone because the gateway was updated meanwhile. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  return <FailureState error={error} isScreen onRetry={() => window.location.reload()} />;
}

const WORDS = words({ en: { home: 'Go to the dashboard' }, fr: { home: 'Aller au tableau de bord' } });

import { Button } from '@mantine/core';
import { useWords, words } from '../language.tsx';
import { EmptyState } from './empty-state.tsx';
import { useFailureWords } from './failure-words.ts';

type FailureStateProps = {
  readonly error: unknown;
  /** Tries again. */
  readonly onRetry?: () => void;
  /** Where nothing else is on the screen. */
  readonly isScreen?: boolean;
};

/** Stands where something could not be read, and says what to do. */
export function FailureState({ error, onRetry, isScreen = false }: FailureStateProps) {
  const { retry } = useWords(WORDS);
  const { title, advice } = useFailureWords()(error);
  return (
    <div role="alert">
      <EmptyState
        icon="trouble"
        isScreen={isScreen}
        title={title}
        action={
          onRetry !== undefined && (
            <Button variant="default" onClick={onRetry}>
              {retry}
            </Button>
          )
        }
      >
        {advice}
      </EmptyState>
    </div>
  );
}

const WORDS = words({ en: { retry: 'Try again' }, fr: { retry: 'Réessayer' } });

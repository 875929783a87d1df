import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords, words } from '../language.tsx';

/** By then most people wonder whether anything happens. */
const SLOW_MS = 8_000;

/** Below what is still loading: nothing at first; later, what can be done. */
export function SlowNotice({ onRetry }: { readonly onRetry: () => void }) {
  const said = useWords(WORDS);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <Group gap="xs" mt="sm" role="status">
      <Text component="span" size="sm" c="dimmed">
        {said.slow}
      </Text>
      <Button variant="default" size="compact-sm" onClick={onRetry}>
        {said.retry}
      </Button>
    </Group>
  );
}

const WORDS = words({
  en: { slow: 'This takes longer than usual.', retry: 'Try again' },
  fr: { slow: 'Cela prend plus de temps que d’habitude.', retry: 'Réessayer' },
});

import { MantineThemeProvider } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useWords, words } from '../language.tsx';

/** The names of buttons that the components draw by themselves: the crosses of dialogs and notices. */
export function WordedParts({ children }: { readonly children: ReactNode }) {
  const { close } = useWords(WORDS);
  const theme = useMemo(
    () => ({ components: { CloseButton: { defaultProps: { 'aria-label': close } } } }),
    [close],
  );
  return <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>;
}

const WORDS = words({ en: { close: 'Close' }, fr: { close: 'Fermer' } });

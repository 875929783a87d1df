import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords, words } from '../language.tsx';
import { Icon } from './icon.tsx';

/** What was requested is pending approval; `children` says what follows from that. */
export function AskedNotice({ children }: { readonly children: ReactNode }) {
  const said = useWords(WORDS);
  return (
    <Alert variant="default" icon={<Icon name="approve" />} title={said.waits}>
      {children}
    </Alert>
  );
}

const WORDS = words({
  en: { waits: 'Pending approval' },
  fr: { waits: 'En attente d’approbation' },
});

import { Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { tellConfirmed } from '../../api/confirmation.ts';
import { Failure } from '../../api/failure.ts';
import { useWords, words } from '../../language.tsx';
import { useFailureWords } from '../../parts/failure-words.ts';
import { SignInPage } from './sign-in-page.tsx';

/** The window that the identity provider sends back after somebody has confirmed there that it is them. */
export function ConfirmedScreen() {
  const said = useWords(WORDS);
  const { error } = useSearch({ from: '/confirmed' });
  const explain = useFailureWords();
  const refused = error === undefined ? null : explain(new Failure(error));
  useEffect(() => {
    if (error !== undefined) return;
    tellConfirmed();
    window.close();
  }, [error]);
  return (
    <SignInPage title={refused?.title ?? said.title} hint={refused?.advice}>
      <Text c="dimmed">{said.close}</Text>
    </SignInPage>
  );
}

const WORDS = words({
  en: { title: 'Confirmed', close: 'You can close this window.' },
  fr: { title: 'Confirmé', close: 'Vous pouvez fermer cette fenêtre.' },
});

import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { tellConfirmed } from '../../api/confirmation.ts';
import { Failure } from '../../api/failure.ts';
import { useWords, words } from '../../language.tsx';
import { SignInPage, Refusal } from './sign-in-page.tsx';

/** The window that the identity provider sends back after somebody has confirmed there that it is them. */
export function ConfirmedScreen() {
  const said = useWords(WORDS);
  const { error } = useSearch({ from: '/confirmed' });
  useEffect(() => {
    if (error !== undefined) return;
    tellConfirmed();
    window.close();
  }, [error]);
  return (
    <SignInPage title={error === undefined ? said.title : said.failed} hint={said.close}>
      <Refusal error={error === undefined ? null : new Failure(error)} />
    </SignInPage>
  );
}

const WORDS = words({
  en: { title: 'Confirmed', failed: 'Not confirmed', close: 'You can close this window.' },
  fr: { title: 'Confirmé', failed: 'Non confirmé', close: 'Vous pouvez fermer cette fenêtre.' },
});

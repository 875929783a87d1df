import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { addressIn, type Finding } from '../area.ts';
import { AREAS } from '../areas.ts';
import { useWords, useLanguage, words } from '../language.tsx';
import type { Scope } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { entriesFor } from './entries.ts';

/** Ctrl+K: the screens of the navigation, and what areas offer for what was typed. */
export function Search({ scope }: { readonly scope: Scope }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const toAction = ({ id, label, icon, path }: Finding): SpotlightActionData => ({
    id,
    label: label[language],
    leftSection: <Icon name={icon} />,
    onClick: () => void navigate({ href: addressIn(scope, path) }),
  });
  const screens = entriesFor(scope)
    .filter(({ label }) => label[language].toLowerCase().includes(query.trim().toLowerCase()))
    .map((entry) => toAction({ ...entry, id: entry.path }));
  const typed = query.trim();
  const found = typed === '' ? [] : AREAS.flatMap(({ find }) => find?.(typed, scope) ?? []).map(toAction);
  return (
    <Spotlight
      actions={[...found, ...screens]}
      query={query}
      onQueryChange={setQuery}
      // They were chosen above already.
      filter={(_query, actions) => actions}
      nothingFound={said.nothing}
      shortcut={['mod + K']}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: said.search,
        'aria-label': said.search,
      }}
      scrollable
      maxHeight={420}
    />
  );
}

const WORDS = words({
  en: { search: 'Search or go to…', nothing: 'Nothing like this' },
  fr: { search: 'Rechercher ou aller à…', nothing: 'Rien de tel' },
});

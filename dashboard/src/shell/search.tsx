import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
  const toAction = ({ id, label, description, icon, path, address }: Finding): SpotlightActionData => ({
    id,
    label: label[language],
    ...(description !== undefined && { description }),
    leftSection: <Icon name={icon} />,
    onClick: () => void navigate({ href: address ?? addressIn(scope, path) }),
  });
  const screens = entriesFor(scope)
    .filter(({ label }) => label[language].toLowerCase().includes(query.trim().toLowerCase()))
    .map((entry) => toAction({ ...entry, id: entry.path }));
  const typed = query.trim();
  const found = typed === '' ? [] : AREAS.flatMap(({ find }) => find?.(typed, scope) ?? []).map(toAction);
  const met = useLook(typed, scope).map(toAction);
  // They come later than the rest, and stand above it: Enter opens the first.
  useEffect(() => {
    if (met.length > 0) selectFirst();
  }, [met.length]);
  return (
    <Spotlight
      actions={[...met, ...found, ...screens]}
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
      attributes={{ content: { 'aria-label': said.search } }}
      scrollable
      maxHeight={420}
    />
  );
}

/** The library marks the action that Enter opens when letters are typed, and offers no way to do it later. */
function selectFirst(): void {
  document.querySelector('[data-action][data-selected]')?.removeAttribute('data-selected');
  document.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
}

/** What areas have looked up for what was typed, once typing pauses. */
function useLook(typed: string, scope: Scope): readonly Finding[] {
  const [query] = useDebouncedValue(typed, 200);
  const { data = [] } = useQuery({
    queryKey: ['search', scope.type === 'merchant' ? scope.merchantId : null, query],
    queryFn: async ({ signal }) => {
      const looked = AREAS.flatMap(({ look }) => (look === undefined ? [] : [look(query, scope, signal)]));
      return (await Promise.all(looked)).flat();
    },
    enabled: query !== '',
  });
  // What was met for other letters is not what is looked for.
  return query === typed ? data : [];
}

const WORDS = words({
  en: { search: 'Search or go to…', nothing: 'No results' },
  fr: { search: 'Rechercher ou aller à…', nothing: 'Aucun résultat' },
});

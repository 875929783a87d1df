// What providers and countries are called in the language of the screen, with their codes in small print.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../api/client.ts';
import { reading } from '../api/queries.ts';
import { useLanguage, type Language } from '../language.tsx';

type Catalogue = AnswerOf<'readCatalogue'>;

export type Names = {
  /** "Airtel Uganda". The code itself while names are on their way, and where there is none. */
  readonly provider: (code: string) => string;
  /** "Uganda". */
  readonly country: (code: string) => string;
};

export function useNames(): Names {
  const { language } = useLanguage();
  const { data } = useCatalogue();
  return useMemo(() => namesOf(data, language), [data, language]);
}

/** It changes with the gateway, never while somebody works. */
export function useCatalogue() {
  return useQuery({ ...reading('/console/api/catalogue', {}), staleTime: Infinity });
}

function namesOf(catalogue: Catalogue | undefined, language: Language): Names {
  const regions = new Map(catalogue?.countries.map(({ country, region }) => [country, region]));
  const providers = new Map(catalogue?.providers.map((one) => [one.provider, one]));
  const display = new Intl.DisplayNames([language], { type: 'region' });
  const country = (code: string) => {
    const region = regions.get(code);
    return region === undefined ? code : (display.of(region) ?? code);
  };
  const provider = (code: string) => {
    const found = providers.get(code);
    return found === undefined ? code : `${found.name} ${country(found.country)}`;
  };
  return { provider, country };
}

/** The name, and its code below. */
export function ProviderName({ code }: { readonly code: string }) {
  const name = useNames().provider(code);
  return (
    <span className="name">
      {name}
      {name !== code && <SmallCode>{code}</SmallCode>}
    </span>
  );
}

/** A code for those who compare it with an API or a file. */
export function SmallCode({ children }: { readonly children: string }) {
  return <span className="code">{children}</span>;
}

// What providers and countries are called in the language of the screen, with their codes in small print.
import { useQuery } from '@tanstack/react-query';
import { useMemo, type CSSProperties } from 'react';
import type { AnswerOf } from '../api/client.ts';
import { reading } from '../api/queries.ts';
import { useLanguage, type Language } from '../language.tsx';
import { coloursOf } from './provider-colours.ts';

type Catalogue = AnswerOf<'readCatalogue'>;

export type Names = {
  /** "Airtel Uganda". The code itself while names are on their way, and where there is none. */
  readonly provider: (code: string) => string;
  /** "Uganda". */
  readonly country: (code: string) => string;
  /** "UG"; null while it is on its way, and for what is no country. */
  readonly region: (code: string) => string | null;
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
  return { provider, country, region: (code) => regions.get(code) ?? null };
}

type ProviderNameProps = {
  readonly code: string;
  /** Without its country, where that stands beside it. */
  readonly name?: string;
};

/** The initial in the operator's colour, the name, and its code below. */
export function ProviderName({ code, name: given }: ProviderNameProps) {
  const full = useNames().provider(code);
  const name = given ?? full;
  const { ground, ink } = coloursOf(name);
  const colours = { '--provider-ground': ground, '--provider-ink': ink } as CSSProperties;
  return (
    <span className="name provider" data-initial={name.slice(0, 1)} style={colours}>
      <span>{name}</span>
      {name !== code && <SmallCode>{code}</SmallCode>}
    </span>
  );
}

/** A code for those who compare it with an API or a file. */
export function SmallCode({ children }: { readonly children: string }) {
  return <span className="code">{children}</span>;
}

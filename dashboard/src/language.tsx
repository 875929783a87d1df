// English and French. Every screen keeps its words beside itself, in both languages at once, so that none is forgotten:
//   const WORDS = words({ en: { title: 'Team' }, fr: { title: 'Équipe' } });
//   const { title } = useWords(WORDS);
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';

export type Language = 'en' | 'fr';
export type Worded<Words> = { readonly [language in Language]: Words };

export function words<Words>(both: { readonly en: Words; readonly fr: NoInfer<Words> }): Worded<Words> {
  return { en: both.en, fr: keepTogether(both.fr) };
}

/** French puts spaces before some marks and inside its quotation marks. No line may break there. */
function keepTogether<Words>(texts: Words): Words {
  return keep(texts) as Words;
}

function keep(text: unknown): unknown {
  if (typeof text === 'string') return text.replaceAll(/ (?=[:;?!»])|(?<=«) /g, '\u00A0');
  if (typeof text === 'function') return (...values: unknown[]) => keep(text(...values));
  if (Array.isArray(text)) return text.map(keep);
  if (!isPlain(text)) return text;
  return Object.fromEntries(Object.entries(text).map(([name, one]) => [name, keep(one)]));
}

/** A list of texts, not what React draws or another class. */
function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !('$$typeof' in value)
  );
}

export function useWords<Words>(both: Worded<Words>): Words {
  return both[useLanguage().language];
}

type Choice = { readonly language: Language; readonly choose: (language: Language) => void };

const LanguageContext = createContext<Choice>({ language: 'en', choose: () => undefined });

export const useLanguage = (): Choice => useContext(LanguageContext);

const REMEMBERED = 'malipo.language';

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(REMEMBERED, chosen);
    setLanguage(chosen);
  }, []);
  const choice = useMemo(() => ({ language, choose }), [language, choose]);
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

/** What was chosen last on this machine, else what the browser asks for. */
function firstLanguage(): Language {
  const wanted = localStorage.getItem(REMEMBERED) ?? navigator.language;
  return wanted.startsWith('fr') ? 'fr' : 'en';
}

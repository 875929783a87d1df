import { Text } from '@mantine/core';
import { useLanguage, type Language } from '../language.tsx';

type MoneyProps = {
  /** Decimal text, as the API gives it: "1500.50". It is never made a number. */
  readonly amount: string;
  readonly currency: string;
  readonly isStrong?: boolean;
};

/** An amount, exact, with figures that stand below each other. */
export function Money({ amount, currency, isStrong = false }: MoneyProps) {
  const { language } = useLanguage();
  return (
    <Text component="span" inherit className="figures money" fw={isStrong ? 600 : undefined}>
      {groupDigits(amount, language)}{' '}
      <Text component="span" c="dimmed" fz="0.85em" fw={400}>
        {currency}
      </Text>
    </Text>
  );
}

const SEPARATORS: Readonly<Record<Language, { readonly group: string; readonly point: string }>> = {
  en: { group: ',', point: '.' },
  // Narrow spaces that do not break.
  fr: { group: '\u202f', point: ',' },
};

/** "-1234567.50" as "−1,234,567.50". Text in, text out: no digit is lost. */
export function groupDigits(amount: string, language: Language): string {
  const [, sign = '', whole = amount, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const { group, point } = SEPARATORS[language];
  const grouped = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, group);
  return (sign === '' ? '' : '−') + grouped + (fraction === undefined ? '' : point + fraction);
}

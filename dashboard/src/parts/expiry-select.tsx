import { NativeSelect } from '@mantine/core';
import { useWords, words } from '../language.tsx';

const HOUR_MS = 3_600_000;

const LENGTHS = { hour: 1, day: 24, week: 168, month: 720, none: null } as const;
export type Expiry = keyof typeof LENGTHS;
const EXPIRIES = Object.keys(LENGTHS) as readonly Expiry[];

type ExpirySelectProps = {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  /** What follows where it does not expire: "Until it is lifted". */
  readonly none: string;
};

/** For how long something holds. */
export function ExpirySelect({ value, onChange, none }: ExpirySelectProps) {
  const t = useWords(WORDS);
  const labels = { ...t.lengths, none };
  return (
    <NativeSelect
      label={t.label}
      data={EXPIRIES.map((one) => ({ value: one, label: labels[one] }))}
      value={value}
      onChange={(event) => {
        const chosen = EXPIRIES.find((one) => one === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}

/** For the body of a call. */
export function expiryFields(expiry: Expiry): { readonly expiresAt?: string } {
  const hours = LENGTHS[expiry];
  return hours === null ? {} : { expiresAt: new Date(Date.now() + hours * HOUR_MS).toISOString() };
}

const WORDS = words({
  en: {
    label: 'Expires',
    lengths: { hour: 'In 1 hour', day: 'In 24 hours', week: 'In 7 days', month: 'In 30 days' },
  },
  fr: {
    label: 'Expiration',
    lengths: { hour: 'Dans 1 heure', day: 'Dans 24 heures', week: 'Dans 7 jours', month: 'Dans 30 jours' },
  },
});

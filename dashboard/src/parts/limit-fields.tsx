import { Group, NativeSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reading } from '../api/queries.ts';
import { useWords, words } from '../language.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from './kind-words.ts';
import {
  LIMIT_PERIODS,
  LIMIT_SCOPES,
  LIMIT_SCOPE_WORDS,
  PERIOD_WORDS,
  type LimitKey,
} from './limit-words.ts';
import { useCatalogue, useNames } from './names.tsx';

type LimitFieldsProps = {
  readonly merchantId: string;
  readonly value: LimitKey;
  readonly onChange: (key: LimitKey) => void;
};

/** What a new limit counts. */
export function LimitFields({ merchantId, value, onChange }: LimitFieldsProps) {
  const t = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const periods = useWords(PERIOD_WORDS);
  const scopes = useWords(LIMIT_SCOPE_WORDS);
  const { data } = useCatalogue();
  const currencies = [...new Set(data?.providers.flatMap((one) => one.currencies))].toSorted();
  const change = (part: Partial<LimitKey>) => onChange({ ...value, ...part });
  return (
    <>
      <Group grow align="flex-start">
        <NativeSelect
          label={t.kind}
          data={PAYMENT_KINDS.map((one) => ({ value: one, label: kinds[one] }))}
          value={value.kind}
          onChange={({ currentTarget }) =>
            change({ kind: chosenOf(PAYMENT_KINDS, currentTarget.value) ?? value.kind })
          }
        />
        <NativeSelect
          label={t.period}
          data={LIMIT_PERIODS.map((one) => ({ value: one, label: periods[one] }))}
          value={value.period}
          onChange={({ currentTarget }) =>
            change({ period: chosenOf(LIMIT_PERIODS, currentTarget.value) ?? value.period })
          }
        />
      </Group>
      <NativeSelect
        label={t.scope}
        data={LIMIT_SCOPES.map((one) => ({ value: one, label: scopes[one] }))}
        value={value.scope}
        onChange={({ currentTarget }) =>
          change({ scope: chosenOf(LIMIT_SCOPES, currentTarget.value) ?? value.scope, subject: '' })
        }
      />
      <SubjectField merchantId={merchantId} value={value} onChange={(subject) => change({ subject })} />
      <NativeSelect
        label={t.currency}
        data={[{ value: '', label: t.anyCurrency }, ...currencies]}
        value={value.currency}
        onChange={(event) => change({ currency: event.currentTarget.value })}
      />
    </>
  );
}

function chosenOf<One extends string>(all: readonly One[], text: string): One | undefined {
  return all.find((one) => one === text);
}

type SubjectFieldProps = {
  readonly merchantId: string;
  readonly value: LimitKey;
  readonly onChange: (subject: string) => void;
};

/** One token, provider or country instead of each. */
function SubjectField({ merchantId, value: { scope, subject }, onChange }: SubjectFieldProps) {
  const t = useWords(WORDS);
  const subjects = useSubjects(merchantId, scope);
  if (scope === 'MERCHANT' || scope === 'NUMBER') return null;
  return (
    <Select
      label={t.only}
      placeholder={t.each}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.clear }}
      data={[...subjects]}
      value={subject === '' ? null : subject}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

function useSubjects(merchantId: string, scope: LimitKey['scope']) {
  const names = useNames();
  const { data: catalogue } = useCatalogue();
  const { data: known } = useQuery({
    ...reading('/console/api/merchants/{merchantId}/tokens', { params: { path: { merchantId } } }),
    enabled: scope === 'TOKEN',
  });
  if (scope === 'TOKEN')
    return (known?.tokens ?? []).map(({ tokenId, name }) => ({
      value: tokenId,
      label: `${name} (${tokenId})`,
    }));
  if (scope === 'PROVIDER')
    return (catalogue?.providers ?? []).map(({ provider }) => ({
      value: provider,
      label: names.provider(provider),
    }));
  return (catalogue?.countries ?? []).map(({ country }) => ({
    value: country,
    label: names.country(country),
  }));
}

const WORDS = words({
  en: {
    kind: 'Payments',
    period: 'Period (UTC)',
    scope: 'Counted for',
    only: 'Only for',
    each: 'Each of them',
    clear: 'Each of them',
    currency: 'Currency',
    anyCurrency: 'Any (count only)',
  },
  fr: {
    kind: 'Paiements',
    period: 'Période (UTC)',
    scope: 'Compté pour',
    only: 'Seulement pour',
    each: 'Chacun',
    clear: 'Chacun',
    currency: 'Devise',
    anyCurrency: 'Toutes (nombre seulement)',
  },
});

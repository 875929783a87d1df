import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { EVIDENCE_WORDS } from '../../parts/case-words.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { formatDuration } from '../../parts/duration.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNames } from '../../parts/names.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { CHECK_WORDS, checksOf, type Check } from './checks.ts';

export type Monitor = AnswerOf<'readHealth'>['monitors'][number];

type CheckTableProps = { readonly label: string; readonly samples: Monitor['samples'] };

/** What monitors measured, a line for each thing: how many, and since when. */
export function CheckTable({ label, samples }: CheckTableProps) {
  const t = useWords(WORDS);
  const names: Readonly<Record<string, string>> = useWords(CHECK_WORDS);
  const subjectOf = useSubjects();
  const { language } = useLanguage();
  const columns = useMemo(
    (): readonly Column<Check>[] => [
      {
        id: 'check',
        header: t.check,
        isHeading: true,
        cell: ({ metric }) => (
          <Stack gap={0}>
            <span>{names[metric] ?? metric}</span>
            <Text
              component="span"
              size="xs"
              c="dimmed"
              fw={400}
              ff="monospace"
              style={{ overflowWrap: 'anywhere' }}
            >
              {metric}
            </Text>
          </Stack>
        ),
      },
      { id: 'where', header: t.where, onPhone: 'plain', cell: subjectOf },
      {
        id: 'value',
        header: t.value,
        align: 'end',
        onPhone: 'end',
        cell: (check) => (
          <Stack gap={2} align="flex-end" className="figures">
            <span>{valueOf(check, language)}</span>
            {check.seconds !== null && check.seconds > 0 && (
              <Text component="span" size="xs" c="dimmed">
                {t[check.metric.endsWith('_amount') ? 'unsettled' : 'oldest'](
                  formatDuration(Math.round(check.seconds), language),
                )}
              </Text>
            )}
            {check.isWrong && (
              <StateBadge state="WRONG" tone="failure">
                {t.expected}
              </StateBadge>
            )}
          </Stack>
        ),
      },
    ],
    [t, names, subjectOf, language],
  );
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={checksOf(samples)}
      rowKey={({ metric, labels }) => [metric, ...Object.values(labels)].join()}
      empty={<EmptyState icon="health" title={t.none} />}
    />
  );
}

/** Labels as people know them: "Deposits · MTN Rwanda". */
function useSubjects(): (check: Check) => string {
  const { language } = useLanguage();
  const kinds: Readonly<Record<string, string>> = useWords(KIND_WORDS);
  const evidences = useWords(EVIDENCE_WORDS);
  const names = useNames();
  return useMemo(() => {
    const texts: Readonly<Record<string, string>> = LABEL_WORDS[language];
    return ({ labels }) =>
      Object.entries(labels)
        // A provider's name has its country.
        .filter(([name]) => name !== 'country' || labels['provider'] === undefined)
        .map(([name, value]) =>
          name === 'provider'
            ? names.provider(value)
            : (kinds[value] ?? evidences[value] ?? texts[value] ?? value),
        )
        .join(' · ');
  }, [kinds, evidences, names, language]);
}

const KB = 1_024;

function valueOf({ metric, value }: Check, language: 'en' | 'fr'): string {
  if (metric === 'malipo_database_bytes') {
    const megabytes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value / KB / KB);
    return `${megabytes} ${language === 'fr' ? 'Mo' : 'MB'}`;
  }
  if (metric.endsWith('_seconds')) return formatDuration(value, language);
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
}

const LABEL_WORDS = words({
  en: {
    SUBMIT: 'Send to operator',
    ENQUIRE: 'Check status',
    HIT: 'In memory',
    READ: 'Read',
    IN: 'In',
    OUT: 'Out',
  },
  fr: {
    SUBMIT: 'Envoyer à l’opérateur',
    ENQUIRE: 'Vérifier le statut',
    HIT: 'En mémoire',
    READ: 'Lus',
    IN: 'Entrées',
    OUT: 'Sorties',
  },
});

const WORDS = words({
  en: {
    check: 'Check',
    where: 'Subject',
    value: 'Value',
    oldest: (duration: string) => `Oldest: ${duration}`,
    unsettled: (duration: string) => `Unsettled for ${duration}`,
    expected: 'Expected: 0',
    none: 'No data yet',
  },
  fr: {
    check: 'Contrôle',
    where: 'Sujet',
    value: 'Valeur',
    oldest: (duration: string) => `Le plus ancien : ${duration}`,
    unsettled: (duration: string) => `Non soldé depuis ${duration}`,
    expected: 'Attendu : 0',
    none: 'Pas encore de données',
  },
});

import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import type { AccountName } from './days.tsx';
import { MappingButton } from './mapping-form.tsx';
import { COLUMNS } from './mapping-choices.ts';
import { MAPPING_WORDS, type Source } from './mapping-words.ts';

type StoredMapping = AnswerOf<'listReportMappings'>['rows'][number];

const SOURCES = ['OPERATOR', 'BANK'] as const;

/** How the operator's and the bank's files of an account are read. */
export function Mappings({ account }: { readonly account: AccountName }) {
  const mappings = useQuery(
    reading('/console/api/host/daily-closes/{provider}/{currency}/mappings', { params: { path: account } }),
  );
  return (
    <Loaded query={mappings} skeleton={<Skeleton height={240} />}>
      {({ rows }) => (
        <Stack gap="lg">
          {SOURCES.map((source) => (
            <Mapping
              key={source}
              account={account}
              source={source}
              stored={rows.find((one) => one.source === source) ?? null}
            />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

type MappingProps = {
  readonly account: AccountName;
  readonly source: Source;
  /** Null: our own columns. */
  readonly stored: StoredMapping | null;
};

function Mapping({ account, source, stored }: MappingProps) {
  const t = useWords(WORDS);
  const { may } = useHost();
  return (
    <Section
      title={t[source]}
      hint={stored === null ? t.own : t.mapped}
      actions={may('money:move') && <Actions account={account} source={source} stored={stored} />}
    >
      {stored !== null && <Shown source={source} stored={stored} />}
    </Section>
  );
}

function Actions({ account, source, stored }: MappingProps) {
  const t = useWords(WORDS);
  const reset = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/daily-closes/{provider}/{currency}/mappings/{source}', {
          params: { path: { ...account, source } },
          body: { mapping: null },
        }),
      ),
    done: t.isReset,
  });
  return (
    <>
      <MappingButton account={account} source={source} mapping={stored?.mapping ?? null} />
      {stored !== null && (
        <ConfirmButton
          label={t.reset}
          size="sm"
          question={t.resetQuestion}
          isPending={reset.isPending}
          onConfirm={() => reset.mutateAsync(undefined)}
        />
      )}
    </>
  );
}

function Shown({ source, stored }: { readonly source: Source; readonly stored: StoredMapping }) {
  const t = useWords(WORDS);
  const m = useWords(MAPPING_WORDS);
  const { columns, timeForm, decimalMark, words: meanings } = stored.mapping;
  return (
    <Stack gap="xs">
      <FieldList
        fields={[
          ...COLUMNS[source].map((column) => ({
            label: m.columns[column],
            value: columns[column] ?? null,
          })),
          { label: m.timeForm, value: m.timeForms[timeForm] },
          { label: m.decimalMark, value: m.decimalMarks[decimalMark] },
          ...meanings.map(({ column, word, means }) => ({
            label: `${m.columns[column]}: “${word}”`,
            value: m.meanings[means] ?? means,
          })),
        ]}
      />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.setBy(stored.setBy)} <Time at={stored.setAt} isExact />
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.authors(stored.authors.join(', '))}
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: {
    OPERATOR: 'Operator report',
    BANK: 'Bank file',
    own: 'Files must have our own columns, as the documentation describes them. Or enter theirs.',
    mapped: 'Files of this account are read with these columns.',
    setBy: (by: string) => `Last set by ${by}`,
    authors: (names: string) =>
      `These values are by ${names}. Somebody else must approve what the files do. If nobody is left, use our own ` +
      'columns, and let one person enter all of them again.',
    reset: 'Use our own columns',
    resetQuestion: 'The next file must have our own columns. Files that were imported stay as they are.',
    isReset: 'Our own columns are used from now on.',
  },
  fr: {
    OPERATOR: 'Relevé de l’opérateur',
    BANK: 'Fichier de la banque',
    own: 'Les fichiers doivent avoir nos colonnes, décrites dans la documentation. Ou saisissez les leurs.',
    mapped: 'Les fichiers de ce compte sont lus avec ces colonnes.',
    setBy: (by: string) => `Défini en dernier par ${by}`,
    authors: (names: string) =>
      `Ces valeurs viennent de ${names}. Une autre personne doit approuver l’effet des fichiers. S’il n’en reste ` +
      'aucune, revenez à nos colonnes, puis une seule personne les saisit toutes de nouveau.',
    reset: 'Utiliser nos colonnes',
    resetQuestion: 'Le prochain fichier devra avoir nos colonnes. Les fichiers importés restent tels quels.',
    isReset: 'Nos colonnes sont utilisées désormais.',
  },
});

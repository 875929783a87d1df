import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useLineColumns } from '../../parts/proposed-lines.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';

type Refused = AnswerOf<'readRefusedReport'>;
type Example = Refused['rows'][number];

/** Why a report has no effect: lines that differ beside our payments, and what people can do. */
export function RefusedReport({
  reportId,
  fileName,
}: {
  readonly reportId: string;
  readonly fileName: string;
}) {
  const t = useWords(WORDS);
  const refused = useQuery(
    reading('/console/api/host/operator-reports/{reportId}/reading', { params: { path: { reportId } } }),
  );
  return (
    <Alert variant="default" icon={<Icon name="trouble" />} title={t.title(fileName)}>
      <Loaded query={refused} skeleton={null}>
        {(data) => <Reading reportId={reportId} refused={data} />}
      </Loaded>
    </Alert>
  );
}

function Reading({ reportId, refused }: { readonly reportId: string; readonly refused: Refused }) {
  const t = useWords(WORDS);
  const { may } = useHost();
  const { knownCount, differingCount, rows, status } = refused;
  return (
    <Stack gap="sm">
      <Text size="sm">{t.differs(differingCount, knownCount)}</Text>
      <DataTable
        label={t.examples}
        columns={useColumns()}
        rows={rows}
        rowKey={({ lineNo }) => String(lineNo)}
        empty={null}
      />
      <Text size="sm">{t.advice[status]}</Text>
      {status === 'REFUSED' && may('money:move') && (
        <Group>
          <AcceptButton reportId={reportId} />
        </Group>
      )}
    </Stack>
  );
}

function AcceptButton({ reportId }: { readonly reportId: string }) {
  const t = useWords(WORDS);
  const accept = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/operator-reports/{reportId}/reading', {
          params: { path: { reportId } },
          body: { reason },
        }),
      ),
    done: t.requested,
  });
  return (
    <ReasonButton
      label={t.accept}
      isPending={accept.isPending}
      isDangerous
      onConfirm={(reason) => accept.mutateAsync(reason)}
    >
      {t.acceptQuestion}
    </ReasonButton>
  );
}

function useColumns(): readonly Column<Example>[] {
  const t = useWords(WORDS);
  const lineColumns = useLineColumns();
  return useMemo(
    () => [
      { id: 'lineNo', header: t.no, isHeading: true, cell: ({ lineNo }) => t.lineNo(lineNo) },
      ...lineColumns,
    ],
    [t, lineColumns],
  );
}

const WORDS = words({
  en: {
    title: (file: string) => `${file} was probably read wrongly`,
    differs: (differing: number, known: number) =>
      `${differing} of the ${known} lines about known payments differ from the books. The file has no effect.`,
    examples: 'Lines that differ',
    no: 'No.',
    lineNo: (line: number) => `Line ${line}`,
    advice: {
      REFUSED:
        'Correct the columns below and upload the file again. If the lines are right, ask to import it all the same.',
      REQUESTED: 'To import it all the same is pending approval.',
      ACCEPTED: 'Two people accepted these lines. Upload the file again.',
    },
    accept: 'Import all the same',
    acceptQuestion:
      'Another person, who did not set the columns, must approve. Then upload the file again. What its lines do is ' +
      'approved separately.',
    requested: 'Requested. Another person must approve.',
  },
  fr: {
    title: (file: string) => `${file} a sans doute été mal lu`,
    differs: (differing: number, known: number) =>
      `${differing} des ${known} lignes sur des paiements connus diffèrent des comptes. Le fichier est sans effet.`,
    examples: 'Lignes qui diffèrent',
    no: 'N°',
    lineNo: (line: number) => `Ligne ${line}`,
    advice: {
      REFUSED:
        'Corrigez les colonnes ci-dessous et importez de nouveau le fichier. Si les lignes sont justes, demandez à ' +
        'l’importer malgré tout.',
      REQUESTED: 'L’import malgré tout attend une approbation.',
      ACCEPTED: 'Deux personnes ont accepté ces lignes. Importez de nouveau le fichier.',
    },
    accept: 'Importer malgré tout',
    acceptQuestion:
      'Une autre personne, qui n’a pas défini les colonnes, doit approuver. Importez ensuite de nouveau le fichier. ' +
      'L’effet de ses lignes est approuvé séparément.',
    requested: 'Demandé. Une autre personne doit approuver.',
  },
});

import { Group, List, Text } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import type { Close } from './day-screen.tsx';
import { VoidFileButton } from './void-file.tsx';

type File = Close['files'][number];

/** The files of a day, those that were voided since it was signed, and what it takes back of others. */
export function DayFiles({ close }: { readonly close: Close }) {
  const t = useWords(WORDS);
  const { files, takenBack, cameSince, currency } = close;
  return (
    <>
      <Section title={t.files}>
        {files.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t.noFiles}
          </Text>
        ) : (
          <List size="sm" spacing="xs">
            {files.map((file) => (
              <List.Item key={file.fileId} style={{ overflowWrap: 'anywhere' }}>
                <FileLine file={file} />
              </List.Item>
            ))}
          </List>
        )}
      </Section>
      {cameSince.length > 0 && (
        <Section title={t.cameSince} hint={close.status === 'CLOSED' ? t.sinceSigned : t.sinceRequested}>
          <List size="sm" spacing="xs">
            {cameSince.map((one) => (
              <List.Item key={`${one.fileHash} ${one.importedAt}`} style={{ overflowWrap: 'anywhere' }}>
                {one.fileName ?? t[one.source]}, <Time at={one.importedAt} isExact />,{' '}
                {t.lines(one.lineCount)}, <Money amount={one.amount} currency={currency} />
                {one.faultCount > 0 && `, ${t.unreadable(one.faultCount)}`}. SHA-256{' '}
                <span className="code">{one.fileHash}</span>
              </List.Item>
            ))}
          </List>
        </Section>
      )}
      {takenBack.length > 0 && (
        <Section title={t.takenBack} hint={t.takenBackHint}>
          <List size="sm" spacing="xs">
            {takenBack.map((one) => (
              <List.Item key={`${one.fileHash} ${one.voidedAt}`} style={{ overflowWrap: 'anywhere' }}>
                {one.fileName ?? t[one.source]}, {t.lines(one.lineCount)},{' '}
                <Money amount={one.amount} currency={currency} />. {t.voided(one.voidedBy ?? '')}{' '}
                <Time at={one.voidedAt} isExact />. SHA-256 <span className="code">{one.fileHash}</span>
              </List.Item>
            ))}
          </List>
        </Section>
      )}
    </>
  );
}

function FileLine({ file }: { readonly file: File }) {
  const t = useWords(WORDS);
  const { fileId, source, fileName, fileHash, importedAt, faultCount, voidedAt, voidedBy } = file;
  return (
    <>
      {t[source]}, <Time at={importedAt} isExact />, SHA-256 <span className="code">{fileHash}</span>
      {faultCount > 0 && `, ${t.unreadable(faultCount)}`}
      {voidedAt === null ? (
        <Group mt={4}>
          <VoidFileButton fileId={fileId} name={fileName ?? t[source]} />
        </Group>
      ) : (
        <Text size="sm" fw={600}>
          {t.voidedSince(voidedBy ?? '')} <Time at={voidedAt} isExact />
        </Text>
      )}
    </>
  );
}

const WORDS = words({
  en: {
    files: 'Files of this day',
    noFiles: 'No file was imported for this day.',
    OPERATOR: 'Operator report',
    BANK: 'Bank file',
    unreadable: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'} not read`,
    voidedSince: (by: string) => `Counted by this signed day, and voided since. Approved by ${by}`,
    cameSince: 'Came since',
    sinceRequested:
      'Lines for this day or earlier that came after the signature was requested. They do not keep it from being ' +
      'approved: the next day counts them.',
    sinceSigned:
      'Lines for this day or earlier that came after the signature was requested. The next day counts them; to have ' +
      'them in this one, reopen it.',
    takenBack: 'Taken back in this day',
    takenBackHint: 'Lines that a signed day counted, of files that were voided since.',
    lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
    voided: (by: string) => `Voided, approved by ${by}`,
  },
  fr: {
    files: 'Fichiers de cette journée',
    noFiles: 'Aucun fichier n’a été importé pour cette journée.',
    OPERATOR: 'Relevé de l’opérateur',
    BANK: 'Fichier de la banque',
    unreadable: (count: number) => `${count} ${count < 2 ? 'ligne illisible' : 'lignes illisibles'}`,
    voidedSince: (by: string) => `Compté par cette journée signée, et annulé depuis. Approuvé par ${by}`,
    cameSince: 'Arrivé depuis',
    sinceRequested:
      'Lignes de cette journée ou d’avant, arrivées après la demande de signature. Elles n’empêchent pas de ' +
      'l’approuver : la journée suivante les compte.',
    sinceSigned:
      'Lignes de cette journée ou d’avant, arrivées après la demande de signature. La journée suivante les compte ; ' +
      'pour les avoir dans celle-ci, rouvrez-la.',
    takenBack: 'Repris dans cette journée',
    takenBackHint: 'Lignes qu’une journée signée a comptées, de fichiers annulés depuis.',
    lines: (count: number) => (count < 2 ? `${count} ligne` : `${count} lignes`),
    voided: (by: string) => `Annulé, approuvé par ${by}`,
  },
});

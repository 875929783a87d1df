import { Alert, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ApprovalActs } from '../../parts/approval-acts.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Time } from '../../parts/time.tsx';
import { OBSTACLE_WORDS } from './close-words.ts';
import type { Close } from './day-screen.tsx';

type SignProps = { readonly close: Close };

/** The first signature, what the second approver decides, or both signatures. */
export function SignDay({ close }: SignProps) {
  const t = useWords(WORDS);
  const { may } = useHost();
  const { status, approval, note, obstacles, passableObstacles, reopening } = close;
  const isSignable = obstacles.length === passableObstacles.length;
  const decision = approval?.decision ?? null;
  return (
    <Section title={t.title} hint={t.hint}>
      {approval !== null && status !== 'OPEN' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.requestedBy(approval.requestedBy)} <Time at={approval.requestedAt} isExact />
        </Text>
      )}
      {decision !== null && status === 'CLOSED' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.approvedBy(decision.by)} <Time at={decision.at} isExact />
        </Text>
      )}
      {note !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.note} {note}
        </Text>
      )}
      {reopening !== null && (
        <Stack gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t.reopening(reopening.requestedBy)} {reopening.details['note']}
          </Text>
          <ApprovalActs approval={reopening} />
        </Stack>
      )}
      {status === 'CLOSED' && close.isLastSigned && reopening === null && may('money:move') && (
        <Group>
          <ReopenButton close={close} />
        </Group>
      )}
      {close.isChanged && (
        <Alert variant="default" icon={<Icon name="trouble" />}>
          {t.changed}
        </Alert>
      )}
      {status === 'REQUESTED' && approval !== null && <ApprovalActs approval={approval} />}
      {status === 'OPEN' && (
        <Group>
          {may('money:move') && isSignable ? (
            <SignButton close={close} />
          ) : (
            <Text size="sm" c="dimmed">
              {t.unsigned}
            </Text>
          )}
        </Group>
      )}
    </Section>
  );
}

function SignButton({ close }: SignProps) {
  const t = useWords(WORDS);
  const [note, setNote] = useState('');
  const { provider, currency, day, contentHash, needsNote, passableObstacles: despite } = close;
  const obstacles = useWords(OBSTACLE_WORDS);
  const sign = useAct({
    act: () => {
      const written = note.trim();
      return answer(
        api.POST('/console/api/host/daily-closes/{provider}/{currency}/days/{day}/sign', {
          params: { path: { provider, currency, day } },
          body: { contentHash, despite, ...(written === '' ? {} : { note: written }) },
        }),
      );
    },
    done: t.requested,
  });
  return (
    <ConfirmButton
      label={t.sign}
      variant="filled"
      size="sm"
      isDangerous={false}
      isPending={sign.isPending}
      onConfirm={() => sign.mutateAsync(undefined)}
      question={
        <Stack>
          <Text size="sm">{needsNote ? t.differs : t.agrees}</Text>
          {despite.map((obstacle) => (
            <Text key={obstacle} size="sm">
              {obstacles[obstacle]}
            </Text>
          ))}
          <Textarea
            label={t.noteLabel}
            required={needsNote}
            minLength={3}
            maxLength={500}
            autosize
            minRows={2}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </Stack>
      }
    />
  );
}

/** Only the last signed day: the days after it depend on it. */
function ReopenButton({ close: { provider, currency, day } }: SignProps) {
  const t = useWords(WORDS);
  const reopen = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/daily-closes/{provider}/{currency}/days/{day}/reopen', {
          params: { path: { provider, currency, day } },
          body: { reason },
        }),
      ),
    done: t.reopenRequested,
  });
  return (
    <ReasonButton
      label={t.reopen}
      isPending={reopen.isPending}
      onConfirm={(reason) => reopen.mutateAsync(reason)}
    >
      {t.reopenQuestion}
    </ReasonButton>
  );
}

export function ExportDayButton({ close: { provider, currency, day } }: SignProps) {
  const t = useWords(WORDS);
  const save = useAct({
    act: (): Promise<string> =>
      answer(
        api.POST('/console/api/host/daily-closes/{provider}/{currency}/days/{day}/export', {
          params: { path: { provider, currency, day } },
          parseAs: 'text',
        }),
      ),
    onDone: (text) => saveFile({ name: `${provider}-${currency}-${day}.csv`, text }),
  });
  return (
    <ConfirmButton
      label={t.export}
      size="sm"
      question={t.exportHint}
      isDangerous={false}
      isPending={save.isPending}
      onConfirm={() => save.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    title: 'Signatures',
    hint:
      'One person signs, another approves exactly that. What is signed never changes; two people can reopen ' +
      'the day.',
    requestedBy: (by: string) => `Signed by ${by}`,
    approvedBy: (by: string) => `Approved by ${by}`,
    note: 'Note:',
    changed:
      'What this request counts has changed since: one of its files was voided, or its lines or our books are no ' +
      'longer the same. It cannot be approved. Reject it and sign the day again.',
    unsigned: 'Not signed yet.',
    sign: 'Sign this day',
    agrees: 'You confirm that books, report and bank agree. Another person must approve.',
    differs:
      'There are differences or unreadable lines. Say in a note why the day is signed. Another person must approve.',
    noteLabel: 'Note',
    requested: 'Signed. Another person must approve.',
    reopen: 'Reopen this day',
    reopenQuestion:
      'The signature is taken back and stays in the record. The lines of the day are open again, and it must be ' +
      'signed before later days. Another person must approve.',
    reopenRequested: 'Requested. Another person must approve.',
    reopening: (by: string) => `${by} asks to reopen this day:`,
    export: 'Export CSV',
    exportHint:
      'Downloads every figure, difference, movement and line, and the signatures. This is recorded in the audit log.',
  },
  fr: {
    title: 'Signatures',
    hint:
      'Une personne signe, une autre approuve exactement cela. Ce qui est signé ne change plus ; deux personnes ' +
      'peuvent rouvrir la journée.',
    requestedBy: (by: string) => `Signée par ${by}`,
    approvedBy: (by: string) => `Approuvée par ${by}`,
    note: 'Note :',
    changed:
      'Ce que cette demande compte a changé depuis : un de ses fichiers a été annulé, ou ses lignes ou nos comptes ' +
      'ne sont plus les mêmes. Elle ne peut pas être approuvée. Rejetez-la et signez de nouveau la journée.',
    unsigned: 'Pas encore signée.',
    sign: 'Signer cette journée',
    agrees: 'Vous confirmez que comptes, relevé et banque concordent. Une autre personne doit approuver.',
    differs:
      'Il y a des écarts ou des lignes illisibles. Dites dans une note pourquoi la journée est signée. ' +
      'Une autre personne approuve.',
    noteLabel: 'Note',
    requested: 'Signée. Une autre personne doit approuver.',
    reopen: 'Rouvrir cette journée',
    reopenQuestion:
      'La signature est retirée et reste consignée. Les lignes de la journée sont de nouveau ouvertes, et elle doit ' +
      'être signée avant les suivantes. Une autre personne doit approuver.',
    reopenRequested: 'Demandé. Une autre personne doit approuver.',
    reopening: (by: string) => `${by} demande à rouvrir cette journée :`,
    export: 'Exporter en CSV',
    exportHint:
      'Télécharge chaque chiffre, écart, mouvement et ligne, et les signatures. C’est inscrit au journal d’audit.',
  },
});

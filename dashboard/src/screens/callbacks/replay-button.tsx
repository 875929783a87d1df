import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { KINDS, KIND_WORDS, type Kind } from '../../parts/kind-words.ts';
import { clockIn, dayIn, momentIn, useTimeZone, zoneName } from '../../parts/time-zone.ts';

const STATUSES = ['ABANDONED', 'MISSING', 'DELIVERED'] as const;
type Status = (typeof STATUSES)[number];

const HOUR_MS = 3_600_000;

/** Sends the callbacks of a period again. */
export function ReplayButton() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const timeZone = useTimeZone();
  const [from, setFrom] = useState(() => shownIn(timeZone, new Date(Date.now() - HOUR_MS)));
  const [to, setTo] = useState(() => shownIn(timeZone, new Date()));
  const [statuses, setStatuses] = useState<readonly Status[]>(['ABANDONED', 'MISSING']);
  const [kinds, setKinds] = useState<readonly Kind[]>(KINDS);
  const replay = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/callbacks/replay', {
          params: { path: { merchantId } },
          body: {
            from: momentIn(timeZone, from.day, from.time).toISOString(),
            to: momentIn(timeZone, to.day, to.time).toISOString(),
            statuses: [...statuses],
            kinds: [...kinds],
          },
        }),
      ),
    onDone: ({ count }) => notifications.show({ message: said.done(count), color: 'teal' }),
  });
  return (
    <ConfirmButton
      label={said.replay}
      size="sm"
      isDangerous={false}
      isPending={replay.isPending}
      onConfirm={() => replay.mutateAsync()}
      question={
        <Stack>
          <Text size="sm">
            {said.hint} {said.zone(zoneName(timeZone))}
          </Text>
          <MomentFields day={said.from} time={said.fromTime} shown={from} onChange={setFrom} />
          <MomentFields day={said.to} time={said.toTime} shown={to} onChange={setTo} />
          <Choice
            all={STATUSES}
            label={said.which}
            wordsOf={said.statuses}
            chosen={statuses}
            onChoose={setStatuses}
          />
          <Choice
            all={KINDS}
            label={said.kinds}
            wordsOf={useWords(KIND_WORDS)}
            chosen={kinds}
            onChoose={setKinds}
          />
        </Stack>
      }
    />
  );
}

type ChoiceProps<Word extends string> = {
  readonly all: readonly Word[];
  readonly label: string;
  readonly wordsOf: Readonly<Record<Word, string>>;
  readonly chosen: readonly Word[];
  readonly onChoose: (chosen: readonly Word[]) => void;
};

function Choice<Word extends string>({ all, label, wordsOf, chosen, onChoose }: ChoiceProps<Word>) {
  return (
    <Checkbox.Group
      label={label}
      value={[...chosen]}
      onChange={(values) => onChoose(all.filter((word) => values.includes(word)))}
    >
      <Stack gap={6} mt={4}>
        {all.map((word) => (
          <Checkbox key={word} value={word} label={wordsOf[word]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** A day and a time, as the clocks of a zone show them. */
type Shown = { readonly day: string; readonly time: string };

function shownIn(timeZone: string, time: Date): Shown {
  return { day: dayIn(timeZone, time), time: clockIn(timeZone, time) };
}

type MomentFieldsProps = {
  readonly day: string;
  readonly time: string;
  readonly shown: Shown;
  readonly onChange: (shown: Shown) => void;
};

function MomentFields({ day, time, shown, onChange }: MomentFieldsProps) {
  const said = useWords(WORDS);
  const [typed, setTyped] = useState(shown.time);
  const isRight = TIME.test(typed);
  return (
    <Group gap="xs" grow align="flex-start">
      <DayField
        label={day}
        value={shown.day}
        onChange={(chosen) => {
          if (chosen !== '') onChange({ ...shown, day: chosen });
        }}
      />
      <TextInput
        label={time}
        inputMode="numeric"
        value={typed}
        error={isRight ? null : said.wrongTime}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          if (TIME.test(value)) onChange({ ...shown, time: value });
        }}
      />
    </Group>
  );
}

const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

const WORDS = words({
  en: {
    replay: 'Resend callbacks',
    hint:
      'Sends callbacks (webhooks) again for payments that finished in this period (max. 31 days). Each keeps its ' +
      'event ID, so you can ignore duplicates.',
    zone: (zone: string) => `Times are those of ${zone}.`,
    from: 'From',
    fromTime: 'From, time',
    to: 'To',
    toTime: 'To, time',
    wrongTime: 'Enter a time such as 14:30.',
    which: 'Delivery status',
    statuses: {
      ABANDONED: 'Failed',
      MISSING: 'Not sent (no endpoint set)',
      DELIVERED: 'Already delivered',
    },
    kinds: 'Event types',
    done: (count: number) =>
      count === 0
        ? 'No callbacks to resend.'
        : count === 1
          ? '1 callback queued.'
          : `${count} callbacks queued.`,
  },
  fr: {
    replay: 'Renvoyer les callbacks',
    hint:
      'Renvoie les callbacks (webhooks) des paiements terminés dans cette période (31 jours au plus). Chacun garde ' +
      'son identifiant d’événement : les doublons peuvent être ignorés.',
    zone: (zone: string) => `Heures de ${zone}.`,
    from: 'Du',
    fromTime: 'Du, heure',
    to: 'Au',
    toTime: 'Au, heure',
    wrongTime: 'Saisissez une heure, par exemple 14:30.',
    which: 'Statut de livraison',
    statuses: {
      ABANDONED: 'Échoués',
      MISSING: 'Non envoyés (aucun point d’accès configuré)',
      DELIVERED: 'Déjà livrés',
    },
    kinds: 'Types d’événement',
    done: (count: number) =>
      count === 0
        ? 'Aucun callback à renvoyer.'
        : `${count} callback${count === 1 ? ' mis' : 's mis'} en file d’attente.`,
  },
});

import { Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { KINDS, KIND_WORDS, type Kind } from '../../parts/kind-words.ts';

const STATUSES = ['ABANDONED', 'MISSING', 'DELIVERED'] as const;
type Status = (typeof STATUSES)[number];

const HOUR_MS = 3_600_000;

/** Announces again what ended in a span of time. */
export function ReplayButton() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [from, setFrom] = useState(() => toInput(new Date(Date.now() - HOUR_MS)));
  const [to, setTo] = useState(() => toInput(new Date()));
  const [statuses, setStatuses] = useState<readonly Status[]>(['ABANDONED', 'MISSING']);
  const [kinds, setKinds] = useState<readonly Kind[]>(KINDS);
  const replay = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/callbacks/replay', {
          params: { path: { merchantId } },
          body: {
            from: new Date(from).toISOString(),
            to: new Date(to).toISOString(),
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
          <Text size="sm">{said.hint}</Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
            <TextInput
              type="datetime-local"
              label={said.from}
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              label={said.to}
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
          </SimpleGrid>
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

/** As the field for a time of this machine wants it: minutes, and no zone. */
function toInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const WORDS = words({
  en: {
    replay: 'Replay callbacks',
    hint:
      'Announces the ends of payments again that came to be in this time, 31 days at most. Receivers can tell a ' +
      'repetition by its event.',
    from: 'From',
    to: 'Until',
    which: 'Which ones',
    statuses: {
      ABANDONED: 'Tried in vain',
      MISSING: 'Never sent: there was no address',
      DELIVERED: 'Acknowledged before',
    },
    kinds: 'About',
    done: (count: number) =>
      count === 0 ? 'There was nothing to send again.' : `${count} callbacks are sent again.`,
  },
  fr: {
    replay: 'Rejouer les notifications',
    hint:
      'Annonce à nouveau la fin des paiements terminés dans cet intervalle, 31 jours au plus. Le destinataire ' +
      'reconnaît une répétition à son événement.',
    from: 'Du',
    to: 'Au',
    which: 'Lesquelles',
    statuses: {
      ABANDONED: 'Tentées en vain',
      MISSING: 'Jamais envoyées : il n’y avait pas d’adresse',
      DELIVERED: 'Déjà confirmées',
    },
    kinds: 'À propos de',
    done: (count: number) =>
      count === 0 ? 'Il n’y avait rien à renvoyer.' : `${count} notifications sont renvoyées.`,
  },
});

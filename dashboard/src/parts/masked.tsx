import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../api/acts.ts';
import { useWords, words } from '../language.tsx';
import { Icon } from './icon.tsx';

type MaskedProps = {
  /** As the API gives it to everybody: "2507•••••89". */
  readonly masked: string;
  /** Asks for the whole value. The API records who asked. Left out where the role does not permit it. */
  readonly reveal?: () => Promise<string>;
};

/** Personal data: hidden until somebody asks for it. */
export function Masked({ masked, reveal }: MaskedProps) {
  const said = useWords(WORDS);
  const [shown, setShown] = useState<string | null>(null);
  const ask = useAct({ act: reveal ?? (() => Promise.resolve(masked)), onDone: setShown });
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
      <Text component="span" inherit className="figures">
        {shown ?? masked}
      </Text>
      {reveal !== undefined && shown === null && (
        <Tooltip label={said.hint}>
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={said.reveal}
            loading={ask.isPending}
            onClick={() => ask.mutate(undefined)}
          >
            <Icon name="eye" sizePx={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

const WORDS = words({
  en: { reveal: 'Show', hint: 'Show. This is recorded in the audit log.' },
  fr: { reveal: 'Afficher', hint: 'Afficher. Enregistré dans le journal d’audit.' },
});

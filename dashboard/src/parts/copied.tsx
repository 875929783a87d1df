import { ActionIcon, CopyButton, Group, Text } from '@mantine/core';
import { useWords, words } from '../language.tsx';
import { Icon } from './icon.tsx';

type CopiedProps = {
  readonly value: string;
  /** Shown instead of the whole value, which is what is copied. */
  readonly short?: string;
};

/** An identifier, a link or a key, with a button that copies it. */
export function Copied({ value, short }: CopiedProps) {
  const said = useWords(WORDS);
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex" maw="100%">
      <Text component="span" ff="monospace" fz="0.92em" title={value} style={{ overflowWrap: 'anywhere' }}>
        {short ?? value}
      </Text>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            size="sm"
            color={copied ? 'green' : 'gray'}
            aria-label={copied ? said.copied : said.copy}
            onClick={copy}
          >
            <Icon name={copied ? 'check' : 'copy'} sizePx={15} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}

const WORDS = words({ en: { copy: 'Copy', copied: 'Copied' }, fr: { copy: 'Copier', copied: 'Copié' } });

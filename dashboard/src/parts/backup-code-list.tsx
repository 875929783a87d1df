import { Code, SimpleGrid, Stack } from '@mantine/core';
import { useWords, words } from '../language.tsx';
import { Copied } from './copied.tsx';

/** The codes that stand in for a lost phone, to be kept. */
export function BackupCodeList({ codes }: { readonly codes: readonly string[] }) {
  const said = useWords(WORDS);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} fz="md">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Copied value={codes.join('\n')} short={said.copyAll} />
    </Stack>
  );
}

const WORDS = words({ en: { copyAll: 'Copy all codes' }, fr: { copyAll: 'Copier tous les codes' } });

import { TextInput } from '@mantine/core';
import { Icon } from './icon.tsx';

type FilterInputProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A field above a list, that narrows it. */
export function FilterInput({ label, value, onChange }: FilterInputProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" sizePx={16} />}
      w="100%"
      maw={360}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Whether one of the texts holds what was typed; accents and capitals do not matter. */
export function fits(typed: string, texts: readonly string[]): boolean {
  const wanted = plain(typed.trim());
  return texts.some((text) => plain(text).includes(wanted));
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

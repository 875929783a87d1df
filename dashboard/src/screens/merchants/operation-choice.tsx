import { Checkbox, Group } from '@mantine/core';
import { useWords } from '../../language.tsx';
import { KIND_WORDS, OPERATIONS, type Operation } from '../../parts/kind-words.ts';

type OperationChoiceProps = {
  readonly label: string;
  readonly chosen: readonly Operation[];
  readonly onChange: (chosen: readonly Operation[]) => void;
  readonly isDisabled?: boolean;
};

export function OperationChoice({ label, chosen, onChange, isDisabled = false }: OperationChoiceProps) {
  const names = useWords(KIND_WORDS);
  return (
    <Checkbox.Group
      label={label}
      value={[...chosen]}
      onChange={(values) => onChange(OPERATIONS.filter((one) => values.includes(one)))}
    >
      <Group mt="xs" gap="md">
        {OPERATIONS.map((operation) => (
          <Checkbox key={operation} value={operation} label={names[operation]} disabled={isDisabled} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

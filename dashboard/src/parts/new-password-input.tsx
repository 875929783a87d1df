import { PasswordInput } from '@mantine/core';
import { useWords, words } from '../language.tsx';

/** As the server asks for it. */
const LENGTH_MIN = 12;

type NewPasswordInputProps = { readonly value: string; readonly onChange: (password: string) => void };

/** Where somebody chooses a password. */
export function NewPasswordInput({ value, onChange }: NewPasswordInputProps) {
  const said = useWords(WORDS);
  return (
    <PasswordInput
      label={said.label}
      description={said.rule}
      autoComplete="new-password"
      required
      minLength={LENGTH_MIN}
      maxLength={128}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const WORDS = words({
  en: {
    label: 'New password',
    rule: `At least ${LENGTH_MIN} characters. A few words in a row are easy to keep in mind.`,
  },
  fr: {
    label: 'Nouveau mot de passe',
    rule: `Au moins ${LENGTH_MIN} caractères. Quelques mots à la suite se retiennent bien.`,
  },
});

import { PasswordInput } from '@mantine/core';
import { useWords, words } from '../language.tsx';

type PasswordFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error?: string | null;
  /** Has the focus from the beginning, on a screen or in a dialog. */
  readonly isFirst?: boolean;
};

/** Where somebody enters the password they have. */
export function PasswordField({ label, value, onChange, error = null, isFirst = false }: PasswordFieldProps) {
  const { toggle } = useWords(WORDS);
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      required
      autoFocus={isFirst}
      data-autofocus={isFirst ? true : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': toggle }}
    />
  );
}

type NewPasswordFieldProps = { readonly value: string; readonly onChange: (password: string) => void };

/** As the server asks for it. */
const LENGTH_MIN = 12;

/** Where somebody chooses a password. */
export function NewPasswordField({ value, onChange }: NewPasswordFieldProps) {
  const said = useWords(WORDS);
  return (
    <PasswordInput
      label={said.newPassword}
      description={said.rule}
      autoComplete="new-password"
      required
      minLength={LENGTH_MIN}
      maxLength={128}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': said.toggle }}
    />
  );
}

const WORDS = words({
  en: {
    toggle: 'Show or hide',
    newPassword: 'New password',
    rule: `At least ${LENGTH_MIN} characters. A few words are easy to remember.`,
  },
  fr: {
    toggle: 'Afficher ou masquer',
    newPassword: 'Nouveau mot de passe',
    rule: `Au moins ${LENGTH_MIN} caractères. Quelques mots sont faciles à retenir.`,
  },
});

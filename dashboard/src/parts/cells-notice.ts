import { notifications } from '@mantine/notifications';
import { words, type Language } from '../language.tsx';

/** Says what was done; where a cell has not confirmed, which one, until the person closes it. */
export function notifyChanged(message: string, missingCells: readonly string[], language: Language): void {
  if (missingCells.length === 0) notifications.show({ message, color: 'teal' });
  else
    notifications.show({
      title: WORDS[language].missing(missingCells.join(', ')),
      message: WORDS[language].again,
      color: 'yellow',
      autoClose: false,
    });
}

const WORDS = words({
  en: {
    missing: (cells: string) => `Not confirmed by cell ${cells}`,
    again: 'Nothing has changed there. Do it again when the cell answers.',
  },
  fr: {
    missing: (cells: string) => `Non confirmé par la cellule ${cells}`,
    again: 'Rien n’y a changé. Recommencez quand la cellule répond.',
  },
});

import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useWords, words } from '../language.tsx';
import { Calendar } from './calendar.tsx';
import { formatDay, parseDay } from './days.ts';
import { Icon } from './icon.tsx';
import { dayIn, useTimeZone } from './time-zone.ts';

type DayFieldProps = {
  readonly label: string;
  /** "2026-11-16", or nothing. */
  readonly value: string;
  /** With a day, or with nothing where the field was emptied. */
  readonly onChange: (day: string) => void;
  readonly min?: string;
  readonly max?: string;
  readonly required?: boolean;
};

/** A day, typed or chosen from a calendar, in the language of the page. */
export function DayField({ label, value, onChange, min, max, required = false }: DayFieldProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const today = dayIn(useTimeZone());
  // What is being typed; null while there is no typing.
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const type = (text: string) => {
    setTyped(text);
    setWrong(false);
    const day = text.trim() === '' ? '' : parseDay(text, language);
    if (day !== null && day !== value) onChange(day);
  };
  const leave = () => {
    if (typed === null) return;
    const isRight = typed.trim() === '' || parseDay(typed, language) !== null;
    setWrong(!isRight);
    if (isRight) setTyped(null);
  };
  const choose = (day: string) => {
    setTyped(null);
    setWrong(false);
    setOpen(false);
    onChange(day);
  };
  return (
    <TextInput
      label={label}
      required={required}
      autoComplete="off"
      placeholder={said.pattern}
      value={typed ?? (value === '' ? '' : formatDay(value, language))}
      error={isWrong ? said.wrong(formatDay(today, language)) : null}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={leave}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={said.choose(label)}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name="calendar" sizePx={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown aria-label={label}>
            <Calendar value={value} today={today} min={min} max={max} onChoose={choose} />
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}

const WORDS = words({
  en: {
    pattern: 'DD/MM/YYYY',
    wrong: (example: string) => `Enter a date such as ${example}.`,
    choose: (label: string) => `Choose a date: ${label}`,
  },
  fr: {
    pattern: 'JJ/MM/AAAA',
    wrong: (example: string) => `Saisissez une date, par exemple ${example}.`,
    choose: (label: string) => `Choisir une date : ${label}`,
  },
});

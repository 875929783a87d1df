// A month of days in the language of the page. The browser's own calendar speaks the language of the browser.
import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useLanguage, useWords, words, type Language } from '../language.tsx';
import style from './calendar.module.css';
import { Icon } from './icon.tsx';
import { addDays } from './time-zone.ts';

type CalendarProps = {
  /** "2026-11-16", or nothing. */
  readonly value: string;
  readonly today: string;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChoose: (day: string) => void;
};

export function Calendar({ value, today, min = '0000', max = '9999', onChoose }: CalendarProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const [focused, setFocused] = useState(value === '' ? today : value);
  const grid = useRef<HTMLTableElement>(null);
  // Keys move the focus with the day; so does opening, for then nothing else in here is wanted.
  useEffect(() => {
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focused]);
  const press = (event: KeyboardEvent) => {
    const next = STEPS[event.key]?.(focused);
    if (next === undefined) return;
    event.preventDefault();
    setFocused(next);
  };
  return (
    <div>
      <div className={style['head']}>
        <Turn label={said.previous} icon="left" onTurn={() => setFocused(addMonths(focused, -1))} />
        <span aria-live="polite">{format(focused, language, { month: 'long', year: 'numeric' })}</span>
        <Turn label={said.next} icon="right" onTurn={() => setFocused(addMonths(focused, 1))} />
      </div>
      <table ref={grid} className={style['days']} onKeyDown={press}>
        <thead>
          <tr>
            {weekOf(focused).map((day) => (
              <th key={day} scope="col">
                <abbr title={format(day, language, { weekday: 'long' })}>
                  {format(day, language, { weekday: 'short' }).replace('.', '')}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(focused).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  {day.slice(0, 7) === focused.slice(0, 7) && (
                    <button
                      type="button"
                      className={style['day']}
                      tabIndex={day === focused ? 0 : -1}
                      disabled={day < min || day > max}
                      aria-label={format(day, language, { dateStyle: 'full' })}
                      aria-pressed={day === value}
                      aria-current={day === today ? 'date' : undefined}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type TurnProps = { readonly label: string; readonly icon: 'left' | 'right'; readonly onTurn: () => void };

function Turn({ label, icon, onTurn }: TurnProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onTurn}>
      <Icon name={icon} sizePx={16} />
    </ActionIcon>
  );
}

const STEPS: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => weekOf(day)[0] ?? day,
  End: (day) => weekOf(day)[6] ?? day,
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

/** The same day of another month, or its last one. */
function addMonths(day: string, count: number): string {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + count + 1, 0);
  const last = first.toISOString().slice(0, 10);
  return last.slice(8) < day.slice(8) ? last : last.slice(0, 8) + day.slice(8);
}

/** From Monday on. */
function weekOf(day: string): readonly string[] {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - weekday));
}

/** Every week with a day of the month. */
function weeksOf(day: string): readonly (readonly string[])[] {
  const month = day.slice(0, 7);
  return Array.from({ length: 6 }, (_, index) => weekOf(addDays(`${month}-01`, index * 7))).filter((week) =>
    week.some((one) => one.startsWith(month)),
  );
}

function format(day: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const locale = language === 'en' ? 'en-GB' : 'fr';
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

const WORDS = words({
  en: { previous: 'Previous month', next: 'Next month' },
  fr: { previous: 'Mois précédent', next: 'Mois suivant' },
});

import { Tooltip } from '@mantine/core';
import { useLanguage } from '../language.tsx';
import { formatDuration } from './duration.ts';
import { useTimeZone } from './time-zone.ts';
import { formatExact } from './time.tsx';

type AgeProps = {
  /** ISO 8601. */
  readonly since: string;
  /** The server's time when it answered: clocks of browsers differ. */
  readonly now: string;
};

/** "1 h 17 min", and since when exactly when pointed at. */
export function Age({ since, now }: AgeProps) {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(since)) / 1_000));
  return (
    <Tooltip
      label={formatExact(new Date(since), language, timeZone)}
      events={{ hover: true, focus: true, touch: true }}
    >
      <time dateTime={since} className="figures" style={{ whiteSpace: 'nowrap' }}>
        {formatDuration(seconds, language)}
      </time>
    </Tooltip>
  );
}

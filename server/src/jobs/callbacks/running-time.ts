// Time between two statements: read from the database with the callbacks that are in hand, and measured from there on
// by a timer that no one sets. What becomes of a callback is written with it, whatever the clock of this process shows.
import { addMs } from '../../domain/time.ts';

/** What the time is, by a clock that showed `time` at this moment. */
export function runningFrom(time: Date): () => Date {
  const since = performance.now();
  return () => addMs(time, Math.floor(performance.now() - since));
}

import type { ProcessTime } from './clock.ts';

/** Later by so much; earlier where it is negative. What the clock of a process shows stays that. */
export function addMs(time: Date, delayMs: number): Date;
export function addMs(time: ProcessTime, delayMs: number): ProcessTime;
export function addMs(time: ProcessTime, delayMs: number): Date {
  return new Date(time.getTime() + delayMs);
}

/** As people read it: "8 s", "1 min 20 s", "1 h 17 min". */
export function renderDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function addMs(time: Date, delayMs: number): Date {
  return new Date(time.getTime() + delayMs);
}

// The memory of another process as Linux counts it: the current value, and the peak since the last reset. Sampling
// cannot miss a peak.
import { readFileSync, writeFileSync } from 'node:fs';

export function residentMb(pid: number): number {
  return read(pid, 'VmRSS');
}

export function peakMb(pid: number): number {
  return read(pid, 'VmHWM');
}

/** Resets the peak to the current value. */
export function restartPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function read(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? NaN) / 1_024;
}

// The memory of another process as Linux counts it: what it has now, and the most it had since it was last asked to
// count again. No sample can miss a peak.
import { readFileSync, writeFileSync } from 'node:fs';

export function residentMb(pid: number): number {
  return read(pid, 'VmRSS');
}

export function peakMb(pid: number): number {
  return read(pid, 'VmHWM');
}

/** From here on the peak is what the process has now, or more. */
export function restartPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function read(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? NaN) / 1_024;
}

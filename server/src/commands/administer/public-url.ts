import type { Engine } from '../../core/engine.ts';
import { UsageError } from '../options.ts';

/** Where people reach this gateway, for a link that is printed. */
export function requireUrl({ publicUrl }: Engine): string {
  if (publicUrl !== null) return publicUrl.replace(/\/$/, '');
  throw new UsageError('MALIPO_PUBLIC_URL is not set. It must be the URL of this gateway for people.');
}

// What every process that a test starts is given: the programs of the machine, and the modules that Node compiled for
// the processes before it, which takes half of a start.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const BASE_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'malipo-compile-cache'),
};

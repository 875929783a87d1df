#!/usr/bin/env node
// `malipo`: the command line of the gateway.
import { COMMANDS } from './commands/commands.ts';
import { run } from './run.ts';
import { openWorld } from './world.ts';

const words = process.argv.slice(2);
const isPlain = words.includes('--no-color') || words.includes('--json');
const meant = words.filter((word) => word !== '--no-color');
process.exitCode = await run(COMMANDS, meant, openWorld({ isPlain }));

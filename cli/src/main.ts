#!/usr/bin/env node
// `malipo`: the command line of the gateway.
import { COMMANDS } from './commands/commands.ts';
import { run } from './run.ts';
import { openWorld } from './world.ts';

process.exitCode = await run(COMMANDS, process.argv.slice(2), openWorld());

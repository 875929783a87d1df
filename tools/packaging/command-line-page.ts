// `npm run generate:command-line-page`: writes docs/reference/command-line.md from the commands. A test keeps the two
// equal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../cli/src/commands/commands.ts';
import { renderReferencePage } from '../../cli/src/reference-page.ts';
import { ROOT } from './published.ts';

writeFileSync(join(ROOT, 'docs/reference/command-line.md'), renderReferencePage(COMMANDS));

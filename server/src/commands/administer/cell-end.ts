// The end of a cell that was drained: its own balances, and until when it must stay in the settings.
import { requestCellEnd, type EndCellAnswer } from '../../core/cells/ending/end-cell.ts';
import { listObstacles, listStays, type Obstacle, type Stay } from '../../core/cells/ending/remains.ts';
import { describeSilence } from '../../core/cells/ask-other-cells.ts';
import type { Engine } from '../../core/engine.ts';
import { gatewayCommand, REQUESTED } from '../command.ts';
import { UsageError, type Options } from '../options.ts';
import { print, refuse } from '../output.ts';

export const cellEndCommands = {
  'cell end': gatewayCommand({
    usage: '--to CELL --by NAME',
    summary: "post the platform's balances of a drained cell to another one, after approval",
    read: (options) => ({ by: options.person(), to: options.text('to') }),
    run: async ({ engine }, { by, to }) => {
      requireOther(engine, to);
      report(await requestCellEnd(engine, { actor: { personId: null, by }, to }));
    },
  }),
  'cell status': gatewayCommand({
    usage: '--to CELL',
    summary: 'what keeps this cell from ending, and until when it must stay in the settings',
    read: (options: Options) => ({ to: options.text('to') }),
    run: async ({ engine }, { to }) => {
      requireOther(engine, to);
      const obstacles = await listObstacles(engine, to);
      for (const obstacle of obstacles) refuse(describeObstacle(obstacle));
      const stays = await listStays(engine);
      for (const stay of stays) print(describeStay(stay));
      if (obstacles.length === 0 && stays.length === 0)
        print('Nothing needs this cell any more. Keep a backup of it for as long as you keep records.');
    },
  }),
};

function requireOther(engine: Engine, to: string): void {
  if (to === engine.home || !engine.cells.includes(to))
    throw new UsageError('--to must name another cell of MALIPO_CELLS.');
}

function report(answer: EndCellAnswer): void {
  switch (answer.type) {
    case 'REQUESTED':
      answer.balances.forEach((balance) => print(balance));
      return print(REQUESTED);
    case 'REQUESTED_BEFORE':
      return refuse('The end of this cell is requested already. Approve or reject that first.');
    case 'ON_THE_WAY':
      return refuse(
        `The balances of this cell left for cell ${answer.to} on ${answer.since.toISOString()} and have not arrived. ` +
          'They go nowhere else. Keep the workers of this cell running, and that cell in MALIPO_CELLS.',
      );
    case 'NOTHING_LEFT':
      return print('All accounts of the platform are at zero here. See: malipo-server cell status.');
    case 'NOT_POSSIBLE':
      return answer.obstacles.forEach((obstacle) => refuse(describeObstacle(obstacle)));
  }
}

const WHAT_TO_DO: Readonly<Record<Extract<Obstacle, { readonly count: number }>['type'], string>> = {
  MERCHANTS: 'merchants are not moved. Run: malipo-server cell drain.',
  cases: 'cases are open. Resolve them in the dashboard.',
  unmatchedPayments:
    'payments of operators are lost here, and no merchant has sent them again. ' +
    'See: malipo-server unmatched-payment list. Two people end each: malipo-server unmatched-payment decide.',
  notifications:
    "operators' notifications are not applied. Workers apply them; dismiss in the dashboard those of no payment.",
  approvals: 'requests are pending. Approve or reject them in the dashboard of this cell.',
  uploads:
    'uploaded files are still imported, or were cut off. Wait, or upload them again in the cell that goes on.',
  reportLines: 'lines of operator reports wait for approval. Approve or reject their reports.',
  followUps: 'holds, callbacks or counts could not be written with their payment. See the logs of workers.',
  conflicts: "operators' transactions wait for their case. Workers open it; see their logs.",
};

function describeObstacle(obstacle: Obstacle): string {
  if ('count' in obstacle) return `${obstacle.count} ${WHAT_TO_DO[obstacle.type]}`;
  switch (obstacle.type) {
    case 'DIRECTORY_CELL':
      return 'This is the first cell of MALIPO_CELLS, which the others need. It cannot end.';
    case 'RECOVERY_OPEN':
      return 'A recovery is open. End it first: malipo-server recovery end.';
    case 'OTHER_ACCOUNT':
      return (
        `The other cell is at ${obstacle.provider} under another account, so what lies in the account of this ` +
        'cell is not there. Withdraw it to the bank and post that: malipo-server float move.'
      );
    case 'COMING':
      return (
        `Cell ${obstacle.from} has ended into this one, and its balances have not arrived. Keep its workers running ` +
        'until they have.'
      );
    case 'OTHER_DATABASE':
      return (
        `MALIPO_CELLS names another database as cell ${obstacle.cell} than the one that had this name first, or one ` +
        'that no process was started for. Put its own database there.'
      );
    case 'TARGET_GONE':
      return (
        `Balances of this cell were approved to go to cell ${obstacle.cell}, before this one was restored. They go ` +
        'nowhere else. Put that cell back into MALIPO_CELLS with its own database, from its last backup where it has ' +
        'ended, and run this again.'
      );
    case 'CELL_SILENT':
      return describeSilence(obstacle);
  }
}

function describeStay(stay: Stay): string {
  switch (stay.type) {
    case 'BALANCES':
      return 'Until its balances are posted to another cell: malipo-server cell end.';
    case 'ON_THE_WAY':
      return `Until its balances have arrived in ${stay.to}. Keep its workers running.`;
    case 'COMING':
      return `Until the balances of cell ${stay.from}, which ended into this one, have arrived here.`;
    case 'REFERENCES':
      return (
        `Until other cells know ${stay.count} references under which money was posted here. To write them there: ` +
        'malipo-server cell end.'
      );
    case 'DAY_OPEN':
      return (
        `Until ${stay.day} of ${stay.provider} ${stay.currency} is signed in cell ${stay.cell}` +
        `${stay.until === null ? '' : `, due ${stay.until.toISOString()}`}.`
      );
    case 'CLOSED_HERE':
      return (
        `Until another cell closes the days of ${stay.provider} ${stay.currency}. There, when the day ` +
        `before is signed here: malipo-server daily-close start --provider ${stay.provider} ` +
        `--currency ${stay.currency} --first-day ${stay.nextDay}.`
      );
    case 'FORWARDING':
      return (
        `While tokens, pages and references of ${stay.merchantCount} merchants that were made here are in use: other ` +
        'cells find them by this one. It is not needed for that once only one cell is left.'
      );
    case 'SILENT':
      return `The cell ${stay.cell} does not answer, so its signed days are not known. Try again.`;
  }
}

// Requests of merchants that money is paid to their bank: list them, and say that the bank has paid one, or reject it.
import { askedByCommand } from '../../../core/approvals/request.ts';
import type { Engine } from '../../../core/engine.ts';
import { describeRefusal } from '../../../core/ledger/money-references.ts';
import { describeStops } from '../../../core/ledger/settlement-stops.ts';
import {
  requestSettlementDecision,
  type SettlementDecisionAnswer,
} from '../../../core/settlements/decide-settlement.ts';
import { readSettlements, type SettlementView } from '../../../core/settlements/read-settlements.ts';
import { REFERENCE_FORM } from '../../../domain/ledger/money-reference.ts';
import { maskAccountNumber } from '../../../domain/masking.ts';
import { gatewayCommand, nothing, REQUESTED } from '../../command.ts';
import { print, refuse, row } from '../../output.ts';
import { UsageError } from '../../options.ts';
import { renderMoney } from '../../terminal/money.ts';

/** What a person does who has paid before it was refused. */
export const IF_PAID = 'If the bank has paid it already, say so with --bank-has-paid.';

/** As many at once. */
const PAGE = 100;

export const settlementCommands = {
  'settlement list': gatewayCommand({
    usage: '',
    summary: "list requests to pay merchants' banks",
    read: nothing,
    run: async ({ engine }) => {
      let after: { readonly at: Date; readonly id: string } | null = null;
      for (;;) {
        const page: readonly SettlementView[] = await readSettlements(engine, {
          of: 'OPEN',
          after,
          countMax: PAGE,
        });
        for (const one of page) print(lineOf(one));
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return;
        after = { at: last.requestedAt, id: last.settlementId };
      }
    },
  }),
  'settlement paid': gatewayCommand({
    usage: '--settlement ID --reference FT12345 [--bank-has-paid] --by NAME',
    summary: 'record as paid by the bank, after approval',
    read: (options) => ({
      by: options.person(),
      settlementId: options.uuid('settlement'),
      reference: options.text('reference'),
      bankHasPaid: options.isGiven('bank-has-paid'),
    }),
    run: async ({ engine }, { by, ...order }) => {
      const { actor } = askedByCommand(engine, by);
      report(engine, await requestSettlementDecision(engine, { ...order, actor, decision: 'PAID' }));
    },
  }),
  'settlement reject': gatewayCommand({
    usage: '--settlement ID --reason TEXT --by NAME',
    summary: 'give the wallet its money back, after approval',
    read: (options) => ({
      by: options.person(),
      settlementId: options.uuid('settlement'),
      reason: options.reason(),
    }),
    run: async ({ engine }, { by, ...order }) => {
      const { actor } = askedByCommand(engine, by);
      report(engine, await requestSettlementDecision(engine, { ...order, actor, decision: 'REJECTED' }));
    },
  }),
};

function lineOf({ settlementId, merchantId, country, currency, provider, ...one }: SettlementView): string {
  const { amount, account, requestedAt, requestedBy, approval, standing } = one;
  const wallet = [country, currency, provider].filter((part) => part !== '').join(' ');
  const bank = `${account.bank} ${maskAccountNumber(account.number)}`;
  const pending = approval === null ? '' : `${approval.request.decision} by ${approval.requestedBy.by}`;
  const money = renderMoney(amount, { country, currency, provider });
  const stops =
    standing === null || standing.stops.length === 0 ? '' : describeStops({ ...standing, currency });
  return row(settlementId, merchantId, wallet, money, bank, requestedAt, requestedBy, pending, stops);
}

function report({ environment }: Engine, answer: SettlementDecisionAnswer): void {
  switch (answer.type) {
    case 'REQUESTED':
      return print(environment === 'production' ? REQUESTED : `requested: ${answer.approvalId}`);
    case 'NOT_FOUND':
      return refuse('There is no such settlement.');
    case 'DECIDED_BEFORE':
      return refuse(`The settlement was decided before: ${answer.status}.`);
    case 'REQUESTED_BEFORE':
      return refuse('A decision is pending approval already.');
    case 'REFERENCE_UNREADABLE':
      throw new UsageError(`--reference ${REFERENCE_FORM}.`);
    case 'SETTLEMENT_STOPPED':
      return refuse(`${describeStops(answer)} Nothing was requested. ${IF_PAID}`);
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
    case 'CELL_SILENT':
      return refuse(describeRefusal(answer));
  }
}

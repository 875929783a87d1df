// Files of operators and banks for the daily close: how each account's are read, and the uploads.
import type { FastifyInstance } from 'fastify';
import { readMappings, setMapping } from '../../../core/daily-close/report-mappings.ts';
import { readUploads, uploadReport } from '../../../core/daily-close/upload-report.ts';
import { readRefused, requestReading } from '../../../core/reconciliation/accept-reading.ts';
import { readProposals, type ShownProposal } from '../../../core/reconciliation/read-report.ts';
import { requestVoid } from '../../../core/reconciliation/void-file.ts';
import { parseLineText } from '../../../domain/reconciliation/operator-report.ts';
import { namesOf } from '../../../domain/reconciliation/mapping-authors.ts';
import { findMappingFault, MAPPED_COLUMNS } from '../../../domain/reconciliation/report-mapping.ts';
import type { ReportUpload } from '../../../store/daily-close/report-uploads.ts';
import {
  REPORT_BODY_BYTES_MAX,
  REPORT_FILE_BYTES_MAX,
  reportFileCalls,
} from '../../../wire/console/platform/report-file.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { describe } from '../../failure.ts';
import { requireDays } from '../days.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';
import { teamName } from '../sign-in/me.ts';
import { closesUrl, requireCloseAccount } from './daily-closes.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
/** Those who may sign a day bring what it is compared with. */
const UPLOAD = { for: 'HOST', permission: 'money:move' } as const;
const SET = { ...UPLOAD, isDangerous: true } as const;

const account = `${closesUrl}/:provider/:currency`;
const readingUrl = '/host/operator-reports/:reportId/reading';

/** Of each effect: enough to see whether the columns were read rightly. */
const PROPOSALS_SHOWN = 3;
/** As many as a person looks back. */
const UPLOADS_SHOWN = 20;
/** Of one file. */
const DAYS_MAX = 31;
const MEGABYTES_MAX = String(REPORT_FILE_BYTES_MAX / 1_000_000);

export function registerReportFiles(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-daily-close');
  const { engine } = parts;
  route('GET', `${account}/mappings`, READ, reportFileCalls.listReportMappings, {
    summary: 'How the files of an account are read',
    handle: async ({ path }) => {
      await requireCloseAccount(parts, path);
      const found = await readMappings(engine, path);
      return {
        rows: found.map((one) => {
          const { mapping } = one;
          const words = mapping.words.map((word) => ({ ...word }));
          const authors = [...namesOf(one.authors)];
          return { ...show(one, 'source', 'setBy', 'setAt'), authors, mapping: { ...mapping, words } };
        }),
      };
    },
  });
  route('PUT', `${account}/mappings/:source`, SET, reportFileCalls.setReportMapping, {
    summary: 'Say how the files of an account are read, or that they have our own columns; it is recorded',
    handle: async ({ path, body: { mapping }, user: { by } }) => {
      const { source } = path;
      const unknown =
        mapping === null
          ? undefined
          : Object.keys(mapping.columns).find((name) => !MAPPED_COLUMNS[source].some((one) => one === name));
      if (unknown !== undefined)
        throw failureBecause('INVALID_INPUT', 'INVALID_PARAMETER', { parameter: unknown });
      const fault = mapping === null ? null : findMappingFault(source, mapping);
      if (fault !== null) throw failureBecause('INVALID_INPUT', 'REPORT_MAPPING_INVALID', { fault });
      if ((await setMapping(engine, { ...path, mapping, by })) === 'DONE') return done;
      throw new ConsoleFailure('NOT_FOUND');
    },
  });
  route('GET', '/host/operator-reports/:reportId/proposals', READ, reportFileCalls.listProposedLines, {
    summary:
      "The first lines of an operator's report that wait for its approval, of each effect, with our payments",
    handle: async ({ path: { reportId } }) => {
      const proposals = await readProposals(engine, { reportId, countMax: PROPOSALS_SHOWN });
      return { rows: await Promise.all(proposals.map((one) => describeProposal(parts, one))) };
    },
  });
  route('GET', readingUrl, READ, reportFileCalls.readRefusedReport, {
    summary: "Why an operator's report was refused: the first lines that differ, with our payments",
    handle: async ({ path: { reportId } }) => {
      const reading = await readRefused(engine, reportId);
      if (reading === null) throw new ConsoleFailure('NOT_FOUND');
      const rows = reading.examples.map(({ text, ...example }) => ({
        ...example,
        line: parseLineText(text),
      }));
      return {
        ...show(reading, 'status', 'knownCount', 'differingCount'),
        rows: await Promise.all(rows.map((one) => describeLine(parts, one))),
      };
    },
  });
  route('POST', readingUrl, SET, reportFileCalls.acceptRefusedReport, {
    summary: 'Ask to import a refused report all the same; another person approves',
    handle: async ({ path: { reportId }, body: { reason }, user: { personId, by } }) => {
      const answer = await requestReading(engine, { reportId, actor: { personId, by }, reason });
      switch (answer.type) {
        case 'REQUESTED':
          return { approvalId: answer.approvalId };
        case 'NOT_FOUND':
          throw new ConsoleFailure('NOT_FOUND');
        case 'NOT_REFUSED':
          throw failureBecause('CONFLICT', 'REPORT_NOT_REFUSED');
        case 'REQUESTED_BEFORE':
          throw failureBecause('CONFLICT', 'REPORT_READING_REQUESTED');
      }
    },
  });
  route('POST', '/host/report-files/:fileId/void', SET, reportFileCalls.voidFile, {
    summary: "Ask to void an operator's report or a bank's file; another person approves",
    handle: async ({ path: { fileId }, body: { reason }, user: { personId, by } }) => {
      const answer = await requestVoid(engine, { fileId, actor: { personId, by }, reason: reason.trim() });
      switch (answer.type) {
        case 'REQUESTED':
          return { approvalId: answer.approvalId };
        case 'NOT_FOUND':
          throw new ConsoleFailure('NOT_FOUND');
        case 'NOT_IMPORTED':
          throw failureBecause('CONFLICT', 'FILE_NOT_IMPORTED');
        case 'VOIDED_BEFORE':
          throw failureBecause('CONFLICT', 'FILE_VOIDED');
        case 'REQUESTED_BEFORE':
          throw failureBecause('CONFLICT', 'FILE_VOID_REQUESTED');
      }
    },
  });
  route('GET', `${account}/uploads`, READ, reportFileCalls.listReportUploads, {
    summary: 'Files that were uploaded last, with their progress and the lines that could not be read',
    handle: async ({ path }) => {
      await requireCloseAccount(parts, path);
      return { rows: (await readUploads(engine, path, UPLOADS_SHOWN)).map(describeUpload) };
    },
  });
  route('POST', `${account}/uploads`, UPLOAD, reportFileCalls.uploadReport, {
    summary: "Import an operator's report or a bank's file; answered when all of it was read",
    bodyBytesMax: REPORT_BODY_BYTES_MAX,
    handle: async ({ path, body, user: { personId, by }, request }) => {
      const { timeZone } = await requireCloseAccount(parts, path);
      const { source, fileName, file, from = '', to = '' } = body;
      const days = source === 'BANK' ? null : requireDays({ from, to }, { daysMax: DAYS_MAX, timeZone });
      const bytes = Buffer.from(file, 'base64');
      if (bytes.length > REPORT_FILE_BYTES_MAX)
        throw failureBecause('INVALID_INPUT', 'REPORT_TOO_LARGE', { megabytes: MEGABYTES_MAX });
      const uploaded = await uploadReport(engine, {
        ...path,
        personId,
        by,
        source,
        fileName,
        bytes,
        period: days === null ? null : { from: days.from, to: days.until },
        onError: (error) => request.log.error({ where: 'report', error: describe(error) }, 'failed'),
      });
      if (uploaded === null) throw new ConsoleFailure('NOT_FOUND');
      return describeUpload(uploaded);
    },
  });
}

async function describeProposal(parts: ConsoleParts, { effect, ...shown }: ShownProposal) {
  return { ...(await describeLine(parts, shown)), effect };
}

type LineBesidePayment = Pick<ShownProposal, 'lineNo' | 'line' | 'payment'>;

async function describeLine(parts: ConsoleParts, { lineNo, line, payment }: LineBesidePayment) {
  const { reference = null, providerTransactionId: transactionId = null } = line;
  return {
    lineNo,
    line: {
      ...show(line, 'occurredAt', 'direction', 'status', 'amount', 'currency'),
      reference,
      transactionId,
    },
    payment:
      payment === null
        ? null
        : {
            ...show(payment, 'merchantId', 'kind', 'paymentId', 'state', 'amount', 'currency', 'provider'),
            merchant: await teamName(parts, payment.merchantId),
          },
  };
}

function describeUpload(upload: ReportUpload) {
  return {
    ...show(
      upload,
      'uploadId',
      'fileId',
      'source',
      'fileName',
      'fileHash',
      'status',
      'linesDone',
      'linesExpected',
    ),
    ...show(upload, 'faultCount', 'uploadedBy', 'startedAt', 'voiding'),
    faults: upload.faults.map((fault) => ({ ...fault })),
  };
}

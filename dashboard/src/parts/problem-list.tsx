import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '../api/client.ts';
import { useLanguage, useWords, words } from '../language.tsx';
import { Age } from './age.tsx';
import { EVIDENCE_WORDS } from './case-words.ts';
import { HOLD_WORDS } from './hold-words.ts';
import { useNames } from './names.tsx';
import { Icon } from './icon.tsx';
import { KIND_WORDS } from './kind-words.ts';
import { groupDigits } from './money.tsx';
import { MOVEMENT_WORDS } from './movement-words.ts';
import style from './problem-list.module.css';
import { MONITOR_PART_WORDS, PROBLEM_WORDS, type Named, type Problem } from './problem-words.ts';
import { useTimeZone } from './time-zone.ts';
import { formatExact } from './time.tsx';

type Problems = Pick<AnswerOf<'listProblems'>, 'now' | 'problems' | 'omitted'>;

/** What is wrong now: the most urgent first, each with its age and the way to where it is fixed. */
export function ProblemList({ found }: { readonly found: Problems }) {
  const said = useWords(WORDS);
  const { now, problems, omitted } = found;
  if (problems.length === 0) return <AllOperational />;
  const codes = [...new Set(problems.map(({ code }) => code))];
  return (
    <ul className={style['list']} aria-label={said.label}>
      {codes.flatMap((code) => {
        const own = problems.filter((problem) => problem.code === code);
        const more = omitted.find((one) => one.code === code);
        return [
          ...own.map((problem) => <Row key={keyOf(problem)} problem={problem} now={now} />),
          ...(own[0] !== undefined && more !== undefined
            ? [<More key={`${code} more`} problem={own[0]} count={more.count} />]
            : []),
        ];
      })}
    </ul>
  );
}

function AllOperational() {
  const said = useWords(WORDS);
  return (
    <div className={style['calm']} role="status">
      <Icon name="check" />
      <Text component="span" fw={600}>
        {said.operational}
      </Text>
    </div>
  );
}

const keyOf = ({ code, parameters }: Problem) => [code, ...Object.values(parameters)].join(' ');

function Row({ problem, now }: { readonly problem: Problem; readonly now: string }) {
  const said = useWords(WORDS);
  const { title, detail } = useProblemText(problem);
  return (
    <li className={style['row']} data-severity={problem.severity} data-code={problem.code}>
      <Icon name="trouble" />
      <Stack gap={0} className={style['text'] ?? ''}>
        <Anchor fw={600} c="inherit" renderRoot={(props) => <Link {...props} {...addressOf(problem)} />}>
          {title}
        </Anchor>
        <Text component="span" size="sm" c="dimmed">
          {detail}
        </Text>
      </Stack>
      {problem.since !== null && (
        <Text component="span" size="sm" className={style['age'] ?? ''}>
          {said.for} <Age since={problem.since} now={now} />
        </Text>
      )}
    </li>
  );
}

/** The server counts no further. */
const OMITTED_MAX = 95;

function More({ problem, count }: { readonly problem: Problem; readonly count: number }) {
  const said = useWords(WORDS);
  return (
    <li className={style['more']}>
      <Anchor size="sm" renderRoot={(props) => <Link {...props} {...addressOf(problem)} />}>
        {said.more(count >= OMITTED_MAX ? `${OMITTED_MAX}+` : String(count))}
      </Anchor>
    </li>
  );
}

function useProblemText(problem: Problem) {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const texts = useWords(PROBLEM_WORDS);
  const kinds: Readonly<Record<string, string>> = useWords(KIND_WORDS);
  const oneOf = useWords(MOVEMENT_WORDS);
  const evidences = useWords(EVIDENCE_WORDS);
  const holds = useWords(HOLD_WORDS);
  const parts: Readonly<Record<string, string>> = useWords(MONITOR_PART_WORDS);
  const names = useNames();
  const given = (name: string) => problem.parameters[name] ?? '';
  const money = (name: string) => `${groupDigits(given(name), language)} ${given('currency')}`;
  const all = given('kinds') === '' ? [given('kind')] : given('kinds').split(',');
  const named: Named = {
    provider: names.provider(given('provider')),
    kinds: all.map((kind) => kinds[kind] ?? kind).join(', '),
    kind: oneOf[given('kind')] ?? given('kind'),
    evidence: evidences[given('evidence')] ?? given('evidence'),
    merchant: given('merchant'),
    money: money('amount'),
    minimum: money('minimum'),
    currency: given('currency'),
    count: Number(given('count')),
    payment: given('paymentId').slice(0, 8),
    hold: holds[given('held')] ?? given('held'),
    host: given('host'),
    part: parts[given('part')] ?? given('part'),
    cell: given('other_cell'),
    secret: [given('connector'), given('account'), given('secret')].join(' · '),
    endsAt: given('endsAt') === '' ? '' : formatExact(new Date(given('endsAt')), language, timeZone),
    isManual: given('setBy') === 'HAND',
    isGone: given('because') === 'GONE',
  };
  return texts[problem.code](named);
}

type Address = { readonly to: string; readonly search?: Readonly<Record<string, string>> };

/** Where it is fixed. */
function addressOf({ fixedAt, parameters }: Problem): Address {
  const { provider = '', currency = '', merchantId = '' } = parameters;
  switch (fixedAt) {
    case 'LEDGER':
      return { to: '/host/ledger' };
    case 'FLOATS':
      return { to: '/host/ledger', search: { tab: 'floats' } };
    case 'HEALTH':
      return { to: '/host/health' };
    case 'PROVIDERS':
      return { to: '/host/providers', search: { provider } };
    case 'UNRESOLVED_PAYMENTS':
      return { to: '/host/issues' };
    case 'OVERDUE_TASKS':
      return { to: '/host/issues', search: { tab: 'overdue' } };
    case 'FAILING_ENDPOINTS':
      return { to: '/host/issues', search: { tab: 'endpoints' } };
    case 'CALLBACK_ENDPOINTS':
      return { to: `/m/${merchantId}/callback-addresses` };
    case 'CASES':
      return { to: '/host/cases' };
    case 'APPROVALS':
      return { to: '/host/approvals' };
    case 'MERCHANT':
      return { to: `/host/merchants/${merchantId}` };
    case 'HOLDS':
      return { to: '/host/risk', search: { tab: 'holds' } };
    case 'DAILY_CLOSE':
      return { to: `/host/daily-close/${provider}/${currency}` };
  }
}

const WORDS = words({
  en: {
    label: 'Open problems',
    operational: 'All systems operational',
    for: 'for',
    more: (count: string) => `${count} more`,
  },
  fr: {
    label: 'Problèmes ouverts',
    operational: 'Tous les services fonctionnent',
    for: 'depuis',
    more: (count: string) => `${count} de plus`,
  },
});

import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage, useWords } from '../../language.tsx';
import { useMe, useMerchant } from '../../me.ts';
import { EVIDENCE_WORDS } from '../../parts/case-words.ts';
import { CONNECTION_ERROR_WORDS } from '../../parts/connection-error-words.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { EVENT_WORDS, useDetailText } from '../../parts/payment-event-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { formatExact } from '../../parts/time.tsx';
import { useTimeZone } from '../../parts/time-zone.ts';
import { STATE_WORDS } from '../../parts/state-words.ts';
import { momentsOf, type Moment } from './moments.ts';
import type { Story } from './payment-words.ts';
import { TIMELINE_WORDS as WORDS } from './timeline-words.ts';
import style from './timeline.module.css';

/** From the first event on. Texts that were sent and received open when they are asked for. */
export function Timeline({ story }: { readonly story: Story }) {
  return (
    <ol className={style['timeline']}>
      {momentsOf(story).map((moment, index) => (
        <Entry key={index} moment={moment} />
      ))}
    </ol>
  );
}

function Entry({ moment }: { readonly moment: Moment }) {
  switch (moment.type) {
    case 'event':
      return <EventEntry {...moment} />;
    case 'exchange':
      return <ExchangeEntry {...moment} />;
    case 'transfer':
      return <TransferEntry {...moment} />;
    case 'case':
      return <CaseEntry {...moment} />;
    case 'callback':
      return <CallbackEntry {...moment} />;
  }
}

type Of<Type extends Moment['type']> = Extract<Moment, { readonly type: Type }>;

function EventEntry({ at, event }: Of<'event'>) {
  const said = useWords(WORDS);
  const events = useWords(EVENT_WORDS);
  const states = useWords(STATE_WORDS);
  const { fromState, toState, detail, evidence } = event;
  return (
    <Item at={at} icon="clock" title={events[event.event] ?? event.event}>
      {fromState !== toState && event.event !== toState && (
        <StateBadge state={toState}>{states[toState]}</StateBadge>
      )}
      {detail !== null && <Detail detail={detail} />}
      {evidence !== null && <Sent title={said.evidence} texts={[evidence]} />}
    </Item>
  );
}

/** "FAILED PAYMENT_NOT_APPROVED" in words, and its code beside them. */
function Detail({ detail }: { readonly detail: string }) {
  const detailText = useDetailText();
  const [, reason = ''] = detail.split(' ');
  return (
    <>
      <Text span size="sm">
        {detailText(detail)}
      </Text>
      {reason !== '' && (
        <Text span size="xs" c="dimmed" ff="monospace">
          {reason}
        </Text>
      )}
    </>
  );
}

function ExchangeEntry({ at, exchange }: Of<'exchange'>) {
  const said = useWords(WORDS);
  const { step, httpStatus, error, durationMs, request, answer } = exchange;
  return (
    <Item at={at} icon="providers" title={said.steps[step] ?? said.exchange(step)}>
      <Text span size="xs" c="dimmed" className="figures">
        {httpStatus ?? error} · {durationMs} ms
      </Text>
      <Sent title={said.texts} texts={[request, answer]} />
    </Item>
  );
}

function TransferEntry({ at, transfer }: Of<'transfer'>) {
  const said = useWords(WORDS);
  const names = useNames();
  const { merchantId } = useMerchant();
  const isOwn = useMe().merchants.some((one) => one.merchantId === merchantId);
  const nameOf = ({ type, provider }: Account) => {
    if (type === 'FLOAT') return said.float(names.provider(provider));
    if (type === 'WALLET') return isOwn ? said.yourWallet : said.wallet;
    return said.accounts[type] ?? type;
  };
  const { debit, credit, amount, currency, state } = transfer;
  return (
    <Item at={at} icon="ledger" title={said.moved(nameOf(debit), nameOf(credit))}>
      <Money amount={amount} currency={currency} />
      <StateBadge state={state} tone={state === 'POSTED' ? 'success' : 'quiet'}>
        {said.transfers[state]}
      </StateBadge>
    </Item>
  );
}

type Account = Of<'transfer'>['transfer']['debit'];

function CaseEntry({ at, found }: Of<'case'>) {
  const said = useWords(WORDS);
  const evidences = useWords(EVIDENCE_WORDS);
  const isOpen = found.resolvedAt === null;
  return (
    <Item at={at} icon="trouble" title={said.contradicted}>
      <StateBadge state={isOpen ? 'OPEN' : 'RESOLVED'} tone={isOpen ? 'trouble' : 'quiet'}>
        {isOpen ? said.open : said.resolved}
      </StateBadge>
      <Text span size="sm">
        {evidences[found.evidence] ?? found.evidence}
      </Text>
    </Item>
  );
}

function CallbackEntry({ at, callback, attempt }: Of<'callback'>) {
  const said = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const errors = useWords(CONNECTION_ERROR_WORDS);
  if (attempt === null) {
    const isFirst = callback.attempts.length === 0;
    return <Item at={at} icon="callbacks" title={isFirst ? said.queued : said.retry} />;
  }
  const { attemptNo, httpStatus, errorCode, durationMs, answer } = attempt;
  const isDelivered = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  const result = String(httpStatus ?? errors[errorCode ?? ''] ?? errorCode);
  return (
    <Item at={at} icon="callbacks" title={(isDelivered ? said.delivered : said.failed)(result, attemptNo)}>
      <StateBadge state={callback.announcedState}>{states[callback.announcedState]}</StateBadge>
      <Text span size="xs" c="dimmed" className="figures">
        {durationMs} ms
      </Text>
      {callback.body !== null && (
        <Sent title={said.body} texts={answer === null ? [callback.body] : [callback.body, answer]} />
      )}
    </Item>
  );
}

type ItemProps = {
  readonly at: string;
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
};

function Item({ at, icon, title, children }: ItemProps) {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  return (
    <li className={style['item']}>
      <span className={style['icon']}>
        <Icon name={icon} sizePx={15} />
      </span>
      <div className={style['what']}>
        <Group gap="0.125rem 0.625rem">
          <Text span fw={600} size="sm">
            {title}
          </Text>
          <time className={style['time']} dateTime={at}>
            {formatExact(new Date(at), language, timeZone)}
          </time>
        </Group>
        {children !== undefined && (
          <Group gap="0.25rem 0.625rem" mt={2}>
            {children}
          </Group>
        )}
      </div>
    </li>
  );
}

/** What was sent and what came back, as it was, with JSON set out in lines. */
function Sent({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  return (
    <details className={style['sent']}>
      <summary>{title}</summary>
      {texts.map((text, index) => (
        <pre key={index} tabIndex={0}>
          {setOut(text)}
        </pre>
      ))}
    </details>
  );
}

function setOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, reviveBody), null, 2);
  } catch {
    return text;
  }
}

/** What an operator said stands as a text within the text. */
function reviveBody(name: string, value: unknown): unknown {
  if (name !== 'body' || typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

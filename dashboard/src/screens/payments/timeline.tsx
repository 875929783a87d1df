import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { formatExact } from '../../parts/time.tsx';
import { momentsOf, type Moment } from './moments.ts';
import { EVENT_WORDS, STATE_WORDS, type Story } from './payment-words.ts';
import style from './timeline.module.css';

/** What happened, from the beginning. Texts that were sent and received open when they are asked for. */
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
      {fromState !== toState && <StateBadge state={toState}>{states[toState]}</StateBadge>}
      {detail !== null && (
        <Text span size="xs" c="dimmed" ff="monospace">
          {detail}
        </Text>
      )}
      {evidence !== null && <Sent title={said.evidence} texts={[evidence]} />}
    </Item>
  );
}

function ExchangeEntry({ at, exchange }: Of<'exchange'>) {
  const said = useWords(WORDS);
  const { step, httpStatus, error, durationMs, request, answer } = exchange;
  return (
    <Item at={at} icon="providers" title={said.exchange(step)}>
      <Text span size="xs" c="dimmed" className="figures">
        {httpStatus ?? error} · {durationMs} ms
      </Text>
      <Sent title={said.texts} texts={[request, answer]} />
    </Item>
  );
}

function TransferEntry({ at, transfer }: Of<'transfer'>) {
  const said = useWords(WORDS);
  const { debit, credit, amount, currency, state } = transfer;
  return (
    <Item at={at} icon="ledger" title={said.moved(debit.type, credit.type)}>
      <Money amount={amount} currency={currency} />
      <StateBadge state={state} tone={state === 'POSTED' ? 'success' : 'quiet'}>
        {said.transfers[state]}
      </StateBadge>
    </Item>
  );
}

function CaseEntry({ at, found }: Of<'case'>) {
  const said = useWords(WORDS);
  const isOpen = found.resolvedAt === null;
  return (
    <Item at={at} icon="trouble" title={said.contradicted}>
      <StateBadge state={isOpen ? 'OPEN' : 'RESOLVED'} tone={isOpen ? 'trouble' : 'quiet'}>
        {isOpen ? said.open : said.resolved}
      </StateBadge>
      <Text span size="xs" c="dimmed" ff="monospace">
        {found.evidence}
      </Text>
    </Item>
  );
}

function CallbackEntry({ at, callback, attempt }: Of<'callback'>) {
  const said = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const title = said.announced(states[callback.announcedState]);
  if (attempt === null) return <Item at={at} icon="callbacks" title={said.willAnnounce} />;
  const { httpStatus, errorCode, durationMs, answer } = attempt;
  const isTaken = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  return (
    <Item at={at} icon="callbacks" title={title}>
      <StateBadge state={isTaken ? 'DELIVERED' : 'FAILED'}>{httpStatus ?? errorCode}</StateBadge>
      <Text span size="xs" c="dimmed" className="figures">
        {said.attempt(attempt.attemptNo)} · {durationMs} ms
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
            {formatExact(new Date(at), language)}
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

const WORDS = words({
  en: {
    evidence: 'What the operator said',
    exchange: (step: string) => `Call to the operator: ${step}`,
    texts: 'Request and answer',
    moved: (from: string, to: string) => `In the books: ${from} → ${to}`,
    transfers: { PENDING: 'Held', POSTED: 'Posted', VOIDED: 'Freed again' },
    contradicted: 'The operator contradicts what is recorded',
    open: 'Being looked into',
    resolved: 'Resolved',
    announced: (state: string) => `Your server was told: ${state}`,
    willAnnounce: 'Your server is about to be told',
    attempt: (number: number) => `Attempt ${number}`,
    body: 'What was sent',
  },
  fr: {
    evidence: 'Ce que l’opérateur a dit',
    exchange: (step: string) => `Appel à l’opérateur : ${step}`,
    texts: 'Demande et réponse',
    moved: (from: string, to: string) => `Dans les livres : ${from} → ${to}`,
    transfers: { PENDING: 'Retenu', POSTED: 'Comptabilisé', VOIDED: 'Libéré' },
    contradicted: 'L’opérateur contredit ce qui est enregistré',
    open: 'En cours d’examen',
    resolved: 'Résolu',
    announced: (state: string) => `Votre serveur a été informé : ${state}`,
    willAnnounce: 'Votre serveur va être informé',
    attempt: (number: number) => `Tentative ${number}`,
    body: 'Ce qui a été envoyé',
  },
});

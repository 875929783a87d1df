// What mails say: names instead of codes, and times of the merchant's zone.
import { describe, expect, test } from 'vitest';
import { renderAlert, type Alert } from '../../src/callbacks/alert-mail.ts';
import { renderSwitchedOff } from '../../src/callbacks/notice-mail.ts';
import { ANNOUNCED_KINDS } from '../../src/domain/payments/payment.ts';

const AT = new Date('2026-11-16T19:45:00Z');
const CODE = /[A-Z]{3,}_|\b(RWA|DEPOSIT|UTC)\b/;

describe('the mail about a disabled endpoint', () => {
  const notice = { companyName: 'Duka', noticedAt: AT, timeZone: 'Africa/Kigali' };
  const told = (kind: string, because = 'FAILING') =>
    renderSwitchedOff({ ...notice, detail: { kind, host: 'shop.example', because } });

  test('the mail about a disabled endpoint says in both languages what is not sent, where to, and since when', () => {
    const { subject, text } = told('DEPOSIT');
    expect(subject).toBe('Callbacks to shop.example are disabled / Callbacks vers shop.example désactivés');
    expect(text).toContain('No callbacks (webhooks) about deposits have been sent to shop.example');
    expect(text).toContain("Aucun callback (webhook) sur les encaissements n'est envoyé à shop.example");
    expect(text).toContain('16 Nov 2026, 21:45 (Kigali). Your server has acknowledged no callback for days.');
    expect(text).toContain('16 nov. 2026, 21:45 (Kigali). Depuis plusieurs jours');
    expect(told('DEPOSIT', 'GONE').text).toContain('410 Gone');
  });

  test.each(ANNOUNCED_KINDS)('the mail about a disabled endpoint has no code in it (%s)', (kind) => {
    expect(told(kind).text).not.toContain(kind);
    expect(told(kind).text).not.toMatch(CODE);
  });
});

function mail(topic: Alert['topic'], language: Alert['language'], detail: Alert['detail']) {
  const about = { team: 'Duka', timeZone: 'Africa/Kigali', link: 'https://x.example' };
  return renderAlert({ topic, language, detail, ...about });
}

describe('a mail to a person', () => {
  test.each([
    ['en', '', 'The wallet Rwanda (RWF) is below'],
    ['fr', '', 'Le portefeuille Rwanda (RWF) est sous'],
    ['en', 'MTN_MOMO_RWA', 'The wallet MTN Rwanda (RWF) is below'],
  ] as const)('a mail to a person names the wallet that runs low (%s %s)', (language, provider, said) => {
    const { text } = mail('WALLET_LOW', language, { country: 'RWA', currency: 'RWF', provider });
    expect(text).toContain(said);
    expect(text).not.toMatch(CODE);
  });

  test('a mail to a person says the time of the merchant’s zone', () => {
    const expires = { name: 'Till 7', days: '3', expiresAt: AT.toISOString() };
    expect(mail('TOKEN_EXPIRES', 'en', expires).text).toContain('expires on 16 Nov 2026, 21:45 (Kigali).');
    const failing = { host: 'shop.example', since: AT.toISOString() };
    expect(mail('ENDPOINT_FAILING', 'fr', failing).text).toContain('depuis le 16 nov. 2026, 21:45 (Kigali).');
  });
});

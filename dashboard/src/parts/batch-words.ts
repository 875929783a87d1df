// What a payout batch is called where it is to be approved.
import { words, type Language } from '../language.tsx';
import { groupDigits } from './money.tsx';

/** "24 payouts: 1,494,000 RWF + 22,650 RWF fees". Of several wallets, each with its own. */
export function batchTitle(
  { payouts = '', sums = '' }: Readonly<Record<string, string>>,
  language: Language,
): string {
  const t = BATCH_WORDS[language];
  const isOne = [...sums.matchAll(SUM)].length === 1;
  const readable = sums.replaceAll(
    SUM,
    (_, amount: string, currency: string, fee: string, wallet: string) => {
      const total = `${groupDigits(amount, language)} ${currency}`;
      const fees = fee === '0' ? '' : ` + ${t.fees(`${groupDigits(fee, language)} ${currency}`)}`;
      return total + fees + (isOne ? '' : ` (${wallet})`);
    },
  );
  return t.title(payouts, readable);
}

/** As the server writes it: "1494000 RWF + 22650 (RWA)". */
const SUM = /([\d.]+) ([A-Z]{3}) \+ ([\d.]+) \(([^)]*)\)/g;

const BATCH_WORDS = words({
  en: {
    title: (count: string, sums: string) => `${count} ${count === '1' ? 'payout' : 'payouts'}: ${sums}`,
    fees: (money: string) => `${money} fees`,
  },
  fr: {
    title: (count: string, sums: string) =>
      `${count} ${count === '1' ? 'versement' : 'versements'} : ${sums}`,
    fees: (money: string) => `${money} de frais`,
  },
});

import { Alert, Button, NativeSelect, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLanguage, useWords, words, type Language } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Section } from '../../parts/page.tsx';
import { zoneName } from '../../parts/time-zone.ts';
import { FailureList } from './failure-list.tsx';
import { KindTiles } from './figure-tiles.tsx';
import type { Overview } from './overview-screen.tsx';
import { lateStart } from './periods.ts';
import { ProviderTable } from './provider-table.tsx';
import { SuccessChart } from './success-chart.tsx';
import { VolumeChart } from './volume-chart.tsx';

type CurrencySelectProps = {
  readonly overview: Overview;
  readonly currency: string | null;
  readonly onChange: (currency: string) => void;
};

/** Only where there are several. */
export function CurrencySelect({ overview, currency, onChange }: CurrencySelectProps) {
  const said = useWords(WORDS);
  if (currency === null || overview.currencies.length < 2) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={said.currency}
      data={overview.currencies.map((one) => one.currency)}
      value={currency}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type PaymentFiguresProps = {
  readonly overview: Overview;
  /** Null where there are no payments. */
  readonly currency: string | null;
  readonly days: number;
};

/** How payments of a currency went in a period. */
export function PaymentFigures({ overview, currency, days }: PaymentFiguresProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const { countedUntil, isCatchingUp, timeZone } = overview;
  const zone = zoneName(timeZone);
  const start = lateStart(overview);
  return (
    <Stack gap="xl">
      {isCatchingUp && (
        <Alert color="blue" title={said.catchingUp}>
          {said.catchingUpHint}
        </Alert>
      )}
      {currency === null ? (
        <NoPayments isNew={countedUntil === null} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {said.hint(zone)} {start !== null && said.lateStart(start)} {said.compared(days)}{' '}
            {countedUntil !== null && said.updated(formatMinute(countedUntil, timeZone, language), zone)}
          </Text>
          <OfCurrency overview={overview} currency={currency} />
        </>
      )}
    </Stack>
  );
}

function OfCurrency({ overview, currency }: { readonly overview: Overview; readonly currency: string }) {
  const said = useWords(WORDS);
  const own = <Row extends { readonly currency: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.currency === currency);
  const failures = own(overview.failures);
  return (
    <>
      <KindTiles overview={overview} currency={currency} />
      <Section title={said.volume(currency)}>
        <VolumeChart overview={overview} currency={currency} />
      </Section>
      <Section title={said.success}>
        <SuccessChart overview={overview} currency={currency} />
      </Section>
      <Section title={said.providers}>
        <ProviderTable rows={own(overview.providers)} />
      </Section>
      {failures.length > 0 && (
        <Section title={said.failures}>
          <FailureList failures={failures} />
        </Section>
      )}
    </>
  );
}

function NoPayments({ isNew }: { readonly isNew: boolean }) {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  return (
    <EmptyState
      icon="overview"
      title={isNew ? said.noneYet : said.none}
      action={
        isNew &&
        may('settings:write') && (
          <Button component={Link} to={`/m/${merchantId}/tokens`} variant="default" size="xs">
            {said.createToken}
          </Button>
        )
      }
    >
      {isNew ? said.noneYetHint : said.noneHint}
    </EmptyState>
  );
}

function formatMinute(at: string, timeZone: string, language: Language): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'fr', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(at));
}

const WORDS = words({
  en: {
    currency: 'Currency',
    hint: (zone: string) => `Completed and failed payments by day (${zone}).`,
    lateStart: (start: string) => `Days start at ${start} here: payments are counted by whole hours of UTC.`,
    compared: (days: number) =>
      days === 1 ? 'Compared with yesterday up to this hour.' : `Compared with the ${days} days before.`,
    updated: (time: string, zone: string) => `Updated ${time} (${zone}).`,
    catchingUp: 'Figures are being updated',
    catchingUpHint: 'Some payments are not included yet. They will be in a few minutes.',
    volume: (currency: string) => `Completed volume (${currency})`,
    success: 'Success rate',
    providers: 'By provider',
    failures: 'Failure reasons',
    noneYet: 'No payments yet',
    noneYetHint: 'Your first completed or failed payment will show up here.',
    createToken: 'Create an API token',
    none: 'No payments in this period',
    noneHint: 'Try a longer date range.',
  },
  fr: {
    currency: 'Devise',
    hint: (zone: string) => `Paiements réussis et échoués par jour (${zone}).`,
    lateStart: (start: string) =>
      `Les jours commencent ici à ${start} : les paiements sont comptés par heures entières UTC.`,
    compared: (days: number) =>
      days === 1 ? 'Comparé à hier jusqu’à cette heure.' : `Comparé aux ${days} jours précédents.`,
    updated: (time: string, zone: string) => `Mis à jour le ${time} (${zone}).`,
    catchingUp: 'Les chiffres sont en cours de mise à jour',
    catchingUpHint: 'Certains paiements ne sont pas encore inclus. Ils le seront dans quelques minutes.',
    volume: (currency: string) => `Volume réussi (${currency})`,
    success: 'Taux de réussite',
    providers: 'Par opérateur',
    failures: 'Motifs d’échec',
    noneYet: 'Aucun paiement pour le moment',
    noneYetHint: 'Votre premier paiement réussi ou échoué apparaîtra ici.',
    createToken: 'Créer un jeton d’API',
    none: 'Aucun paiement dans cette période',
    noneHint: 'Essayez une période plus longue.',
  },
});

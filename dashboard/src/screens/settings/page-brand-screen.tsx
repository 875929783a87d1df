import { Alert, Button, ColorInput, FileInput, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';

type PageBrand = AnswerOf<'readPageBrand'>;
type Logo = NonNullable<PageBrand['logo']>;

/** What payers see of the merchant on payment pages and checkouts. */
export function PageBrandScreen() {
  const t = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const brand = useQuery(
    reading('/console/api/merchants/{merchantId}/page-brand', { params: { path: { merchantId } } }),
  );
  return (
    <Page title={t.title} hint={t.hint}>
      <Loaded query={brand} skeleton={<Skeleton height={240} />}>
        {(data) => <BrandForm brand={data} mayChange={may('settings:write')} />}
      </Loaded>
    </Page>
  );
}

function BrandForm({ brand, mayChange }: { readonly brand: PageBrand; readonly mayChange: boolean }) {
  const t = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [colour, setColour] = useState(brand.colour ?? '');
  const [logo, setLogo] = useState(brand.logo);
  const [fault, setFault] = useState<'type' | 'size' | null>(null);
  const isColour = colour === '' || /^#[0-9a-f]{6}$/i.test(colour);
  const save = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/page-brand', {
          params: { path: { merchantId } },
          body: {
            colour: colour === '' ? null : colour.toLowerCase(),
            logo: logo === null ? null : { base64: logo.base64 },
          },
        }),
      ),
    done: t.saved,
  });
  const choose = async (file: File | null) => {
    if (file === null) return;
    const read = await readLogo(file);
    setFault(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') setLogo(read);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <Preview colour={isColour && colour !== '' ? colour : null} logo={logo} />
        {mayChange && (
          <>
            <ColorInput
              label={t.colour}
              description={t.colourHint}
              placeholder="#8a1538"
              eyeDropperButtonProps={{ 'aria-label': t.pickColour }}
              value={colour}
              onChange={setColour}
              {...(isColour ? {} : { error: t.notColour })}
            />
            <FileInput
              label={t.logo}
              description={t.logoHint}
              placeholder={t.chooseFile}
              accept="image/png,image/svg+xml"
              leftSection={<Icon name="upload" sizePx={16} />}
              onChange={(file) => void choose(file)}
              {...(fault === null ? {} : { error: t.faults[fault] })}
            />
            <Group justify="space-between" gap="xs">
              <Button variant="default" disabled={logo === null} onClick={() => setLogo(null)}>
                {t.removeLogo}
              </Button>
              <Button type="submit" loading={save.isPending} disabled={!isColour}>
                {t.save}
              </Button>
            </Group>
          </>
        )}
        <Alert color="gray">{t.privacy}</Alert>
      </Stack>
    </form>
  );
}

type PreviewProps = { readonly colour: string | null; readonly logo: Logo | null };

/** The top of a page, roughly: the page itself makes the colour readable. */
function Preview({ colour, logo }: PreviewProps) {
  const t = useWords(WORDS);
  const { name } = useMerchant();
  return (
    <Paper withBorder p="md" component="section" aria-label={t.preview}>
      <Group gap="sm">
        {colour !== null && (
          <span aria-hidden style={{ width: 40, height: 40, borderRadius: 8, background: colour }} />
        )}
        {logo !== null && (
          <img
            src={`data:${logo.type};base64,${logo.base64}`}
            alt={t.logo}
            style={{ height: 40, maxWidth: 128, padding: 4, background: '#fff', borderRadius: 6 }}
          />
        )}
        <Text fw={600}>{name}</Text>
        {colour === null && logo === null && <Text c="dimmed">{t.none}</Text>}
      </Group>
    </Paper>
  );
}

/** As large as the server takes it. */
const LOGO_BYTES_MAX = 6_000;

async function readLogo(file: File): Promise<Logo | 'type' | 'size'> {
  if (file.type !== 'image/png' && file.type !== 'image/svg+xml') return 'type';
  if (file.size > LOGO_BYTES_MAX) return 'size';
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { type: file.type, base64: btoa(String.fromCharCode(...bytes)) };
}

const WORDS = words({
  en: {
    title: 'Payment pages',
    hint: 'Your colour and logo on payment pages and checkouts. Changes take effect within ten seconds.',
    preview: 'Preview',
    none: 'No colour and no logo set',
    colour: 'Colour',
    pickColour: 'Pick a colour from the screen',
    colourHint: 'For the top of the page, buttons and links. Text on it stays readable.',
    notColour: 'Enter a colour as six hex digits, e.g. #8a1538.',
    logo: 'Logo',
    logoHint: 'PNG or SVG, at most 6,000 bytes.',
    chooseFile: 'Choose a file',
    removeLogo: 'Remove logo',
    save: 'Save',
    saved: 'Payment pages updated.',
    faults: {
      type: 'Choose a PNG or SVG image.',
      size: 'This file is larger than 6,000 bytes. Make it smaller, e.g. with svgo or pngquant.',
    },
    privacy: 'We store the logo and serve it ourselves. No other server learns about your payers.',
  },
  fr: {
    title: 'Pages de paiement',
    hint: 'Votre couleur et votre logo sur les pages de paiement. Effectif sous dix secondes.',
    preview: 'Aperçu',
    none: 'Ni couleur ni logo',
    colour: 'Couleur',
    pickColour: 'Choisir une couleur à l’écran',
    colourHint: 'Pour le haut de la page, les boutons et les liens. Le texte y reste lisible.',
    notColour: 'Saisissez une couleur en six chiffres hexadécimaux, p. ex. #8a1538.',
    logo: 'Logo',
    logoHint: 'PNG ou SVG, 6 000 octets au plus.',
    chooseFile: 'Choisir un fichier',
    removeLogo: 'Retirer le logo',
    save: 'Enregistrer',
    saved: 'Pages de paiement mises à jour.',
    faults: {
      type: 'Choisissez une image PNG ou SVG.',
      size: 'Ce fichier dépasse 6 000 octets. Réduisez-le, p. ex. avec svgo ou pngquant.',
    },
    privacy:
      'Nous conservons le logo et le servons nous-mêmes. Aucun autre serveur n’apprend qui paie chez vous.',
  },
});

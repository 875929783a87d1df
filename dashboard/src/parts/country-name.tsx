import type { ReactNode } from 'react';
import { useNames } from './names.tsx';

type CountryNameProps = {
  /** ISO 3166-1 alpha-3. */
  readonly code: string;
  /** Default: the name of the country. */
  readonly children?: ReactNode;
};

/** With the country's flag before it, or with its two letters where no font draws flags. Both are decoration. */
export function CountryName({ code, children }: CountryNameProps) {
  const { country, region } = useNames();
  const letters = region(code);
  return (
    <span
      className="country"
      data-flag={letters === null ? undefined : DRAWS_FLAGS ? flagOf(letters) : letters}
      data-letters={!DRAWS_FLAGS || undefined}
    >
      {children ?? country(code)}
    </span>
  );
}

const REGIONAL_A = 0x1f1e6;

/** Flags are pairs of letters of their own: "RW" is 🇷🇼. */
function flagOf(letters: string): string {
  return letters.replaceAll(/[A-Z]/g, (letter) =>
    String.fromCodePoint(REGIONAL_A + letter.charCodeAt(0) - 65),
  );
}

/** Some systems have no flags and draw the two letters one after the other. */
const DRAWS_FLAGS = (() => {
  const context = document.createElement('canvas').getContext('2d');
  const widthOf = (text: string) => context?.measureText(text).width ?? 0;
  return widthOf(flagOf('RW')) < 0.9 * (widthOf(flagOf('R')) + widthOf(flagOf('W')));
})();

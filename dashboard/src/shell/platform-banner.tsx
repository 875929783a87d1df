import { Link } from '@tanstack/react-router';
import { useWords, words } from '../language.tsx';
import type { Me, Scope } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { ROLE_WORDS } from '../parts/role-words.ts';
import style from './shell.module.css';

/** For the platform's people inside a merchant that they are not a member of: what they see, and the way out. */
export function PlatformBanner({ me, scope }: { readonly me: Me; readonly scope: Scope | null }) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  if (me.host === null || scope?.type !== 'merchant') return null;
  const { merchantId, name } = scope;
  if (me.merchants.some((one) => one.merchantId === merchantId)) return null;
  return (
    <div className={style['banner']} role="note">
      <Icon name="eye" sizePx={16} />
      <span>{said.viewing(name, roles[me.host.role])}</span>
      <Link to="/host/merchants/$merchantId" params={{ merchantId }}>
        {said.back}
      </Link>
    </div>
  );
}

const WORDS = words({
  en: {
    viewing: (name: string, role: string) => `You are viewing ${name} as the platform (${role}).`,
    back: 'Back to the platform',
  },
  fr: {
    viewing: (name: string, role: string) => `Vous consultez ${name} au titre de la plateforme (${role}).`,
    back: 'Retour à la plateforme',
  },
});

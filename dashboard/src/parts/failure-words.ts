// What a failure means for the person in front of it, and what they can do.
import { Failure } from '../api/failure.ts';
import { useWords, words } from '../language.tsx';
import { REASON_WORDS } from './reason-words.ts';

export type Explained = { readonly title: string; readonly advice: string };

export function useFailureWords(): (error: unknown) => Explained {
  const said = useWords(WORDS);
  const reasons = useWords(REASON_WORDS);
  return (error) => {
    const { code, reason } = error instanceof Failure ? error : new Failure('UNKNOWN');
    const { title, advice } = said[code] ?? otherwise(said.OTHER, code);
    const worded = reason === undefined ? undefined : reasons[reason.code]?.(reason.parameters);
    return { title, advice: worded ?? advice };
  };
}

/** A code that we have no words for is shown: support can look for it. What the server says besides is English only. */
function otherwise(other: Explained = { title: '', advice: '' }, code: string): Explained {
  return code === 'UNKNOWN' ? other : { ...other, title: `${other.title} (${code})` };
}

const WORDS = words<Readonly<Record<string, Explained>>>({
  en: {
    UNREACHABLE: {
      title: 'Connection lost',
      advice: 'Check your connection and try again. Nothing was changed.',
    },
    NOT_PERMITTED: {
      title: 'You don’t have access',
      advice: 'Ask an owner for a role that includes this.',
    },
    NOT_FOUND: {
      title: 'Page not found',
      advice: 'It may have been removed, or you don’t have access.',
    },
    INVALID_INPUT: { title: 'Check the highlighted fields', advice: 'Correct them and try again.' },
    CONFLICT: { title: 'Not possible right now', advice: 'Reload the page and try again.' },
    WRONG_PASSWORD: { title: 'Wrong password', advice: 'Try again.' },
    INVALID_PASSWORD: { title: 'Wrong password', advice: 'Try again.' },
    INVALID_EMAIL_OR_PASSWORD: {
      title: 'Wrong e-mail address or password',
      advice: 'Try again, or reset your password.',
    },
    INVALID_CODE: {
      title: 'Wrong code',
      advice: 'Codes change every 30 seconds. Enter the current one.',
    },
    INVALID_BACKUP_CODE: { title: 'Wrong code', advice: 'Each backup code works once.' },
    INVALID_TOKEN: {
      title: 'This link has expired',
      advice: 'It was already used or is too old. Request a new one.',
    },
    INVALID_TWO_FACTOR_COOKIE: { title: 'Your code expired', advice: 'Sign in again.' },
    SESSION_NOT_FRESH: { title: 'Please sign in again', advice: 'Sign out and sign in again to see this.' },
    SINGLE_SIGN_ON_NEEDED: {
      title: 'Use single sign-on',
      advice: 'People of the platform cannot sign in with a password here.',
    },
    PROVIDER_UNREACHABLE: {
      title: 'The identity provider cannot be reached',
      advice: 'Try again in a moment.',
    },
    PROVIDER_ANSWER_INVALID: {
      title: 'Single sign-on failed',
      advice: 'The identity provider gave no valid answer, or it was too old. Try again.',
    },
    EMAIL_NOT_VERIFIED: {
      title: 'Your e-mail address is not verified',
      advice: 'Verify it at the identity provider, then try again.',
    },
    MULTI_FACTOR_NEEDED: {
      title: 'Two-factor authentication is required',
      advice: 'Turn it on at the identity provider, then try again.',
    },
    NO_GROUP: {
      title: 'You have no role here',
      advice: 'Ask the administrator of your identity provider to add you to a group.',
    },
    ACCOUNT_NOT_LINKED: {
      title: 'This address belongs to another account',
      advice: 'Contact the platform administrator.',
    },
    NOT_CONFIRMED: {
      title: 'Not confirmed',
      advice: 'Sign in again with the same account when the identity provider asks you to.',
    },
    INVALID_EMAIL: { title: 'Invalid e-mail address', advice: 'Enter an address such as ana@example.com.' },
    PASSWORD_TOO_SHORT: { title: 'Password too short', advice: 'Choose a longer one.' },
    PASSWORD_TOO_LONG: { title: 'Password too long', advice: 'Choose a shorter one.' },
    CREDENTIAL_ACCOUNT_NOT_FOUND: {
      title: 'You have no password here',
      advice: 'You sign in with single sign-on. Change your password there.',
    },
    TOTP_ALREADY_ENABLED: {
      title: 'Two-factor authentication is already on',
      advice: 'Reload the page to see it.',
    },
    TOTP_NOT_ENABLED: { title: 'Two-factor authentication is off', advice: 'Set it up first.' },
    TWO_FACTOR_NOT_ENABLED: { title: 'Two-factor authentication is off', advice: 'Set it up first.' },
    BACKUP_CODES_NOT_ENABLED: { title: 'You have no backup codes', advice: 'Use your authenticator app.' },
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { title: 'Too many attempts', advice: 'Sign in again.' },
    ACCOUNT_TEMPORARILY_LOCKED: {
      title: 'Too many attempts',
      advice: 'Your account is locked for a while. Try again later.',
    },
    REQUEST_TOO_LARGE: { title: 'Too large', advice: 'Send a smaller file.' },
    RATE_LIMITED: { title: 'Too many requests', advice: 'Wait a minute, then try again.' },
    SERVICE_UNAVAILABLE: {
      title: 'The service is unavailable',
      advice: 'Nothing was changed. Try again in a moment.',
    },
    UNKNOWN_ERROR: {
      title: 'Something went wrong',
      advice: 'We don’t know whether this worked. Reload the page and check before you retry.',
    },
    TOO_MANY_TRIES: { title: 'Too many attempts', advice: 'Wait a minute, then try again.' },
    OTHER: {
      title: 'Something went wrong',
      advice: 'Try again. If it keeps happening, tell the platform administrator what you did and when.',
    },
  },
  fr: {
    UNREACHABLE: {
      title: 'Connexion perdue',
      advice: 'Vérifiez votre connexion et réessayez. Rien n’a été modifié.',
    },
    NOT_PERMITTED: {
      title: 'Vous n’avez pas accès',
      advice: 'Demandez à un propriétaire un rôle qui le permet.',
    },
    NOT_FOUND: {
      title: 'Page introuvable',
      advice: 'Elle a peut-être été supprimée, ou vous n’y avez pas accès.',
    },
    INVALID_INPUT: { title: 'Vérifiez les champs signalés', advice: 'Corrigez-les et réessayez.' },
    CONFLICT: { title: 'Impossible pour le moment', advice: 'Rechargez la page et réessayez.' },
    WRONG_PASSWORD: { title: 'Mot de passe incorrect', advice: 'Réessayez.' },
    INVALID_PASSWORD: { title: 'Mot de passe incorrect', advice: 'Réessayez.' },
    INVALID_EMAIL_OR_PASSWORD: {
      title: 'Adresse e-mail ou mot de passe incorrect',
      advice: 'Réessayez, ou réinitialisez votre mot de passe.',
    },
    INVALID_CODE: {
      title: 'Code incorrect',
      advice: 'Les codes changent toutes les 30 secondes. Saisissez le code actuel.',
    },
    INVALID_BACKUP_CODE: { title: 'Code incorrect', advice: 'Chaque code de secours sert une seule fois.' },
    INVALID_TOKEN: {
      title: 'Ce lien a expiré',
      advice: 'Il a déjà servi ou il est trop ancien. Demandez-en un nouveau.',
    },
    INVALID_TWO_FACTOR_COOKIE: { title: 'Votre code a expiré', advice: 'Connectez-vous à nouveau.' },
    SESSION_NOT_FRESH: {
      title: 'Reconnectez-vous',
      advice: 'Déconnectez-vous puis reconnectez-vous pour voir ceci.',
    },
    SINGLE_SIGN_ON_NEEDED: {
      title: 'Utilisez l’authentification unique',
      advice: 'Les personnes de la plateforme ne peuvent pas se connecter avec un mot de passe ici.',
    },
    PROVIDER_UNREACHABLE: {
      title: 'Le fournisseur d’identité est injoignable',
      advice: 'Réessayez dans un instant.',
    },
    PROVIDER_ANSWER_INVALID: {
      title: 'L’authentification unique a échoué',
      advice: 'La réponse du fournisseur d’identité n’est pas valable, ou elle est trop ancienne. Réessayez.',
    },
    EMAIL_NOT_VERIFIED: {
      title: 'Votre adresse e-mail n’est pas vérifiée',
      advice: 'Vérifiez-la auprès du fournisseur d’identité, puis réessayez.',
    },
    MULTI_FACTOR_NEEDED: {
      title: 'L’authentification à deux facteurs est obligatoire',
      advice: 'Activez-la auprès du fournisseur d’identité, puis réessayez.',
    },
    NO_GROUP: {
      title: 'Vous n’avez aucun rôle ici',
      advice: 'Demandez à l’administrateur de votre fournisseur d’identité de vous ajouter à un groupe.',
    },
    ACCOUNT_NOT_LINKED: {
      title: 'Cette adresse appartient à un autre compte',
      advice: 'Contactez l’administrateur de la plateforme.',
    },
    NOT_CONFIRMED: {
      title: 'Non confirmé',
      advice: 'Authentifiez-vous à nouveau avec le même compte quand le fournisseur d’identité le demande.',
    },
    INVALID_EMAIL: {
      title: 'Adresse e-mail incorrecte',
      advice: 'Saisissez une adresse comme ana@example.com.',
    },
    PASSWORD_TOO_SHORT: { title: 'Mot de passe trop court', advice: 'Choisissez-en un plus long.' },
    PASSWORD_TOO_LONG: { title: 'Mot de passe trop long', advice: 'Choisissez-en un plus court.' },
    CREDENTIAL_ACCOUNT_NOT_FOUND: {
      title: 'Vous n’avez pas de mot de passe ici',
      advice: 'Vous utilisez l’authentification unique. Changez votre mot de passe là-bas.',
    },
    TOTP_ALREADY_ENABLED: {
      title: 'L’authentification à deux facteurs est déjà active',
      advice: 'Rechargez la page pour la voir.',
    },
    TOTP_NOT_ENABLED: {
      title: 'L’authentification à deux facteurs est désactivée',
      advice: 'Configurez-la d’abord.',
    },
    TWO_FACTOR_NOT_ENABLED: {
      title: 'L’authentification à deux facteurs est désactivée',
      advice: 'Configurez-la d’abord.',
    },
    BACKUP_CODES_NOT_ENABLED: {
      title: 'Vous n’avez pas de codes de secours',
      advice: 'Utilisez votre application d’authentification.',
    },
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
      title: 'Trop de tentatives',
      advice: 'Connectez-vous à nouveau.',
    },
    ACCOUNT_TEMPORARILY_LOCKED: {
      title: 'Trop de tentatives',
      advice: 'Votre compte est bloqué pour un moment. Réessayez plus tard.',
    },
    REQUEST_TOO_LARGE: { title: 'Trop volumineux', advice: 'Envoyez un fichier plus petit.' },
    RATE_LIMITED: { title: 'Trop de demandes', advice: 'Attendez une minute, puis réessayez.' },
    SERVICE_UNAVAILABLE: {
      title: 'Le service est indisponible',
      advice: 'Rien n’a été modifié. Réessayez dans un instant.',
    },
    UNKNOWN_ERROR: {
      title: 'Une erreur s’est produite',
      advice: 'Le résultat n’est pas connu. Rechargez la page et vérifiez avant de réessayer.',
    },
    TOO_MANY_TRIES: { title: 'Trop de tentatives', advice: 'Attendez une minute, puis réessayez.' },
    OTHER: {
      title: 'Une erreur s’est produite',
      advice:
        'Réessayez. Si cela persiste, dites à l’administrateur de la plateforme ce que vous avez fait et quand.',
    },
  },
});

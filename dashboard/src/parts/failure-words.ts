// What a failure means for the person in front of it, and what they can do.
import { Failure } from '../api/failure.ts';
import { useWords, words } from '../language.tsx';

export type Explained = { readonly title: string; readonly advice: string };

/** Codes whose message from the server says more than any sentence of ours could. */
const SPEAKS_FOR_ITSELF = ['INVALID_INPUT', 'CONFLICT'];

export function useFailureWords(): (error: unknown) => Explained {
  const said = useWords(WORDS);
  return (error) => {
    const code = error instanceof Failure ? error.code : 'UNKNOWN';
    const known = said[code] ?? { title: said.OTHER?.title ?? '', advice: '' };
    const message = error instanceof Failure ? error.message : '';
    const advice = SPEAKS_FOR_ITSELF.includes(code) || known.advice === '' ? message : known.advice;
    return { title: known.title, advice: advice === '' ? (said.OTHER?.advice ?? '') : advice };
  };
}

const WORDS = words<Readonly<Record<string, Explained>>>({
  en: {
    UNREACHABLE: {
      title: 'The gateway cannot be reached',
      advice: 'Check your connection, then try again. Nothing was changed by this screen.',
    },
    NOT_PERMITTED: {
      title: 'Your role does not permit this',
      advice: 'Somebody who manages the team can give you another role.',
    },
    NOT_FOUND: {
      title: 'There is nothing here',
      advice: 'It may have been removed, or it is not yours to see. Check the address.',
    },
    INVALID_INPUT: { title: 'Something is not filled in right', advice: '' },
    CONFLICT: { title: 'This cannot be done now', advice: '' },
    WRONG_PASSWORD: { title: 'This is not your password', advice: 'Try again.' },
    INVALID_PASSWORD: { title: 'This is not your password', advice: 'Try again.' },
    INVALID_EMAIL_OR_PASSWORD: {
      title: 'E-mail address or password is wrong',
      advice: 'Try again, or choose a new password.',
    },
    INVALID_CODE: {
      title: 'The code is wrong',
      advice: 'Codes change every 30 seconds. Enter the present one.',
    },
    INVALID_BACKUP_CODE: { title: 'The code is wrong', advice: 'Each backup code works once.' },
    INVALID_TOKEN: {
      title: 'This link does not work any more',
      advice: 'It was used already or is too old. Ask for a new one.',
    },
    INVALID_TWO_FACTOR_COOKIE: { title: 'That took too long', advice: 'Sign in again.' },
    SESSION_NOT_FRESH: { title: 'You signed in long ago', advice: 'Sign out and in again to see this.' },
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
      advice: 'Ask the person who manages your groups at the identity provider.',
    },
    ACCOUNT_NOT_LINKED: {
      title: 'This address belongs to another account',
      advice: 'Ask an administrator of the gateway.',
    },
    NOT_CONFIRMED: {
      title: 'Not confirmed',
      advice: 'Sign in again with the same account when the identity provider asks you to.',
    },
    TOO_MANY_TRIES: { title: 'Too many tries', advice: 'Wait a minute, then try again.' },
    OTHER: {
      title: 'That did not work',
      advice: 'Try again. If it stays so, tell whoever runs the gateway what you did and when.',
    },
  },
  fr: {
    UNREACHABLE: {
      title: 'La passerelle est injoignable',
      advice: 'Vérifiez votre connexion, puis réessayez. Cet écran n’a rien modifié.',
    },
    NOT_PERMITTED: {
      title: 'Votre rôle ne le permet pas',
      advice: 'Une personne qui gère l’équipe peut vous donner un autre rôle.',
    },
    NOT_FOUND: {
      title: 'Il n’y a rien ici',
      advice: 'L’élément a été supprimé, ou vous n’y avez pas accès. Vérifiez l’adresse.',
    },
    INVALID_INPUT: { title: 'Une donnée n’est pas correcte', advice: '' },
    CONFLICT: { title: 'Impossible pour le moment', advice: '' },
    WRONG_PASSWORD: { title: 'Ce n’est pas votre mot de passe', advice: 'Réessayez.' },
    INVALID_PASSWORD: { title: 'Ce n’est pas votre mot de passe', advice: 'Réessayez.' },
    INVALID_EMAIL_OR_PASSWORD: {
      title: 'Adresse e-mail ou mot de passe incorrect',
      advice: 'Réessayez, ou choisissez un nouveau mot de passe.',
    },
    INVALID_CODE: {
      title: 'Le code est faux',
      advice: 'Les codes changent toutes les 30 secondes. Saisissez celui du moment.',
    },
    INVALID_BACKUP_CODE: { title: 'Le code est faux', advice: 'Chaque code de secours sert une seule fois.' },
    INVALID_TOKEN: {
      title: 'Ce lien ne fonctionne plus',
      advice: 'Il a déjà servi ou il est trop ancien. Demandez-en un nouveau.',
    },
    INVALID_TWO_FACTOR_COOKIE: { title: 'Trop de temps a passé', advice: 'Connectez-vous à nouveau.' },
    SESSION_NOT_FRESH: {
      title: 'Votre connexion est ancienne',
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
      advice: 'Demandez à la personne qui gère vos groupes auprès du fournisseur d’identité.',
    },
    ACCOUNT_NOT_LINKED: {
      title: 'Cette adresse appartient à un autre compte',
      advice: 'Demandez à une personne qui administre la passerelle.',
    },
    NOT_CONFIRMED: {
      title: 'Non confirmé',
      advice: 'Authentifiez-vous à nouveau avec le même compte quand le fournisseur d’identité le demande.',
    },
    TOO_MANY_TRIES: { title: 'Trop de tentatives', advice: 'Attendez une minute, puis réessayez.' },
    OTHER: {
      title: 'Cela n’a pas fonctionné',
      advice:
        'Réessayez. Si cela persiste, dites à l’exploitant de la passerelle ce que vous avez fait et quand.',
    },
  },
});

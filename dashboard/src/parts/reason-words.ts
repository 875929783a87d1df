import { words, type Language } from '../language.tsx';
import { formatDay } from './days.ts';
import { FIELD_WORDS } from './field-words.ts';
import { groupDigits } from './money.tsx';
import { SETTLEMENT_REASON_WORDS } from './settlement-reason-words.ts';

type Parameters = Readonly<Record<string, string>>;

/** A day in UTC: the ledger's. */
function dayOf(language: Language, at = ''): string {
  return Number.isNaN(Date.parse(at)) ? at : `${formatDay(at.slice(0, 10), language)} (UTC)`;
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? '' : ` (${text})`;
}

/** Where something stands, in an installation with several cells. */
function inCell(language: Language, cell: string | undefined): string {
  if (cell === undefined) return '';
  return language === 'fr' ? ` dans la cellule ${cell}` : ` in cell ${cell}`;
}

/** What exactly is wrong with a call, and what to do, by the code of the reason. A test looks for all of them. */
export const REASON_WORDS = words<Readonly<Record<string, (parameters: Parameters) => string>>>({
  en: {
    INVALID_PARAMETER: ({ parameter = '' }) =>
      `“${FIELD_WORDS.en[parameter] ?? parameter}” has a value that is not accepted. Correct it and try again.`,
    REQUEST_UNREADABLE: () => 'The request could not be read. Reload the page and try again.',
    CURSOR_INVALID: () => 'This page of the list no longer exists. Go back to the first page.',
    PERIOD_REVERSED: () => 'The end of the period must be after its start.',
    PERIOD_TOO_LONG: ({ days = '' }) => `Choose a period of at most ${days} days.`,
    AMOUNT_NEEDS_MERCHANT: () => 'Select a merchant to filter by amount.',
    OUTCOME_UNKNOWN: () => 'We don’t know yet whether this worked. Check again in a minute before you retry.',
    MERCHANT_MOVING: () => 'This merchant is being moved to another cell. Try again later.',
    OTHER_ADDRESS: ({ address = '' }) => `Open the dashboard at its own address, ${address}.`,
    BUSY: () => 'Someone else is changing this. Nothing was done; try again in a moment.',
    TIME_ZONE_UNKNOWN: ({ timeZone = '' }) => `Unknown time zone “${timeZone}”. Choose one of the list.`,
    CURRENCY_UNKNOWN: ({ currency = '' }) =>
      `No operator has the currency “${currency}”. Choose one of the list.`,
    CONFIRM_AT_PROVIDER: () => 'You signed in with single sign-on. Confirm there that it’s you.',
    ACCOUNT_EXISTS: () => 'You already have an account. Sign in, then open the invitation again.',
    INVITATION_INVALID: () =>
      'This invitation was used or withdrawn, has expired, or is for another e-mail address. Ask for a new one.',
    LAST_OWNER: () => 'The team would have no one left to manage it. Give another person this role first.',
    BREAK_GLASS_EXISTS: () => 'There is already a break-glass account. Remove it first.',
    CANNOT_CANCEL: () => 'Only a payment that is still queued can be cancelled. Reload to see its status.',
    CANNOT_RESEND: () => 'The payment is still in progress, or no callback URL is set for it.',
    CANNOT_REFUND: () => 'Only a completed deposit can be refunded.',
    URL_INVALID: () => 'Enter a full URL, e.g. https://shop.example/callbacks.',
    URL_NEEDS_HTTPS: () => 'Enter a URL that starts with https://.',
    PORT_NOT_ALLOWED: ({ port = '' }) =>
      `Callbacks are not sent to port ${port}. Use port 443, or ask the platform to allow it.`,
    ENDPOINT_NOT_DISABLED: () => 'This endpoint is already enabled. Reload to see its status.',
    ENDPOINT_MISSING: () => 'No endpoint is set for this event. Set one first.',
    TOKEN_REVOKED: () => 'This token was already revoked.',
    SCOPE_UNKNOWN: ({ scope = '' }) => `The permission ${scope} does not exist. Reload and try again.`,
    KEY_INVALID: ({ algorithm = '' }) =>
      `This is not a public key for ${algorithm} in PEM format. Paste the output of the second command.`,
    KEY_ID_TAKEN: () => 'A key with this ID exists. Choose another ID.',
    PUBLIC_KEY_MISSING: () => 'Add a public key first. Without one, every request would be refused.',
    BATCH_CHANGED: () => 'The status of this batch has changed. Reload to see it.',
    APPROVAL_DECIDED: () => 'This request was already decided. Reload to see the result.',
    APPROVAL_CHANGED: () => 'This request has changed since you opened it. Reload, and check it again.',
    APPROVAL_OWN: () => 'You requested this, so another person must decide.',
    APPROVAL_BREAK_GLASS: () => 'The break-glass account cannot request or approve.',
    APPROVAL_NOT_YOURS: () => 'Only the person who requested this can cancel it. You can reject it instead.',
    APPROVAL_NOT_INDEPENDENT: () =>
      'You added this merchant or belong to it, so another person of the platform must approve.',
    APPROVAL_REQUESTER_GONE: () => 'The person who requested this no longer has the right to. Reject it.',
    APPROVAL_REASON_MISSING: () => 'Enter why you reject it.',
    APPROVAL_NOT_POSSIBLE: () =>
      'This cannot be done now, and is still pending. Check its details, or reject it.',
    FILES_BUSY: ({ by = '' }) =>
      `${by} is working with a file of this provider. Try again when that has ended: no other file begins for ten ` +
      'minutes then.',
    APPROVAL_MERCHANT_PERSON: () =>
      'You belong to a merchant, and this may be about a payment of any. ' +
      'An administrator who belongs to no merchant approves it.',
    LOST_PAYMENT_ELSEWHERE: ({ cell = '' }) =>
      cell === ''
        ? 'No other cell has this payment in its books.'
        : `Cell ${cell} knows this payment. If it is completed there, decide that it is in another cell; ` +
          'otherwise end it there first.',
    LOST_PAYMENT_SENT_AGAIN: () => 'The merchant has sent this payment again. It ends by itself.',
    LOST_PAYMENT_REQUESTED: () =>
      'A decision about this payment is pending approval. Approve or reject that request first.',
    LOST_PAYMENT_NOT_INDEPENDENT: () =>
      'You belong to this merchant, or have added it. Another person must ask for this.',
    RECOVERY_OPEN: () =>
      'The recovery is open, so merchants may still send this payment again. An engineer ends it first.',
    APPROVAL_COLUMNS_OWN: () =>
      'You set columns of this file, so somebody who set none must approve it. ' +
      'Or reject this and upload the file yourself.',
    WALLET_BALANCE_LOW: ({ available = '', currency = '' }) =>
      `The wallet has only ${groupDigits(available, 'en')} ${currency} available. Nothing was moved, and the request ` +
      'is still pending.',
    REFERENCE_POSTED: ({ reference = '', at, cell }) =>
      `The transfer ${reference} was already posted on ${dayOf('en', at)}${inCell('en', cell)}. Nothing was moved ` +
      'again.',
    REFERENCE_REQUESTED: ({ reference = '', at, cell }) =>
      `The transfer ${reference} was requested on ${dayOf('en', at)}${inCell('en', cell)} and is pending approval.`,
    REFERENCE_TAKEN: ({ reference = '', amount = '', currency = '', at, cell }) =>
      `The reference ${reference} belongs to another transfer: ${groupDigits(amount, 'en')} ${currency} on ` +
      `${dayOf('en', at)}${inCell('en', cell)}. ` +
      'Nothing was moved. Check the reference.',
    CELL_SILENT: ({ cell = '' }) =>
      `The cell ${cell} of this installation does not answer. Nothing was done; try again when it does.`,
    REFERENCE_INVALID: () =>
      'Enter the reference as the bank or the operator writes it: 3 to 64 letters, digits and ./_:-.',
    REFERENCE_MISSING: () => 'Enter the bank’s reference.',
    REFERENCE_NOT_ALLOWED: () => 'An adjustment has no bank reference. Leave it empty.',
    AMOUNT_ZERO: () => 'Enter an amount other than 0.',
    AMOUNT_NEGATIVE: () => 'Enter an amount above 0. Only adjustments and operator charges can be negative.',
    AMOUNT_DECIMALS: ({ currency = '' }) => `The amount has too many decimals for ${currency}.`,
    WALLET_UNUSED: () => 'This merchant has no products that use this wallet. Choose another wallet.',
    PROVIDER_UNKNOWN: ({ provider = '' }) => `Unknown operator “${provider}”. Reload the page and try again.`,
    CURRENCY_NOT_OFFERED: ({ currency = '' }) => `This operator does not have the currency ${currency}.`,
    OPERATION_NOT_OFFERED: ({ currency = '' }) =>
      `The operator does not offer this type of payment in ${currency}.`,
    REQUEST_ID_TAKEN: () =>
      'This form was already sent with other values. Look at the pending requests, then open it again.',
    TRANSACTION_MISSING: () => 'Enter the operator transaction ID.',
    TRANSACTION_TAKEN: ({ paymentId, cell }) =>
      `This operator transaction ID belongs to another payment or movement${inBrackets(paymentId)}` +
      `${inCell('en', cell)}. Check it.`,
    REPORT_TO_APPROVE: ({ provider = '', lineNo = '', by = '' }) =>
      `Line ${lineNo} of a report of ${provider}, imported by ${by}, is about this payment and waits for approval. ` +
      'Approve or reject that report first, under Approvals.',
    PAYMENT_RESOLVED: () => 'This payment is already resolved. Reload to see its status.',
    CASE_RESOLVED: () => 'This case is already resolved. Reload to see the result.',
    REVIEW_NOT_HELD: () => 'This payment no longer waits for a decision. Reload the page.',
    REVIEW_REQUESTED: () => 'A decision is already pending. Approve or reject it first.',
    REVIEW_RULE_INVALID: () => 'These values do not fit the rule. Check them.',
    CLOSE_SIGNED: () => 'This day is already signed. Reload to see it.',
    CLOSE_REQUESTED: () => 'A signature is already pending approval. Approve or reject it first.',
    CLOSE_BEING_COMPARED: () => 'The day is being compared. Try again in a moment.',
    CLOSE_CHANGED: () => 'The day has changed since you opened it. Reload, and check it again.',
    CLOSE_NOTE_MISSING: () =>
      'Something differs or was not read. Enter a note that says why you sign the day.',
    CLOSE_NOT_SIGNED: () => 'This day is not signed. Reload the page.',
    CLOSE_NOT_LAST: ({ lastDay = '' }) => `Days after this one are signed. Reopen ${lastDay} first.`,
    CLOSE_FIRST_DAY_SIGNED: ({ lastDay = '' }) => `Days are signed. Reopen them first, from ${lastDay} on.`,
    CLOSE_FIRST_DAY_NOT_BEGUN: () => 'Choose a day that has begun.',
    CLOSE_FIRST_DAY_REQUESTED: () =>
      'Another first day is already pending approval. Approve or reject it first.',
    REOPENING_REQUESTED: () => 'A reopening is already pending approval. Approve or reject it first.',
    CLOSE_NOT_POSSIBLE: () => 'This day cannot be signed yet. Reload to see why.',
    FILE_VOIDED: () => 'This file was voided before.',
    FILE_NOT_IMPORTED: () => 'Nothing of this file was imported, so there is nothing to take back.',
    FILE_VOID_REQUESTED: () => 'Somebody has asked to void this file. Approve or reject that request first.',
    REPORT_NOT_REFUSED: () => 'This file was imported, or accepted as it is. Upload it again.',
    REPORT_READING_REQUESTED: () => 'To import this file all the same is pending approval.',
    REPORT_TOO_LARGE: ({ megabytes = '' }) =>
      `The file has more than ${megabytes} MB. Split it, or import it on the command line.`,
    REPORT_MAPPING_INVALID: () =>
      'Enter the columns of the time, of the amount (or of money in and out, without a direction) and of the ' +
      'reference. A word needs the column that it is in.',
    END_REQUESTED: ({ by = '', outcome = '' }) =>
      `${by} has already asked to end this payment as ${outcome}. Approve or reject that request first.`,
    CASE_REQUESTED: ({ by = '' }) => `${by} has already proposed a resolution. Approve or reject it first.`,
    CASE_RESOLUTION_NOT_ALLOWED: () => 'This resolution is not possible for this case. Choose another one.',
    CASE_AMOUNT_MISSING: () => 'Enter the difference between the operator’s report and our books, or 0.',
    CASE_AMOUNT_NOT_ALLOWED: () => 'This case is about the amount of the payment. Leave the amount empty.',
    CASE_PAYMENT_NOT_FINAL: () =>
      'The payment has no final status yet: the operator may still move the money. Wait for its result.',
    ...SETTLEMENT_REASON_WORDS.en,
    EXPIRY_PAST: () => 'Choose an expiry in the future.',
    PHONE_NUMBER_INVALID: () => 'Enter the phone number with its country code, such as 250783456789.',
    TOKEN_UNKNOWN: () => 'There is no such API token. Check its ID.',
    SUBJECT_MISSING: () => 'Choose what to freeze.',
    LIMIT_NOTHING: () => 'Enter a number of payments, an amount, or both.',
    LIMIT_SUBJECT_NOT_ALLOWED: () => 'Only an API token, a provider or a country can be chosen.',
    LIMIT_CURRENCY_MISSING: () => 'Choose a currency: an amount is counted in one currency.',
    COUNTRY_UNKNOWN: ({ country = '' }) => `There is no country “${country}”. Reload the page and try again.`,
    NUMBER_FILE_UNREADABLE: () => 'The file must be CSV with the columns number, reason and expires.',
    NUMBER_FILE_EMPTY: () => 'The file has no phone numbers.',
    NUMBER_FILE_TOO_LONG: ({ rowsMax = '' }) =>
      `The file has more than ${groupDigits(rowsMax, 'en')} numbers. Split it.`,
    NUMBER_FILE_NUMBER: ({ line = '' }) => `Line ${line}: enter a phone number with its country code.`,
    NUMBER_FILE_REASON: ({ line = '' }) => `Line ${line}: the reason is missing.`,
    NUMBER_FILE_EXPIRES: ({ line = '' }) => `Line ${line}: write the expiry as 2027-01-31T14:00:00Z.`,
    LOGO_TYPE: () => 'Choose a PNG or SVG image.',
    LOGO_TOO_LARGE: ({ bytes = '', bytesMax = '' }) =>
      `The logo has ${groupDigits(bytes, 'en')} bytes. Choose one of at most ${groupDigits(bytesMax, 'en')}, for ` +
      'payers on slow networks.',
    LOGO_TOO_WIDE: ({ pixelsMax = '' }) => `Choose a logo of at most ${pixelsMax} × ${pixelsMax} pixels.`,
    AMOUNT_TOO_LARGE: () => 'The amount is larger than what can still be refunded. Enter a smaller amount.',
    AMOUNT_OUT_OF_BOUNDS: () => 'The operator does not accept this amount. Check its limits.',
    DEPOSIT_ALREADY_REFUNDED: () => 'This deposit has been refunded in full.',
    DUPLICATE_IDENTIFIER: () => 'This request was already sent. Reload to see its result.',
    INVALID_AMOUNT: () => 'The amount has too many decimals for this operator.',
    INVALID_DATE_RANGE: () => 'Choose a period of at most 31 days that starts in the past.',
    INVALID_PROVIDER: () => 'Refunds are not enabled for this operator.',
    PROVIDER_TEMPORARILY_UNAVAILABLE: () => 'The operator is unavailable. Try again later.',
    REFUND_IN_PROGRESS: () => 'Another refund of this deposit is in progress. Wait until it finishes.',
    REFUNDS_NOT_ALLOWED: () => 'Refunds are not enabled for this merchant, or a limit is reached.',
    TOO_MANY_STATEMENTS: () => 'Too many statements are in progress. Wait until some are finished.',
    WALLET_NOT_FOUND: () => 'This wallet does not exist. Choose one of the list.',
    WALLET_OUT_OF_FUNDS: () => 'The wallet balance is too low, fees included. Top it up and try again.',
  },
  fr: {
    INVALID_PARAMETER: ({ parameter = '' }) =>
      `La valeur de « ${FIELD_WORDS.fr[parameter] ?? parameter} » n’est pas acceptée. Corrigez-la et réessayez.`,
    REQUEST_UNREADABLE: () => 'La demande est illisible. Rechargez la page et réessayez.',
    CURSOR_INVALID: () => 'Cette page de la liste n’existe plus. Revenez à la première page.',
    PERIOD_REVERSED: () => 'La fin de la période doit suivre son début.',
    PERIOD_TOO_LONG: ({ days = '' }) => `Choisissez une période de ${days} jours au plus.`,
    AMOUNT_NEEDS_MERCHANT: () => 'Choisissez un marchand pour filtrer par montant.',
    OUTCOME_UNKNOWN: () => 'Le résultat n’est pas encore connu. Vérifiez dans une minute avant de réessayer.',
    MERCHANT_MOVING: () =>
      'Ce marchand est en cours de transfert vers une autre cellule. Réessayez plus tard.',
    OTHER_ADDRESS: ({ address = '' }) => `Ouvrez le tableau de bord à sa propre adresse, ${address}.`,
    BUSY: () => 'Une autre personne modifie cet élément. Rien n’a été fait ; réessayez dans un instant.',
    TIME_ZONE_UNKNOWN: ({ timeZone = '' }) =>
      `Fuseau horaire « ${timeZone} » inconnu. Choisissez-en un dans la liste.`,
    CURRENCY_UNKNOWN: ({ currency = '' }) =>
      `Aucun opérateur n’utilise la devise « ${currency} ». Choisissez-en une dans la liste.`,
    CONFIRM_AT_PROVIDER: () =>
      'Vous utilisez l’authentification unique. Confirmez votre identité auprès de votre fournisseur d’identité.',
    ACCOUNT_EXISTS: () => 'Vous avez déjà un compte. Connectez-vous, puis ouvrez de nouveau l’invitation.',
    INVITATION_INVALID: () =>
      'Cette invitation a été utilisée ou retirée, a expiré ou concerne une autre adresse. Demandez-en une nouvelle.',
    LAST_OWNER: () =>
      'Plus personne ne pourrait gérer l’équipe. Donnez d’abord ce rôle à une autre personne.',
    BREAK_GLASS_EXISTS: () => 'Il existe déjà un compte d’urgence. Supprimez-le d’abord.',
    CANNOT_CANCEL: () =>
      'Seul un paiement encore en attente peut être annulé. Rechargez la page pour voir son statut.',
    CANNOT_RESEND: () => 'Le paiement est encore en cours, ou aucune URL de callback n’est configurée.',
    CANNOT_REFUND: () => 'Seul un encaissement réussi peut être remboursé.',
    URL_INVALID: () => 'Saisissez une URL complète, p. ex. https://shop.example/callbacks.',
    URL_NEEDS_HTTPS: () => 'Saisissez une URL qui commence par https://.',
    PORT_NOT_ALLOWED: ({ port = '' }) =>
      `Les callbacks ne sont pas envoyés au port ${port}. Utilisez le port 443, ou demandez à la plateforme.`,
    ENDPOINT_NOT_DISABLED: () => 'Cette adresse est déjà active. Rechargez la page pour voir son statut.',
    ENDPOINT_MISSING: () => 'Aucune adresse n’est définie pour cet événement. Définissez-en une.',
    TOKEN_REVOKED: () => 'Ce jeton a déjà été révoqué.',
    SCOPE_UNKNOWN: ({ scope = '' }) => `Le droit ${scope} n’existe pas. Rechargez la page et réessayez.`,
    KEY_INVALID: ({ algorithm = '' }) =>
      `Ce n’est pas une clé publique ${algorithm} au format PEM. Collez le résultat de la seconde commande.`,
    KEY_ID_TAKEN: () => 'Une clé avec cet identifiant existe. Choisissez un autre identifiant.',
    PUBLIC_KEY_MISSING: () => 'Ajoutez d’abord une clé publique. Sans clé, toute requête serait refusée.',
    BATCH_CHANGED: () => 'Le statut de ce lot a changé. Rechargez la page pour le voir.',
    APPROVAL_DECIDED: () => 'Cette demande a déjà été décidée. Rechargez la page pour voir le résultat.',
    APPROVAL_CHANGED: () => 'Cette demande a changé depuis. Rechargez la page et vérifiez-la de nouveau.',
    APPROVAL_OWN: () => 'Vous avez fait cette demande : une autre personne doit décider.',
    APPROVAL_BREAK_GLASS: () => 'Le compte de secours ne peut ni demander ni approuver.',
    APPROVAL_NOT_YOURS: () =>
      'Seule la personne qui a fait cette demande peut l’annuler. Vous pouvez la rejeter.',
    APPROVAL_NOT_INDEPENDENT: () =>
      'Vous avez ajouté ce marchand ou en faites partie : une autre personne de la plateforme doit approuver.',
    APPROVAL_REQUESTER_GONE: () => 'La personne qui a fait cette demande n’en a plus le droit. Rejetez-la.',
    APPROVAL_REASON_MISSING: () => 'Indiquez pourquoi vous rejetez.',
    APPROVAL_NOT_POSSIBLE: () =>
      'Ce n’est pas possible maintenant ; la demande reste en attente. Vérifiez ses détails, ou rejetez-la.',
    FILES_BUSY: ({ by = '' }) =>
      `${by} traite un fichier de ce fournisseur. Réessayez quand ce sera terminé : aucun autre fichier ne sera ` +
      'importé pendant dix minutes.',
    APPROVAL_MERCHANT_PERSON: () =>
      'Vous appartenez à un marchand, et il peut s’agir du paiement de n’importe lequel. ' +
      'Un administrateur qui n’appartient à aucun marchand approuve.',
    LOST_PAYMENT_ELSEWHERE: ({ cell = '' }) =>
      cell === ''
        ? 'Aucune autre cellule n’a ce paiement dans ses comptes.'
        : `La cellule ${cell} connaît ce paiement. S’il y est réussi, décidez qu’il est dans une autre cellule ; ` +
          'sinon, terminez-le d’abord là-bas.',
    LOST_PAYMENT_SENT_AGAIN: () => 'Le marchand a renvoyé ce paiement. Il se termine de lui-même.',
    LOST_PAYMENT_REQUESTED: () =>
      'Une décision sur ce paiement attend une approbation. Approuvez ou rejetez d’abord cette demande.',
    LOST_PAYMENT_NOT_INDEPENDENT: () =>
      'Vous appartenez à ce marchand, ou vous l’avez ajouté. Une autre personne doit faire la demande.',
    RECOVERY_OPEN: () =>
      'La reprise est en cours : des marchands peuvent encore renvoyer ce paiement. Un ingénieur y met fin d’abord.',
    APPROVAL_COLUMNS_OWN: () =>
      'Vous avez défini des colonnes de ce fichier : quelqu’un qui n’en a défini aucune doit approuver. ' +
      'Ou rejetez la demande, puis importez le fichier vous-même.',
    WALLET_BALANCE_LOW: ({ available = '', currency = '' }) =>
      `Seulement ${groupDigits(available, 'fr')} ${currency} sont disponibles. Rien n’a été transféré ; la demande ` +
      'reste en attente.',
    REFERENCE_POSTED: ({ reference = '', at, cell }) =>
      `Le transfert ${reference} a déjà été comptabilisé le ${dayOf('fr', at)}${inCell('fr', cell)}. Rien n’a été ` +
      'transféré de nouveau.',
    REFERENCE_REQUESTED: ({ reference = '', at, cell }) =>
      `Le transfert ${reference} a été demandé le ${dayOf('fr', at)}${inCell('fr', cell)} et attend une approbation.`,
    REFERENCE_TAKEN: ({ reference = '', amount = '', currency = '', at, cell }) =>
      `La référence ${reference} est celle d’un autre transfert : ${groupDigits(amount, 'fr')} ${currency} le ` +
      `${dayOf('fr', at)}${inCell('fr', cell)}. ` +
      'Rien n’a été transféré. Vérifiez la référence.',
    CELL_SILENT: ({ cell = '' }) =>
      `La cellule ${cell} de cette installation ne répond pas. Rien n’a été fait ; réessayez quand elle répond.`,
    REFERENCE_INVALID: () =>
      'Saisissez la référence de la banque ou de l’opérateur : 3 à 64 lettres, chiffres et ./_:-.',
    REFERENCE_MISSING: () => 'Saisissez la référence bancaire.',
    REFERENCE_NOT_ALLOWED: () => 'Un ajustement n’a pas de référence bancaire. Laissez ce champ vide.',
    AMOUNT_ZERO: () => 'Saisissez un montant différent de 0.',
    AMOUNT_NEGATIVE: () =>
      'Saisissez un montant supérieur à 0. Seuls les ajustements et les frais d’opérateur peuvent être négatifs.',
    AMOUNT_DECIMALS: ({ currency = '' }) => `Le montant a trop de décimales pour la devise ${currency}.`,
    WALLET_UNUSED: () => 'Aucun produit de ce marchand n’utilise ce portefeuille. Choisissez-en un autre.',
    PROVIDER_UNKNOWN: ({ provider = '' }) =>
      `Opérateur « ${provider} » inconnu. Rechargez la page et réessayez.`,
    CURRENCY_NOT_OFFERED: ({ currency = '' }) => `Cet opérateur n’a pas la devise ${currency}.`,
    OPERATION_NOT_OFFERED: ({ currency = '' }) =>
      `L’opérateur ne propose pas ce type de paiement en ${currency}.`,
    REQUEST_ID_TAKEN: () =>
      'Ce formulaire a déjà été envoyé avec d’autres valeurs. Voyez les demandes en attente, puis rouvrez-le.',
    TRANSACTION_MISSING: () => 'Saisissez l’identifiant de transaction de l’opérateur.',
    TRANSACTION_TAKEN: ({ paymentId, cell }) =>
      `Cet identifiant de transaction est celui d’un autre paiement ou mouvement${inBrackets(paymentId)}` +
      `${inCell('fr', cell)}. ` +
      'Vérifiez-le.',
    REPORT_TO_APPROVE: ({ provider = '', lineNo = '', by = '' }) =>
      `La ligne ${lineNo} d’un relevé de ${provider}, importé par ${by}, concerne ce paiement et attend une ` +
      'approbation. Approuvez ou rejetez d’abord ce relevé, sous Approbations.',
    PAYMENT_RESOLVED: () => 'Ce paiement est déjà résolu. Rechargez la page pour voir son statut.',
    CASE_RESOLVED: () => 'Ce dossier est déjà résolu. Rechargez la page pour voir le résultat.',
    REVIEW_NOT_HELD: () => 'Ce paiement n’attend plus de décision. Rechargez la page.',
    REVIEW_REQUESTED: () => 'Une décision est déjà en attente. Approuvez-la ou refusez-la d’abord.',
    REVIEW_RULE_INVALID: () => 'Ces valeurs ne conviennent pas à la règle. Vérifiez-les.',
    CLOSE_SIGNED: () => 'Cette journée est déjà signée. Rechargez la page pour la voir.',
    CLOSE_REQUESTED: () => 'Une signature attend déjà une approbation. Approuvez-la ou refusez-la d’abord.',
    CLOSE_BEING_COMPARED: () => 'La journée est en cours de comparaison. Réessayez dans un instant.',
    CLOSE_CHANGED: () =>
      'La journée a changé depuis que vous l’avez ouverte. Rechargez la page et vérifiez-la.',
    CLOSE_NOTE_MISSING: () =>
      'Il y a un écart ou une ligne illisible. Saisissez une note qui dit pourquoi vous signez.',
    CLOSE_NOT_SIGNED: () => 'Cette journée n’est pas signée. Rechargez la page.',
    CLOSE_NOT_LAST: ({ lastDay = '' }) => `Des journées suivantes sont signées. Rouvrez d’abord ${lastDay}.`,
    CLOSE_FIRST_DAY_SIGNED: ({ lastDay = '' }) =>
      `Des journées sont signées. Rouvrez-les d’abord, à partir de ${lastDay}.`,
    CLOSE_FIRST_DAY_NOT_BEGUN: () => 'Choisissez une journée qui a commencé.',
    CLOSE_FIRST_DAY_REQUESTED: () =>
      'Une autre première journée attend déjà une approbation. Approuvez-la ou refusez-la d’abord.',
    REOPENING_REQUESTED: () =>
      'Une réouverture attend déjà une approbation. Approuvez-la ou refusez-la d’abord.',
    CLOSE_NOT_POSSIBLE: () =>
      'Cette journée ne peut pas encore être signée. Rechargez la page pour voir pourquoi.',
    FILE_VOIDED: () => 'Ce fichier a déjà été annulé.',
    FILE_NOT_IMPORTED: () => 'Rien de ce fichier n’a été importé : il n’y a rien à reprendre.',
    FILE_VOID_REQUESTED: () =>
      'L’annulation de ce fichier est déjà demandée. Approuvez ou refusez d’abord cette demande.',
    REPORT_NOT_REFUSED: () => 'Ce fichier a été importé, ou accepté tel quel. Importez-le de nouveau.',
    REPORT_READING_REQUESTED: () => 'L’import de ce fichier malgré tout attend une approbation.',
    REPORT_TOO_LARGE: ({ megabytes = '' }) =>
      `Le fichier dépasse ${megabytes} Mo. Divisez-le, ou importez-le en ligne de commande.`,
    REPORT_MAPPING_INVALID: () =>
      'Saisissez les colonnes de l’heure, du montant (ou des entrées et des sorties, sans le sens) et de la ' +
      'référence. Un mot a besoin de la colonne où il se trouve.',
    END_REQUESTED: ({ by = '', outcome = '' }) =>
      `${by} a déjà demandé de terminer ce paiement comme ${outcome}. Approuvez ou refusez d’abord cette demande.`,
    CASE_REQUESTED: ({ by = '' }) =>
      `${by} a déjà proposé une résolution. Approuvez-la ou rejetez-la d’abord.`,
    CASE_RESOLUTION_NOT_ALLOWED: () =>
      'Cette résolution est impossible pour ce dossier. Choisissez-en une autre.',
    CASE_AMOUNT_MISSING: () => 'Saisissez l’écart entre le relevé de l’opérateur et la comptabilité, ou 0.',
    CASE_AMOUNT_NOT_ALLOWED: () => 'Ce dossier porte sur le montant du paiement. Laissez le montant vide.',
    CASE_PAYMENT_NOT_FINAL: () =>
      'Le paiement n’a pas encore de statut final : l’argent peut encore bouger. Attendez le résultat.',
    ...SETTLEMENT_REASON_WORDS.fr,
    EXPIRY_PAST: () => 'Choisissez une expiration dans le futur.',
    PHONE_NUMBER_INVALID: () => 'Saisissez le numéro avec son indicatif, par exemple 250783456789.',
    TOKEN_UNKNOWN: () => 'Ce jeton d’API n’existe pas. Vérifiez son identifiant.',
    SUBJECT_MISSING: () => 'Choisissez ce qu’il faut geler.',
    LIMIT_NOTHING: () => 'Saisissez un nombre de paiements, un montant, ou les deux.',
    LIMIT_SUBJECT_NOT_ALLOWED: () => 'Seuls un jeton d’API, un opérateur ou un pays peuvent être choisis.',
    LIMIT_CURRENCY_MISSING: () => 'Choisissez une devise : un montant est compté dans une seule devise.',
    COUNTRY_UNKNOWN: ({ country = '' }) => `Pays « ${country} » inconnu. Rechargez la page et réessayez.`,
    NUMBER_FILE_UNREADABLE: () => 'Le fichier doit être un CSV avec les colonnes number, reason et expires.',
    NUMBER_FILE_EMPTY: () => 'Le fichier ne contient aucun numéro.',
    NUMBER_FILE_TOO_LONG: ({ rowsMax = '' }) =>
      `Le fichier a plus de ${groupDigits(rowsMax, 'fr')} numéros. Divisez-le.`,
    NUMBER_FILE_NUMBER: ({ line = '' }) => `Ligne ${line} : saisissez un numéro avec son indicatif.`,
    NUMBER_FILE_REASON: ({ line = '' }) => `Ligne ${line} : le motif manque.`,
    NUMBER_FILE_EXPIRES: ({ line = '' }) =>
      `Ligne ${line} : écrivez l’expiration ainsi : 2027-01-31T14:00:00Z.`,
    LOGO_TYPE: () => 'Choisissez une image PNG ou SVG.',
    LOGO_TOO_LARGE: ({ bytes = '', bytesMax = '' }) =>
      `Le logo a ${groupDigits(bytes, 'fr')} octets. Choisissez-en un de ${groupDigits(bytesMax, 'fr')} au plus, ` +
      'pour les réseaux lents.',
    LOGO_TOO_WIDE: ({ pixelsMax = '' }) =>
      `Choisissez un logo de ${pixelsMax} × ${pixelsMax} pixels au plus.`,
    AMOUNT_TOO_LARGE: () =>
      'Le montant dépasse ce qui peut encore être remboursé. Saisissez un montant plus petit.',
    AMOUNT_OUT_OF_BOUNDS: () => 'L’opérateur n’accepte pas ce montant. Vérifiez ses limites.',
    DEPOSIT_ALREADY_REFUNDED: () => 'Cet encaissement a déjà été remboursé en totalité.',
    DUPLICATE_IDENTIFIER: () => 'Cette demande a déjà été envoyée. Rechargez la page pour voir son résultat.',
    INVALID_AMOUNT: () => 'Le montant a trop de décimales pour cet opérateur.',
    INVALID_DATE_RANGE: () => 'Choisissez une période de 31 jours au plus qui commence dans le passé.',
    INVALID_PROVIDER: () => 'Les remboursements ne sont pas activés pour cet opérateur.',
    PROVIDER_TEMPORARILY_UNAVAILABLE: () => 'L’opérateur est indisponible. Réessayez plus tard.',
    REFUND_IN_PROGRESS: () => 'Un autre remboursement de cet encaissement est en cours. Attendez sa fin.',
    REFUNDS_NOT_ALLOWED: () =>
      'Les remboursements ne sont pas activés pour ce marchand, ou une limite est atteinte.',
    TOO_MANY_STATEMENTS: () => 'Trop de relevés sont en cours. Attendez que certains soient terminés.',
    WALLET_NOT_FOUND: () => 'Ce portefeuille n’existe pas. Choisissez-en un dans la liste.',
    WALLET_OUT_OF_FUNDS: () =>
      'Le solde du portefeuille est insuffisant, frais compris. Approvisionnez-le et réessayez.',
  },
});

// The additional fields of an international transfer: sender, recipient and purpose. Pure.
import type { SubmitRequest } from '../port.ts';
import { alpha2Of } from './countries.ts';

/** Our document types in the standard's words. The standard has none for a residence permit. */
const ID_TYPES: Readonly<Record<string, string>> = {
  NATIONAL_ID: 'nationalidcard',
  PASSPORT: 'passport',
  DRIVING_LICENSE: 'drivinglicence',
  SOCIAL_SECURITY_ID: 'socialsecurity',
};

const GENDERS: Readonly<Record<string, string>> = { MALE: 'm', FEMALE: 'f', OTHER: 'u' };

export function renderRemittance({ sender, recipient, country }: SubmitRequest): object {
  const details = textsIn(sender?.senderDetails);
  const address = textsIn(sender?.senderDetails['address']);
  const document = textsIn(sender?.senderDetails['identification']);
  const { purposeOfFunds } = sender?.transactionDetails ?? {};
  return withoutGaps({
    senderKyc: withoutGaps({
      nationality: alpha2Of(details['nationality'] ?? ''),
      birthCountry: alpha2Of(details['placeOfBirth'] ?? ''),
      dateOfBirth: details['dateOfBirth'],
      gender: GENDERS[details['gender'] ?? ''],
      occupation: details['occupation'],
      contactPhone: details['phoneNumber'] === undefined ? undefined : `+${details['phoneNumber']}`,
      idDocument: document['type'] === undefined ? undefined : [renderDocument(document)],
      postalAddress: withoutGaps({
        addressLine1: address['addressLine'],
        city: address['city'],
        postalCode: address['postalCode'] === '' ? undefined : address['postalCode'],
        country: alpha2Of(address['country'] ?? ''),
      }),
      subjectName: renderName(details),
    }),
    recipientKyc: recipient === undefined ? undefined : { subjectName: renderName(recipient) },
    internationalTransferInformation: withoutGaps({
      originCountry: alpha2Of(address['country'] ?? ''),
      receivingCountry: alpha2Of(country),
      remittancePurpose: inWords(purposeOfFunds),
      relationshipSender: inWords(details['relationshipRecipient']),
    }),
  });
}

/** All personal values of both parties, so that none of them is logged. */
export function personalOf({ sender, recipient }: SubmitRequest): readonly string[] {
  return [...leavesOf(sender?.senderDetails), ...leavesOf(recipient)];
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

function renderDocument({ type = '', number }: Texts): object {
  const idType = ID_TYPES[type];
  const named = idType === undefined ? { idType: 'otherid', otherIdDescription: inWords(type) } : { idType };
  return { ...named, idNumber: number };
}

function renderName({ firstName, lastName }: Texts): object {
  return { firstName, lastName, fullName: [firstName, lastName].join(' ') };
}

type Texts = Readonly<Record<string, string | undefined>>;

/** The string members of a block. */
function textsIn(block: unknown): Texts {
  const members = typeof block === 'object' && block !== null ? Object.entries(block) : [];
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string'));
}

/** FAMILY_SUPPORT as plain text: the standard leaves the wording to the operator. */
function inWords(word: string | undefined): string | undefined {
  return word?.toLowerCase().replaceAll('_', ' ');
}

function withoutGaps(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

// The time zone of an operator's days, by country. The Democratic Republic of the Congo has two; Kinshasa's is that of
// the operators' reports.
const TIME_ZONES: Readonly<Record<string, string>> = {
  BEN: 'Africa/Porto-Novo',
  BFA: 'Africa/Ouagadougou',
  CIV: 'Africa/Abidjan',
  CMR: 'Africa/Douala',
  COD: 'Africa/Kinshasa',
  COG: 'Africa/Brazzaville',
  ETH: 'Africa/Addis_Ababa',
  GAB: 'Africa/Libreville',
  GHA: 'Africa/Accra',
  KEN: 'Africa/Nairobi',
  LSO: 'Africa/Maseru',
  MOZ: 'Africa/Maputo',
  MWI: 'Africa/Blantyre',
  NGA: 'Africa/Lagos',
  RWA: 'Africa/Kigali',
  SEN: 'Africa/Dakar',
  SLE: 'Africa/Freetown',
  TZA: 'Africa/Dar_es_Salaam',
  UGA: 'Africa/Kampala',
  ZMB: 'Africa/Lusaka',
};

export function timeZoneOf(country: string): string {
  return TIME_ZONES[country] ?? 'UTC';
}

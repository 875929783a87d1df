// Rules of reviews as rows, and when something last changed that calls for a cooling-off.
import type { ReviewRule, ReviewRuleKey, ReviewRuleName, WithoutAnswer } from '../../domain/limits/review.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter, replacedOn } from '../rows.ts';
import type { OfMerchant } from '../limits/limits.ts';

const rules = columns({
  merchantId: 'uuid',
  rule: column<ReviewRuleName>('text'),
  subject: 'text',
  withoutAnswer: column<WithoutAnswer | null>('text null'),
  amountAbove: 'numeric null',
  hours: 'int null',
});

const KEY = 'merchant_id, rule, subject';
const OF_KEY = 'merchant_id = $1 and rule = $2 and subject = $3';

export async function listReviewRules(tx: Tx, merchantId: string): Promise<readonly ReviewRule[]> {
  return rules
    .without('merchantId')
    .select(tx, `from review_rules where merchant_id = $1 order by ${KEY}`, [merchantId]);
}

/** Inside a merchant no other rule of it changes until the transaction ends. */
export async function findReviewRule(tx: Tx, key: ReviewRuleKey & OfMerchant): Promise<ReviewRule | null> {
  return rules.find(tx, `from review_rules where ${OF_KEY} for update`, keyValues(key));
}

const upsert = oneRowInserter<ReviewRule & OfMerchant>(
  'review_rules',
  rules.cells,
  replacedOn(KEY, rules.cells),
);

export async function setReviewRule(tx: Tx, rule: ReviewRule & OfMerchant): Promise<void> {
  await upsert(tx, rule);
}

export async function deleteReviewRule(tx: Tx, key: ReviewRuleKey & OfMerchant): Promise<void> {
  await isChanged(tx, `delete from review_rules where ${OF_KEY}`, keyValues(key));
}

function keyValues({ merchantId, rule, subject }: ReviewRuleKey & OfMerchant): readonly unknown[] {
  return [merchantId, rule, subject];
}

const changes = columns({
  merchantId: 'uuid',
  what: column<'TOKEN' | 'CALLBACK' | 'SIGNATURE'>('text'),
  /** The token; empty for everything else. */
  subject: 'text',
  changedAt: 'timestamptz',
});

export type SensitiveChange = Row<typeof changes>;

const upsertChange = oneRowInserter(
  'sensitive_changes',
  changes.cells,
  replacedOn('merchant_id, what, subject', changes.cells),
);

/** In the transaction of the change. */
export async function noteSensitiveChange(tx: Tx, change: SensitiveChange): Promise<void> {
  await upsertChange(tx, change);
}

/** Of these merchants, and of these tokens. */
export async function listSensitiveChanges(
  tx: Tx,
  of: { readonly merchantIds: readonly string[]; readonly tokenIds: readonly string[]; readonly since: Date },
): Promise<readonly SensitiveChange[]> {
  return changes.select(
    tx,
    `from sensitive_changes
     where merchant_id = any ($1::uuid[]) and changed_at > $3 and (what <> 'TOKEN' or subject = any ($2::text[]))`,
    [of.merchantIds, of.tokenIds, of.since],
  );
}

import { findProject } from '../../accounts/projects/queries.ts';
import { listPlans } from '../../billing/catalog/list-plans.ts';
import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { findPrice } from '../../billing/catalog/queries.ts';
import { withDestination } from '../../billing/checkout-sessions/destination.ts';
import { presentPreview } from '../../billing/renewals/present.ts';
import { openToken, sealToken, TOKEN_LIFE_MS, workOut } from '../../billing/renewals/preview-change.ts';
import { updateSubscription } from '../../billing/renewals/update-subscription.ts';
import { withdrawChange } from '../../billing/renewals/withdraw-change.ts';
import type { Subscription } from '../../billing/subscriptions/subscription.ts';
import { countSince } from '../../platform/audit/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { addDays, DAY_MS } from '../../platform/lib/clock.ts';
import { AppError, badField, limitReached } from '../../platform/lib/errors.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { findOwnSubscription } from './own-subscriptions.ts';
import { actorOf, type Visitor } from './portal-session.ts';
import type { RenewalDesk } from './renew-ahead.ts';

export interface PlanDesk extends RenewalDesk {
  secrets: SecretBox;
}

/** Lists plans that a subscription can change to: the other active subscription prices of its product. */
export async function listChoices(db: Queryable, subscription: Subscription): Promise<CatalogPrice[]> {
  const { merchantId, priceId } = subscription;
  const { productId } = (await findPrice(db, { merchantId, id: priceId }))!;
  const plans = await listPlans(db, { merchantId, productId });
  return plans.filter(({ id }) => id !== priceId);
}

/** Previews the cost of a change now, to the cent. Proration and its date are never the customer's choice. */
export async function previewChoice(
  { db, clock, secrets }: PlanDesk,
  visitor: Visitor,
  id: string,
  wanted: string,
) {
  const now = clock.now();
  const subscription = await findOwnSubscription(db, visitor, id);
  const priceId = await requireChoice(db, subscription, wanted);
  const price = (await findPrice(db, { merchantId: visitor.merchantId, id: subscription.priceId }))!;
  const { quantity } = subscription;
  const terms = { priceId, quantity, behavior: 'auto' as const, prorationDate: now };
  const worked = await workOut(db, { subscription, price, ...terms, now });
  const { fingerprint, plan } = worked;
  const token = sealToken(secrets, { ...terms, chosen: plan.behavior, fingerprint }, now);
  return presentPreview(subscription, worked, token);
}

/** Changes the plan: as previewed if there is a token, otherwise as of now. */
export async function choosePlan(
  { db, clock, secrets, ensureWatched, publicUrl }: PlanDesk,
  visitor: Visitor,
  id: string,
  { priceId: wanted, previewToken }: { priceId: string; previewToken?: string },
): Promise<Subscription> {
  const { merchantId, projectId } = visitor;
  const now = clock.now();
  const subscription = await findOwnSubscription(db, visitor, id);
  const priceId = await requireChoice(db, subscription, wanted);
  if (previewToken !== undefined) requirePlainToken(secrets, previewToken, subscription, now);
  const change = { priceId, ...(previewToken !== undefined && { previewToken }) };
  const watchUntil = addDays(now, 1);
  return withDestination(
    db,
    ensureWatched,
    { merchantId, projectId },
    watchUntil,
    (destination) =>
      db.transaction(async (tx) => {
        const common = { merchantId, id, destination, publicUrl: publicUrl(), secrets, now };
        // A customer sends no addresses, so none is looked at.
        const input = { ...common, change, allowLoopback: false, isAgent: false };
        const changed = await updateSubscription(tx, input);
        await requireFewChanges(tx, changed, now);
        const detail = { priceId };
        const actor = actorOf(visitor);
        await recordAudit(tx, { merchantId, actor, action: CHOSEN, targetId: id, detail, now });
        return changed;
      }),
    'payer',
  );
}

const CHOSEN = 'subscription.plan_chosen';

/**
 * Every change is a calculation, an invoice and an e-mail, so a customer makes only so many in a day. Asked with the subscription locked,
 * so that two at the same time count as two.
 */
async function requireFewChanges(tx: Queryable, subscription: Subscription, now: Date): Promise<void> {
  const { merchantId, projectId, id: targetId } = subscription;
  const { settings } = (await findProject(tx, { merchantId, id: projectId }))!;
  const most = settings.portalPlanChangesPerDay;
  const since = addDays(now, -1);
  const { count, first } = await countSince(tx, { merchantId, action: CHOSEN, targetId }, since);
  if (count < most) return;
  const againAt = (first ?? now).getTime() + DAY_MS;
  throw limitReached(
    most,
    Math.max(1, Math.ceil((againAt - now.getTime()) / 1_000)),
    most === 0
      ? 'The plan of this subscription cannot be changed here; please ask the seller.'
      : `The plan of a subscription can be changed ${most} ${most === 1 ? 'time' : 'times'} in 24 hours; try again after the time in Retry-After.`,
  );
}

/** Takes a change back that has not taken effect. */
export async function keepPlan(
  { db, clock }: Pick<PlanDesk, 'db' | 'clock'>,
  visitor: Visitor,
  id: string,
): Promise<Subscription> {
  const { merchantId } = visitor;
  const now = clock.now();
  await findOwnSubscription(db, visitor, id);
  return db.transaction(async (tx) => {
    const kept = await withdrawChange(tx, { merchantId, id }, now);
    const action = 'subscription.change_withdrawn';
    await recordAudit(tx, { merchantId, actor: actorOf(visitor), action, targetId: id, now });
    return kept;
  });
}

/** A price that is not a choice, someone else's or unknown: all of them get the same answer. */
async function requireChoice(db: Queryable, subscription: Subscription, wanted: string): Promise<string> {
  const choices = await listChoices(db, subscription);
  const choice = choices.find(({ id }) => id === wanted.toLowerCase());
  if (!choice) throw badField('priceId', 'must be the id of a plan this subscription can change to');
  return choice.id;
}

/** A preview made for the merchant may have terms that no customer can ask for. */
function requirePlainToken(secrets: SecretBox, sealed: string, subscription: Subscription, now: Date): void {
  const {
    quantity = subscription.quantity,
    behavior,
    prorationDate,
    expiresAt,
  } = openToken(secrets, sealed, now);
  const isAsOfItsMaking = expiresAt.getTime() - TOKEN_LIFE_MS === prorationDate.getTime();
  if (behavior !== 'auto' || !isAsOfItsMaking) {
    throw badField('previewToken', 'must be a token from a preview');
  }
  if (quantity !== subscription.quantity) throw new AppError('PREVIEW_STALE');
}

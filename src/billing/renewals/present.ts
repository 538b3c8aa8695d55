import { Int32, Int64, List, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { sumOfTax } from '../invoices/invoice.ts';
import { InvoiceLineView, presentLine, presentTaxes, RateTotalView } from '../invoices/present.ts';
import { CHOSEN_BEHAVIORS } from '../subscriptions/plan-change.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { WorkedOut } from './preview-change.ts';

export const PreviewView = Shape('SubscriptionChangePreview', {
  subscriptionId: Uuid(),
  currentPriceId: Uuid(),
  newPriceId: Uuid(),
  currentQuantity: Int32(),
  newQuantity: Int32(),
  prorationBehavior: OneOf(CHOSEN_BEHAVIORS, 'What will happen.'),
  prorationDate: Timestamp(),
  lines: List(InvoiceLineView),
  taxes: { ...List(RateTotalView), description: 'The tax by rate; an empty list where none is charged.' },
  taxCents: Int64({ description: 'All tax, contained in the lines or added to them.' }),
  creditCents: Int64({ description: 'For the unused time of the old plan.' }),
  chargeCents: Int64({ description: 'For the new plan.' }),
  accountCreditAppliedCents: Int64(),
  accountCreditCents: Int64({ description: 'What remains of the old plan and becomes account credit.' }),
  amountDueCents: Int64({ description: 'What the customer has to pay before it takes effect.' }),
  effectiveAt: Timestamp('When the new plan takes effect; if something is due, once it is paid.'),
  nextInvoice: Shape('NextInvoice', { date: Timestamp(), amountCents: Int64() }),
  previewToken: Text({ max: 2048, description: 'Send it with the change to bill exactly this.' }),
  expiresAt: Timestamp('Of the token.'),
});

export function presentPreview(
  { id, priceId, quantity }: Subscription,
  { plan, next, accountCreditAppliedCents, amountDueCents }: WorkedOut,
  token: { previewToken: string; expiresAt: Date },
) {
  return {
    subscriptionId: id,
    currentPriceId: priceId,
    newPriceId: next.price.id,
    currentQuantity: quantity,
    newQuantity: next.quantity,
    prorationBehavior: plan.behavior,
    prorationDate: plan.prorationDate,
    lines: plan.lines.map(presentLine),
    taxes: presentTaxes(plan.lines),
    taxCents: sumOfTax(plan.lines),
    creditCents: plan.creditCents,
    chargeCents: plan.chargeCents,
    accountCreditAppliedCents,
    accountCreditCents: plan.surplusCents,
    amountDueCents,
    effectiveAt: plan.effectiveAt,
    nextInvoice: plan.nextInvoice,
    ...token,
  };
}

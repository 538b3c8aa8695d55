import type { Invariant } from '../../platform/db/invariant.ts';

export const tillInvariants: Invariant[] = [
  {
    name: 'till-sales-add-up',
    says: 'What a till sold and its tip are what the payment asks for, at the till’s own terminal.',
    violations: `
      select s.intent_id from till_sales s
        join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.intent_id
        join tills t on t.merchant_id = s.merchant_id and t.id = s.till_id
        left join checkout_sessions c on c.merchant_id = s.merchant_id and c.payment_intent_id = s.intent_id
       where s.goods_cents + coalesce(c.tip_cents, s.tip_cents) <> i.expected_amount_cents or i.terminal_id <> t.terminal_id`,
  },
];

import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import type { Found, HitType } from './search-hit.ts';
import type { Wanted } from './search-query.ts';

/** Each kind of object, and how a found one (`hit`) is described in a line. */
const SHOWN: Record<HitType, string> = {
  payment_intent: `
    select i.order_id as title, coalesce(s.customer_email, s.customer_name) as detail, i.status,
           i.expected_amount_cents as cents, i.created_at
      from payment_intents i
      left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
     where i.merchant_id = $1 and i.id = hit.id`,
  checkout_session: `
    select coalesce(merchant_reference, client_reference_id) as title,
           coalesce(customer_email, customer_name) as detail, status, amount_cents as cents, created_at
      from checkout_sessions where merchant_id = $1 and id = hit.id`,
  invoice: `
    select v.number_text as title, coalesce(c.name, c.email) as detail, v.status, v.total_cents as cents, v.created_at
      from invoices v left join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id
     where v.merchant_id = $1 and v.id = hit.id`,
  subscription: `
    select d.name as title, coalesce(c.name, c.email, c.external_customer_id) as detail, u.status,
           p.unit_amount_cents as cents, u.created_at
      from subscriptions u
      join customers c on c.merchant_id = u.merchant_id and c.id = u.customer_id
      join prices p on p.merchant_id = u.merchant_id and p.id = u.price_id
      join products d on d.merchant_id = p.merchant_id and d.id = p.product_id
     where u.merchant_id = $1 and u.id = hit.id`,
  refund: `
    select to_char(r.number, '"RF-"FM999999999999000000') as title,
           coalesce(c.name, c.email) as detail, r.status, r.amount_cents as cents, r.created_at
      from refunds r left join customers c on c.merchant_id = r.merchant_id and c.id = r.customer_id
     where r.merchant_id = $1 and r.id = hit.id`,
  customer: `
    select coalesce(name, email, external_customer_id) as title, coalesce(email, external_customer_id) as detail,
           null::text as status, null::bigint as cents, created_at
      from customers where merchant_id = $1 and id = hit.id`,
  payment_link: `
    select coalesce(l.name, d.name) as title, null::text as detail, l.status, p.unit_amount_cents as cents, l.created_at
      from payment_links l
      join prices p on p.merchant_id = l.merchant_id and p.id = l.price_id
      join products d on d.merchant_id = p.merchant_id and d.id = p.product_id
     where l.merchant_id = $1 and l.id = hit.id`,
  product: `
    select name as title, description as detail, case when is_active then 'active' else 'inactive' end as status,
           null::bigint as cents, created_at
      from products where merchant_id = $1 and id = hit.id`,
  exception: `
    select kind as title, signature as detail, status, created_at,
           case when kind <> 'wrong_mint' then least(trunc(base_units / 10000), 9223372036854775807)::bigint end as cents
      from payment_exceptions where merchant_id = $1 and id = hit.id`,
  terminal: `
    select name as title, null::text as detail, case when is_active then 'active' else 'inactive' end as status,
           null::bigint as cents, created_at
      from terminals where merchant_id = $1 and id = hit.id`,
  project: `
    select name as title, null::text as detail, null::text as status, null::bigint as cents, created_at
      from projects where merchant_id = $1 and id = hit.id`,
  webhook_delivery: `
    select event as title, url as detail, status, null::bigint as cents, created_at
      from webhook_deliveries where merchant_id = $1 and id = hit.id`,
};

const TABLES: Record<HitType, string> = {
  payment_intent: 'payment_intents',
  checkout_session: 'checkout_sessions',
  invoice: 'invoices',
  subscription: 'subscriptions',
  refund: 'refunds',
  customer: 'customers',
  payment_link: 'payment_links',
  product: 'products',
  exception: 'payment_exceptions',
  terminal: 'terminals',
  project: 'projects',
  webhook_delivery: 'webhook_deliveries',
};

/** A merged customer has the name and the address of another, and is found as that one. */
const UNMERGED = 'merged_into_id is null';

const asIs = (expression: string) => expression;
const anyCase = (expression: string) => `lower(${expression}) collate "C"`;

/** Columns that may be given by their beginning, each in the order of an index. */
const BEGINNINGS: readonly {
  type: HitType;
  column: string;
  as: (expression: string) => string;
  only?: string;
}[] = [
  { type: 'payment_intent', column: 'order_id', as: asIs },
  { type: 'invoice', column: 'number_text', as: anyCase },
  { type: 'customer', column: 'external_customer_id', as: asIs },
  { type: 'customer', column: 'email', as: folded, only: `email is not null and ${UNMERGED}` },
  { type: 'customer', column: 'name', as: anyCase, only: `name is not null and ${UNMERGED}` },
  {
    type: 'customer',
    column: `substring(name from '\\S+$')`,
    as: anyCase,
    only: `name is not null and ${UNMERGED}`,
  },
  { type: 'product', column: 'name', as: anyCase },
  { type: 'payment_link', column: 'name', as: anyCase, only: 'name is not null and deleted_at is null' },
];

/** Conditions that an object must fulfil to be found, even by its ID. */
const UNLESS: Partial<Record<HitType, string>> = { customer: ' and erased_at is null' };

/** Columns that only match completely, and what they lead to. */
const WHOLES: readonly { type: HitType; from: string; id?: string; rank?: number }[] = [
  { type: 'checkout_session', from: 'checkout_sessions where client_reference_id = one.text' },
  { type: 'checkout_session', from: 'checkout_sessions where merchant_reference = one.text' },
  { type: 'checkout_session', from: 'checkout_sessions where token = one.text' },
  { type: 'payment_link', from: 'payment_links where public_token = one.text and deleted_at is null' },
  {
    type: 'payment_intent',
    from: `checkout_sessions where ${folded('customer_email')} = ${folded('one.text')}`,
    id: 'payment_intent_id',
    rank: 2,
  },
];

/** Every character of UTF-8 sorts before this one. */
const LAST = 'chr(1114111)';

/** A range that starts with the text; exact matches, and the newest, come first. */
function beginning({ type, column, as, only = 'true' }: (typeof BEGINNINGS)[number]): string {
  const [text, wanted] = [as(column), as('one.text')];
  return `
    select '${type}' as type, exact.id, 0 as rank from one cross join lateral (
      select id from ${TABLES[type]} where merchant_id = $1 and ${text} = ${wanted} and ${only}
       order by id desc limit $3) as exact
    union all
    select '${type}', begun.id, 1 from one cross join lateral (
      select id from ${TABLES[type]} where merchant_id = $1 and ${only}
         and ${text} > ${wanted} and ${text} < ${wanted} || ${LAST}
       order by ${text} desc limit $3) as begun`;
}

function whole({ type, from, id = 'id', rank = 0 }: (typeof WHOLES)[number]): string {
  return `
    select '${type}', exact.id, ${rank} from one cross join lateral (
      select ${id} as id from ${from} and merchant_id = $1 order by ${from.split(' ')[0]}.id desc limit $3) as exact`;
}

/** Objects that belong to the customers that the text names. */
const OF_PERSONS: readonly { type: HitType; from: string; id: string }[] = [
  { type: 'subscription', from: 'subscriptions', id: 'id' },
  { type: 'payment_intent', from: 'checkout_sessions', id: 'payment_intent_id' },
  { type: 'invoice', from: 'invoices', id: 'id' },
  { type: 'refund', from: 'refunds', id: 'id' },
];

function ofPersons({ type, from, id }: (typeof OF_PERSONS)[number]): string {
  return `
    select '${type}', theirs.id, 2 from person cross join lateral (
      select ${id} as id from ${from} where merchant_id = $1 and customer_id = person.id
       order by ${from}.id desc limit $3) as theirs`;
}

const types = Object.keys(SHOWN) as HitType[];

/** The best `$3` of each kind of what was found, described. */
export function describing(found: string): string {
  return `
  ${found},
  best as (select type, id, min(rank) as rank from found group by type, id),
  placed as (select *, row_number() over (partition by type order by rank, id desc) as place from best),
  hit as materialized (select type, id, rank from placed where place <= $3)
  ${types
    .map(
      (type) => `
  select hit.type, hit.id, hit.rank, shown.title, shown.detail, shown.status, shown.cents as amount_cents,
         shown.created_at
    from hit cross join lateral (${SHOWN[type]}) as shown where hit.type = '${type}'`,
    )
    .join(' union all ')}`;
}

const STATEMENT = describing(`
  with one as (select unnest($2::text[]) as text),
  customer as (${BEGINNINGS.filter(({ type }) => type === 'customer')
    .map(beginning)
    .join(' union all ')}),
  named as (select distinct id from customer where rank = 0 order by id desc limit $3),
  person as (select id from named
              union select m.id from named join customers m on m.merchant_id = $1 and m.merged_into_id = named.id),
  found as (
    select * from customer
    union all ${BEGINNINGS.filter(({ type }) => type !== 'customer')
      .map(beginning)
      .join(' union all ')}
    union all ${WHOLES.map(whole).join(' union all ')}
    union all ${OF_PERSONS.map(ofPersons).join(' union all ')}
    union all ${types
      .map(
        (type) =>
          `select '${type}', id, 0 from ${TABLES[type]} where merchant_id = $1 and id = $4${UNLESS[type] ?? ''}`,
      )
      .join(' union all ')}
    union all select 'payment_intent', id, 0 from payment_intents where merchant_id = $1 and reference_address = $5
    union all select 'payment_intent', intent_id, 0 from payment_allocations where merchant_id = $1 and signature = $6
    union all select 'exception', id, 0 from payment_exceptions where merchant_id = $1 and signature = $6
    union all select 'refund', id, 0 from refunds where merchant_id = $1 and reference_address = $5
    union all select 'refund', id, 0 from refunds where merchant_id = $1 and tx_signature = $6
    union all select 'refund', id, 0 from refunds where merchant_id = $1 and number = $8
    union all (select 'payment_intent', id, 1 from payment_intents
                where merchant_id = $1 and expected_amount_cents = $7 order by id desc limit $3)
    union all (select 'invoice', id, 1 from invoices where merchant_id = $1 and total_cents = $7
                order by id desc limit $3)
    union all (select 'exception', id, 1 from payment_exceptions
                where merchant_id = $1 and base_units >= $7::numeric * 10000 and base_units < ($7::numeric + 1) * 10000
                  and status <> 'dust' and kind <> 'wrong_mint' order by base_units, id desc limit $3)
  )`);

export interface HitRow extends Found {
  /** 0: exactly this; 1: begins so, or is of this amount; 2: belongs to a customer of this name or address. */
  rank: number;
}

/** Up to `limit` of each kind, all in one round trip; every part of it is a walk of a few steps in an index. */
export async function listHits(
  db: Queryable,
  merchantId: string,
  wanted: Wanted,
  limit: number,
): Promise<HitRow[]> {
  return db.query<HitRow>(STATEMENT, [
    merchantId,
    wanted.texts,
    limit,
    wanted.id,
    wanted.reference,
    wanted.signature,
    wanted.amountCents,
    wanted.refundNumber,
  ]);
}

export interface Place {
  merchant: string;
  project: string;
  price: string;
}

export interface CartPlace extends Place {
  /** Id of a price that tax is added to. */
  taxed: string;
  discount: string;
}

/** The end of a request's body, as the load generator takes it. */
const tailOf = (fields: object) => JSON.stringify({ mode: 'one_time', ...fields }).slice(1);
export const oneItem = ({ project, price }: Place) => tailOf({ projectId: project, priceId: price });
export const cart = ({ project, price, taxed, discount }: CartPlace) =>
  tailOf({
    projectId: project,
    discountId: discount,
    lineItems: [
      { priceId: taxed, quantity: 3 },
      { priceId: price, quantity: 2 },
      { name: 'Gift wrapping', unitAmountCents: 251 },
    ],
  });

/** Customer n, known to the merchant as user-n, belongs to project n modulo their number. */
export const MAKE_CATALOG = `
  with places as (
    select id as merchant, uuidv7() as project, uuidv7() as product, uuidv7() as price, n
      from merchants, generate_series(0, $1::int - 1) as n
  ), new_projects as (
    insert into projects (merchant_id, id, name, created_at, updated_at)
    select merchant, project, 'bench ' || n, now(), now() from places
  ), new_products as (
    insert into products (merchant_id, id, project_id, name, created_at)
    select merchant, product, project, 'Coffee', now() from places
  ), new_prices as (
    insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, created_at)
    select merchant, price, project, product, 500, 'one_time', now() from places
  ), new_customers as (
    insert into customers (merchant_id, id, project_id, external_customer_id, email, email_source, created_at)
    select merchant, uuidv7(), project, 'user-' || c, 'user-' || c || '@example.com', 'merchant', now()
      from generate_series(1, $2::int) as c join places on n = c % $1::int
  )
  select merchant, project, price from places order by n`;

/**
 * Additions that a cart needs: a price that tax is added to, and a discount. The yardstick's places have one price
 * each.
 */
export const ADD_CARTS = `
  with places as (
    select merchant_id as merchant, project_id as project, product_id as product, id as price, uuidv7() as rate,
           uuidv7() as taxed, uuidv7() as discount
      from prices
  ), new_rates as (
    insert into tax_rates (merchant_id, id, project_id, name, percent_ppm, country, category, created_at)
    select merchant, rate, project, 'VAT', 190000, 'DE', 'S', now() from places
  ), taxed_prices as (
    insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, tax_behavior, tax_rate_id,
                        created_at)
    select merchant, taxed, project, product, 1250, 'one_time', 'exclusive', rate, now() from places
  ), new_discounts as (
    insert into discounts (merchant_id, id, project_id, name, percent_off_bps, duration, created_at)
    select merchant, discount, project, 'Sale', 2500, 'once', now() from places
  )
  select project, taxed, discount from places`;

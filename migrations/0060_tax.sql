-- What is charged on top of a price, or is contained in it.
create table tax_rates (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  percent_ppm integer not null check (percent_ppm between 0 and 1000000),
  country text not null check (country ~ '^[A-Z]{2}$'),
  category text not null check (category in ('S', 'Z', 'E', 'AE', 'K', 'G', 'O')),
  is_default boolean default false not null,
  is_active boolean default true not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  constraint tax_rates_percent_check check ((category = 'S') = (percent_ppm > 0)),
  constraint tax_rates_default_check check (is_active or not is_default)
);
-- A country has one default.
create unique index tax_rates_default on tax_rates (merchant_id, project_id, country) where is_default;

-- Who issues invoices, and who they are for.
alter table projects add column seller jsonb;
alter table customers
  add column address jsonb,
  add column country text,
  add column is_business boolean default false not null,
  add column tax_ids jsonb default '[]' not null;
alter table customers add constraint customers_country_check check (country ~ '^[A-Z]{2}$') not valid;

alter table prices
  add column tax_behavior text default 'none' not null,
  add column tax_rate_id uuid;
alter table prices
  add constraint prices_tax_behavior_check check (tax_behavior in ('none', 'inclusive', 'exclusive')) not valid,
  add constraint prices_tax_rate_check check (tax_rate_id is null or tax_behavior <> 'none') not valid,
  add constraint prices_tax_rate_fkey foreign key (merchant_id, project_id, tax_rate_id)
    references tax_rates (merchant_id, project_id, id) not valid;

-- All tax of an invoice, and the part of it that its prices do not contain. `tax` has the seller, the buyer and the
-- notes as they were; the rates are copied to the lines.
alter table invoices
  add column tax jsonb,
  add column tax_cents bigint default 0 not null,
  add column tax_added_cents bigint default 0 not null;
alter table invoices drop constraint invoices_total_check;
alter table invoices
  add constraint invoices_total_check
    check (total_cents = subtotal_cents - discount_cents + tax_added_cents - credit_applied_cents) not valid,
  add constraint invoices_tax_check check (tax is not null or (tax_cents = 0 and tax_added_cents = 0)) not valid;

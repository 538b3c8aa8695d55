-- Letters to customers, sent by e-mail where the operator has set a mail server.

alter table customers add column language text check (char_length(language) between 2 and 35);

create table letters (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('renewal', 'reminder', 'past_due', 'canceled', 'receipt')),
  invoice_id uuid not null,
  -- Tells the reminders of one invoice apart; 1 for what is written once.
  number integer not null check (number > 0),
  -- What it says, as it was when it became true.
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  status text not null default 'pending' check (status in ('pending', 'retrying', 'sent', 'dead')),
  attempt_count smallint not null default 0 check (attempt_count between 0 and 9),
  error text check (char_length(error) <= 500),
  next_attempt_at timestamptz,
  -- Who is sending it now. A result is taken only from the holder of this very lease.
  lease_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id) deferrable,
  -- Whatever happens twice, it is written once.
  unique (merchant_id, kind, invoice_id, number),
  check ((status in ('pending', 'retrying')) = (next_attempt_at is not null)),
  check ((status = 'pending') = (attempt_count = 0)),
  check ((status = 'sent') = (sent_at is not null)),
  check (status <> 'dead' or error is not null),
  check ((lease_id is null) = (lease_until is null)),
  check (lease_id is null or next_attempt_at is not null)
) with (fillfactor = 70);

create index letters_due on letters (next_attempt_at) where next_attempt_at is not null;
create index letters_by_age on letters using brin (created_at) with (pages_per_range = 32, autosummarize = on);

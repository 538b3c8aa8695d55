-- What a till sold: a payment at its terminal, with what it was for.
create table till_sales (
  merchant_id uuid not null,
  intent_id uuid not null,
  till_id uuid not null,
  number integer not null check (number > 0),
  lines jsonb not null,
  goods_cents bigint not null check (goods_cents > 0),
  tip_cents bigint default 0 not null check (tip_cents >= 0),
  primary key (merchant_id, intent_id),
  unique (merchant_id, till_id, number),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, till_id) references tills (merchant_id, id)
);
-- Staff ask for a refund, an owner decides. Only an approved one becomes a refund.
create table refund_requests (
  merchant_id uuid not null,
  id uuid not null,
  intent_id uuid not null,
  till_id uuid not null,
  reason text check (char_length(reason) between 1 and 200),
  status text default 'open' not null check (status in ('open', 'approved', 'declined')),
  refund_id uuid,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, intent_id) references till_sales (merchant_id, intent_id),
  foreign key (merchant_id, till_id) references tills (merchant_id, id),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
  check ((status = 'approved') = (refund_id is not null)),
  check ((status = 'open') = (decided_at is null))
);
create unique index refund_requests_one_open on refund_requests (merchant_id, intent_id) where status = 'open';
create index refund_requests_by_intent on refund_requests (merchant_id, intent_id, id);
create index refund_requests_by_till on refund_requests (merchant_id, till_id);
create index refund_requests_by_refund on refund_requests (merchant_id, refund_id) where refund_id is not null;

-- @expands
-- Due work that failed: it is tried again at `retry_at`, and until then holds up nobody else's. A row goes when it succeeds.
create table set_aside_work (
  merchant_id uuid not null,
  work text not null check (char_length(work) between 1 and 100),
  item_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 500),
  failures integer not null check (failures > 0),
  since timestamptz not null,
  retry_at timestamptz not null,
  primary key (merchant_id, work, item_id),
  foreign key (merchant_id) references merchants (id)
);

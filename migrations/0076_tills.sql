-- A till: a phone or tablet at the counter that sells at one terminal, from the catalog of one project. It starts as a
-- code, which is exchanged once for the till's own key.
create table tills (
  merchant_id uuid not null references merchants,
  id uuid not null,
  terminal_id uuid not null,
  project_id uuid not null,
  name text check (char_length(name) between 1 and 128),
  tip_percents integer[] default '{}' not null check (cardinality(tip_percents) <= 4),
  code_hash bytea check (octet_length(code_hash) = 32),
  code_expires_at timestamptz,
  key_hash bytea check (octet_length(key_hash) = 32),
  sale_count integer default 0 not null check (sale_count >= 0),
  created_at timestamptz not null,
  paired_at timestamptz,
  last_seen_at timestamptz,
  unpaired_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, terminal_id) references terminals (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  check ((code_hash is null) = (code_expires_at is null)),
  check ((key_hash is null) = (paired_at is null)),
  check (code_hash is null or (paired_at is null and unpaired_at is null))
);
create unique index tills_by_code on tills (code_hash) where code_hash is not null;
create unique index tills_by_key on tills (key_hash) where key_hash is not null;
-- A terminal shows one payment at a time: two tills there would cancel each other's sales.
create unique index tills_one_per_terminal on tills (merchant_id, terminal_id) where unpaired_at is null;
create index tills_by_project on tills (merchant_id, project_id);

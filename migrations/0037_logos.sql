-- Images of merchants and their projects, each kept once under the hash of its bytes. Small, and read whole.
create table logos (
  merchant_id uuid not null references merchants (id),
  -- The SHA-256 of the bytes and what kind of image they are, as in the public address.
  file_name text not null check (file_name ~ '^[0-9a-f]{64}\.(png|jpg|webp)$'),
  width integer not null check (width between 16 and 2048),
  height integer not null check (height between 16 and 2048),
  bytes bytea not null check (octet_length(bytes) <= 262144),
  created_at timestamptz not null,
  primary key (merchant_id, file_name),
  check (left(file_name, 64) = encode(sha256(bytes), 'hex'))
);

-- The public address names the file alone; two merchants may have the same image.
create index logos_by_file_name on logos (file_name);

alter table merchants add column logo_file text;
alter table merchants add foreign key (id, logo_file) references logos (merchant_id, file_name) deferrable;

-- Null is the merchant's own.
alter table projects add column logo_file text;
alter table projects add foreign key (merchant_id, logo_file) references logos (merchant_id, file_name);

-- Whether the database has gone back in time. Each process remembers the highest beat it has seen, outside the database;
-- a beat that is lower afterwards means that writes which were acknowledged are gone. A new lineage begins where an operator
-- has restored or accepted the data, and nothing before it is compared.
alter table installation
  add column lineage uuid not null default gen_random_uuid(),
  add column beat bigint not null default 0,
  -- The transaction of the last beat: without a later one nothing was written, and no beat is needed.
  add column beat_transaction bigint not null default 0,
  add column went_back_at timestamptz,
  add column went_back text,
  add constraint installation_beat_check check (beat >= 0),
  add constraint installation_went_back_check check ((went_back_at is null) = (went_back is null));

-- Each audit row carries a hash over the row before it and its own content, so that a later change shows.
-- Rows from before have sequence 0 and no hash: nothing is rewritten, but they are counted. New rows get no default.
alter table audit_entries
  add column sequence bigint not null default 0,
  add column hash bytea;
alter table audit_entries alter sequence drop default;

-- Where each merchant's chain ends: what shows that rows are missing from its end. Made by the trigger below, with a
-- row whose own foreign key asks for the merchant.
create table audit_heads (
  merchant_id uuid primary key,
  sequence bigint not null default 0,
  hash bytea not null default '',
  -- How many rows are older than the chain.
  rows_before bigint not null default 0
);

insert into audit_heads (merchant_id, rows_before) select merchant_id, count(*) from audit_entries group by merchant_id;

create unique index audit_entries_by_sequence on audit_entries (merchant_id, sequence) where sequence > 0;

-- A restore fills the heads first, so that they are not taken from the rows. Not valid: it holds for old rows already.
alter table audit_entries add constraint audit_entries_head_fkey
  foreign key (merchant_id) references audit_heads (merchant_id) not valid;

-- The head is locked until the transaction ends, so one merchant's rows come one after the other. It is written once for
-- each statement: within one, the last row is where the chain ends. A shortened chain goes on behind its gap.
create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  head record;
  last record;
begin
  select sequence, hash into head from audit_heads where merchant_id = new.merchant_id for no key update;
  if not found then
    insert into audit_heads (merchant_id) values (new.merchant_id) on conflict do nothing;
    select sequence, hash into head from audit_heads where merchant_id = new.merchant_id for no key update;
  end if;
  select sequence, hash into last from audit_entries
   where merchant_id = new.merchant_id and sequence > 0 order by sequence desc limit 1;
  if last.sequence > head.sequence then
    head := last;
  end if;
  new.sequence := head.sequence + 1;
  new.hash := sha256(head.hash || convert_to(jsonb_build_array(
    new.merchant_id, new.id, new.actor, new.action, new.target_id, new.detail,
    to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'))::text, 'UTF8'));
  return new;
end
$$;

create function move_audit_heads() returns trigger language plpgsql as $$
begin
  update audit_heads h set sequence = a.sequence, hash = a.hash
    from (select distinct on (merchant_id) merchant_id, sequence, hash from added
           order by merchant_id, sequence desc) a
   where h.merchant_id = a.merchant_id and a.sequence > h.sequence;
  return null;
end
$$;

-- Rows that a restore brings have their place already.
create trigger audit_entries_chain before insert on audit_entries
  for each row when (new.sequence is null) execute function chain_audit_entry();
create trigger audit_entries_head after insert on audit_entries
  referencing new table as added for each statement execute function move_audit_heads();
create trigger audit_heads_stay before delete or truncate on audit_heads
  for each statement execute function refuse_change();

-- Where money goes changes after a delay, during which the owners know and can cancel.
alter table merchants
  add column payout_change_delay_hours smallint not null default 0 check (payout_change_delay_hours between 0 and 168);

-- Real money waits for a day unless its merchant says otherwise; test money does not.
update merchants set payout_change_delay_hours = 24 where exists (select from installation where network = 'mainnet');

-- What has been asked for and has yet to take effect: a payout address, or the delay itself.
create table payout_changes (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null check (kind in ('address', 'delay')),
  -- Null: the merchant's own address.
  project_id uuid,
  -- As it was when this was asked for.
  from_address text,
  -- Null: the project goes back to the merchant's own.
  address text,
  from_delay_hours smallint,
  delay_hours smallint check (delay_hours between 0 and 168),
  requested_by text not null,
  requested_at timestamptz not null,
  takes_effect_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  -- The address is reserved meanwhile.
  foreign key (merchant_id, address) references payout_addresses (merchant_id, address),
  -- A newer change replaces the one that waits.
  unique nulls not distinct (merchant_id, kind, project_id),
  check (takes_effect_at >= requested_at),
  check (
    case kind
      when 'delay' then num_nonnulls(delay_hours, from_delay_hours) = 2 and num_nonnulls(project_id, from_address, address) = 0
      else num_nonnulls(delay_hours, from_delay_hours) = 0 and num_nonnulls(project_id, address) > 0
    end
  )
);

create index payout_changes_due on payout_changes (takes_effect_at);
create index payout_changes_by_address on payout_changes (merchant_id, address);

-- Owners get an e-mail when the delay is to become shorter.
alter table letters
  drop constraint letters_kind_check,
  drop constraint letters_to_somebody,
  add constraint letters_kind_check check (
    kind in ('renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'payout_address_changed', 'payout_delay_changed',
             'webhook_url_changed')
  ) not valid,
  add constraint letters_to_somebody check (
    case when kind in ('payout_address_changed', 'payout_delay_changed', 'webhook_url_changed')
      then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id) = 0
      else member_id is null and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end
  ) not valid;

alter table letters validate constraint letters_kind_check;
alter table letters validate constraint letters_to_somebody;

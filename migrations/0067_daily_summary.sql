-- A summary of the day, at an hour of the merchant's choice, for notifications that ask for it: when the next one is due, and since
-- when it counts.
alter table webhook_endpoints
  add column summary_hour smallint not null default 8 check (summary_hour between 0 and 23),
  add column summary_time_zone text not null default 'UTC' check (char_length(summary_time_zone) between 1 and 64),
  add column summary_at timestamptz,
  add column summary_since timestamptz,
  add constraint webhook_endpoints_summary
    check ((summary_at is null) = (summary_since is null) and (summary_at is null or kind <> 'webhook'));

create index webhook_endpoints_by_summary on webhook_endpoints (summary_at) where summary_at is not null;

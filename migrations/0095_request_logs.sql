-- What integrators sent within the last days, and what was answered. Without a foreign key: it is written beside
-- requests, thousands of rows at a time, must never make one wait for a merchant's row, and is gone within days.
create table request_logs (
  merchant_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  method text not null check (char_length(method) <= 10),
  path text not null check (char_length(path) <= 500),
  status smallint not null check (status between 100 and 599),
  duration_ms integer not null check (duration_ms >= 0),
  error_code text check (char_length(error_code) <= 100),
  error_message text check (char_length(error_message) <= 500),
  caller_trace_id text check (caller_trace_id ~ '^[0-9a-f]{32}$'),
  idempotency_key text check (char_length(idempotency_key) <= 255),
  request_body text check (char_length(request_body) <= 4000),
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create index request_logs_failed on request_logs (merchant_id, id) where status >= 400;
create index request_logs_by_age on request_logs using brin (created_at) with (pages_per_range = 32, autosummarize = on);

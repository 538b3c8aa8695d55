-- Totals of everything together are also kept by hour. On its own, because it keeps others from reading for a moment.
alter table revenue_totals drop constraint revenue_totals_span_check;
alter table revenue_totals add constraint revenue_totals_span_check
  check (span in ('quarter', 'hour', 'day', 'month')) not valid;

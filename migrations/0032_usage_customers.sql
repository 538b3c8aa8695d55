-- Usage that names a subscription belongs to its customer too. Old records are filled in batches by a job, because there
-- may be very many: this row says how far it has come, and goes when it is done.
create table usage_customer_fill (
  one boolean primary key default true check (one),
  merchant_id uuid not null,
  usage_record_id uuid not null
);

insert into usage_customer_fill (merchant_id, usage_record_id)
select '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
 where exists (select from usage_records);

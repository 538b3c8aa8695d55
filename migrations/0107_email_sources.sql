-- @expands
-- How the address of a customer is known: the merchant set it, a link that was mailed to it was opened, or somebody typed it, which proves
-- nothing.
alter table customers
  add column email_source text,
  add constraint customers_email_source_check check (email_source in ('merchant', 'mailbox', 'typed')) not valid;

-- The release before does not say. What it adds counts as typed; whose change it was it says in is_email_own.
create function name_email_source() returns trigger language plpgsql as $$
begin
  new.email_source := case
    when new.email is null then null
    when tg_op = 'INSERT' or new.is_email_own then 'typed'
    else 'merchant' end;
  return new;
end
$$;

create trigger customers_added_by_older_release before insert on customers for each row
  when (new.email is not null and new.email_source is null) execute function name_email_source();

create trigger customers_changed_by_older_release before update of is_email_own on customers for each row
  when (new.email is distinct from old.email) execute function name_email_source();

create trigger customers_erased_by_older_release before update of erased_at on customers for each row
  when (new.email is null and new.email_source is not null) execute function name_email_source();

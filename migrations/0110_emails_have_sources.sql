-- @expands
alter table customers
  add constraint customers_email_sourced_check check ((email is null) = (email_source is null)) not valid;

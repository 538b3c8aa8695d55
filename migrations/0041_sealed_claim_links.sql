-- A claim link waits sealed until its e-mail is sent: who reads the table, or a dump of it, cannot open the refund's page.
alter table emails add column sealed_link bytea;
alter table emails drop constraint emails_keep_no_claim_link;
alter table emails add constraint emails_keep_no_claim_link
  check (next_attempt_at is not null or (sealed_link is null and not (facts ? 'claimUrl'))) not valid;

-- Worthless tokens can be sent in any number: those for one intent are one exception, which counts them.
alter table payment_exceptions add column transfer_count bigint not null default 1 check (transfer_count >= 1);

create index node_disagreements_undecided on node_disagreements (destination) where decided_at is null;

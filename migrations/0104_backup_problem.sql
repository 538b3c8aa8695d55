-- @expands
-- Why the last backup that a worker was to make by itself failed; null after one that did not. For doctor, on any machine.
alter table installation add column backup_problem text;

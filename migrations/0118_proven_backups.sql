-- @expands
-- The last backup that a worker made and loaded into a database of its own to prove that it can be restored, and why the
-- last one that was to be proven could not be.
alter table installation
  add column backup_proven_at timestamptz,
  add column backup_proof_problem text;

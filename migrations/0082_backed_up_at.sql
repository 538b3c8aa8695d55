-- When somebody last backed this installation up: the steps to going live show whether anybody ever has.
alter table installation add column backed_up_at timestamptz;

-- What nodes said about a transaction where they contradicted each other: for the operator, no merchant's.
create table node_disagreements (
  signature text not null,
  destination text not null,
  -- The node's host, without the path that may hold a key.
  node text not null,
  claim text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Set once enough nodes agree; the rows that stay are of those that said something else.
  decided_at timestamptz,
  -- The others agree that there is no such transaction: it is not shown as under way again.
  is_refuted boolean not null default false,
  primary key (signature, destination, node)
);
create index node_disagreements_by_time on node_disagreements (last_seen_at);

-- Where a key may be used from: addresses and CIDR ranges; null for anywhere.
alter table api_keys
  add column allowed_addresses text[] check (cardinality(allowed_addresses) between 1 and 20),
  -- When a call from elsewhere was last written to the audit log.
  add column address_refused_at timestamptz;

-- How a project shows itself to its customers; null is the merchant's own.
alter table projects
  add column brand_name text,
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$');

-- Filters of a dashboard list under a name: of one member, or shared with the team.
create table saved_views (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  list text not null check (list ~ '^[a-z-]{1,40}$'),
  name text not null check (char_length(name) between 1 and 60),
  query text not null check (char_length(query) between 1 and 1000),
  is_shared boolean not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, member_id) references members (merchant_id, id)
);
create unique index saved_views_by_name on saved_views (merchant_id, member_id, list, lower(name));
create index saved_views_shared on saved_views (merchant_id) where is_shared;

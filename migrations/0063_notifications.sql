-- What people read when something happened: endpoints of another kind, with the same deliveries as webhooks. `url` is what may be
-- shown of where they go; the whole of it is sealed in `secret`. An e-mail goes to a member, at the address they have then.
alter table webhook_endpoints
  add column kind text not null default 'webhook'
    check (kind in ('webhook', 'slack', 'discord', 'telegram', 'https', 'email')),
  add column chat_id text check (char_length(chat_id) between 1 and 64),
  add column member_id uuid,
  add constraint webhook_endpoints_member_fkey foreign key (merchant_id, member_id) references members (merchant_id, id),
  add constraint webhook_endpoints_notification
    check (kind = 'webhook' or (id <> merchant_id and event_types is not null and previous_secret is null)),
  add constraint webhook_endpoints_recipient
    check ((kind = 'telegram') = (chat_id is not null) and (kind = 'email') = (member_id is not null)),
  drop constraint webhook_endpoints_others,
  add constraint webhook_endpoints_others
    check ((id = merchant_id or kind = 'email') = (secret is null) and (id = merchant_id or created_at is not null));

-- The payments of a project, newest first, however old they are and however many other projects have had since.
create index checkout_sessions_by_project_intent on checkout_sessions (merchant_id, project_id, payment_intent_id);

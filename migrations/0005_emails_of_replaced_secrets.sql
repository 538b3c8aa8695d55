-- @expands
-- @each-statement-alone

alter table emails validate constraint emails_kind_check;

alter table emails validate constraint emails_to_somebody;

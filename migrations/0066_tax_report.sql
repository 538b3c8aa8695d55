-- Credit notes of a period that take tax back; invoices of one are found by invoices_paid.
create index credit_notes_taxed on credit_notes (merchant_id, project_id, created_at) where tax is not null;

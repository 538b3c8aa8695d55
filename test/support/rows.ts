import { createHash } from 'node:crypto';
import { listTables } from '../../src/platform/backup/list-tables.ts';
import type { Database } from '../../src/platform/db/database.ts';

/** Each value a way to get lost between a database and a file. */
const AWKWARD_TEXT = 'tab\t newline\n return\r backslash\\ \\n \\. \\N {"a": "b\'"} ünï 日本 🦀 \u0001';
const AWKWARD_BYTES = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
const LOGO = `${createHash('sha256').update(AWKWARD_BYTES).digest('hex')}.webp`;
const AT = '2026-02-28T23:59:59.123456Z';
const SHOP = '01900000-0000-7000-8000-000000000001';
const PLAIN_SHOP = '01900000-0000-7000-8000-000000000002';
const TERMINAL = '01900000-0000-7000-8000-00000000000a';
const INTENT = '01900000-0000-7000-8000-00000000000b';
const OTHER = '01900000-0000-7000-8000-00000000000c';
const METADATA = { 'tab\t newline\n \\': 'ünï 日本 🦀', empty: '' };
const MAX_INT64 = '9223372036854775807';
/** Columns of a row in a project. */
const IN_PROJECT = { merchant_id: SHOP, project_id: OTHER, created_at: AT };

/** Rows for every table, as awkward as its constraints allow. */
const ROWS: Record<string, Record<string, unknown>[]> = {
  installation: [
    {
      ...{
        network: 'devnet',
        sealed_check: AWKWARD_BYTES,
        created_at: AT,
        backed_up_at: AT,
        backup_problem: AWKWARD_TEXT,
        backup_proven_at: AT,
        backup_proof_problem: AWKWARD_TEXT,
      },
      ...{ beat: 5, beat_transaction: 9, went_back_at: AT, went_back: 'the database has gone back' },
    },
  ],
  merchants: [
    {
      id: SHOP,
      name: AWKWARD_TEXT,
      brand_color: '#00ff7f',
      logo_file: LOGO,
      payout_address: 'p'.repeat(44),
      payout_change_delay_hours: 168,
      sponsor_fees: 'when_needed',
      time_zone: 'America/Argentina/ComodRivadavia',
      verification_status: 3,
      webhook_url: 'https://shop.example/hook',
      webhook_secret: AWKWARD_BYTES,
      previous_webhook_secret: Buffer.alloc(0),
      previous_webhook_secret_until: 'infinity',
      created_at: AT,
    },
    {
      ...{ id: PLAIN_SHOP, webhook_secret: Buffer.alloc(0), created_at: '0001-01-01T00:00:00Z' },
      ...{ closed_at: AT, moved_to: 'https://pay.example' },
    },
  ],
  logos: [
    { merchant_id: SHOP, file_name: LOGO, width: 16, height: 2048, bytes: AWKWARD_BYTES, created_at: AT },
  ],
  payout_addresses: [
    { merchant_id: SHOP, address: 'p'.repeat(44), verified_at: AT, seen_in_wallet_at: AT, created_at: AT },
    { merchant_id: PLAIN_SHOP, address: 'p'.repeat(44), is_shared: true, created_at: AT },
  ],
  payout_changes: [
    {
      merchant_id: SHOP,
      id: OTHER,
      kind: 'address',
      project_id: OTHER,
      from_address: 'p',
      address: 'p'.repeat(44),
      requested_by: AWKWARD_TEXT,
      requested_at: AT,
      takes_effect_at: 'infinity',
    },
    {
      merchant_id: SHOP,
      id: INTENT,
      kind: 'delay',
      from_delay_hours: 168,
      delay_hours: 0,
      requested_by: '',
      requested_at: AT,
      takes_effect_at: AT,
    },
  ],
  payout_challenges: [{ merchant_id: SHOP, address: 'p', message: AWKWARD_TEXT, expires_at: 'infinity' }],
  api_keys: [
    {
      merchant_id: SHOP,
      id: OTHER,
      hash: AWKWARD_BYTES.subarray(0, 32),
      prefix: 'sk_',
      scopes: ['billing:read', 'payments:write'],
      allowed_addresses: ['192.0.2.1', '2001:db8::/32'],
      address_refused_at: AT,
      created_at: AT,
    },
  ],
  node_disagreements: [
    {
      signature: 's',
      destination: 'd',
      node: AWKWARD_TEXT,
      claim: AWKWARD_TEXT,
      first_seen_at: AT,
      last_seen_at: 'infinity',
      decided_at: AT,
      is_refuted: true,
    },
  ],
  // The other shop's is made with its first entry.
  audit_heads: [{ merchant_id: PLAIN_SHOP, rows_before: 0 }],
  audit_entries: [
    {
      merchant_id: SHOP,
      id: OTHER,
      actor: '',
      action: 'x',
      detail: { text: 'tab\t newline\n \\', number: 1 },
      created_at: AT,
    },
  ],
  terminals: [
    { merchant_id: SHOP, id: TERMINAL, name: AWKWARD_TEXT, created_at: AT, current_intent_id: INTENT },
    { merchant_id: PLAIN_SHOP, id: OTHER, is_active: false, created_at: AT },
  ],
  payment_intents: [
    {
      merchant_id: SHOP,
      id: INTENT,
      order_id: AWKWARD_TEXT,
      terminal_id: TERMINAL,
      session_ordering_key: OTHER,
      expected_amount_cents: '9223372036854775807',
      received_base_units: '9'.repeat(38),
      waived_base_units: 1,
      reference_address: 'r',
      destination_address: 'd',
      status: 'succeeded',
      tx_signature: 's',
      paid_via: 'x402',
      payer_address: 'p'.repeat(44),
      is_refunding: true,
      is_withdrawn: true,
      metadata: METADATA,
      sequence: 2_147_483_647,
      created_at: AT,
      expires_at: '294276-12-31T23:59:59Z',
      succeeded_at: AT,
    },
  ],
  events: [1, 2].map((sequence) => ({
    merchant_id: SHOP,
    id: sequence === 1 ? INTENT : OTHER,
    event: 'payment_intent.succeeded',
    object_type: 'payment_intent',
    object_id: INTENT,
    sequence,
    status: 'succeeded',
    ordering_key: INTENT,
    body: AWKWARD_TEXT,
    created_at: AT,
  })),
  event_counters: [
    { merchant_id: SHOP, last_position: MAX_INT64, looked_through: OTHER, pruned_position: MAX_INT64 },
  ],
  event_positions: [{ merchant_id: SHOP, position: MAX_INT64, event_id: INTENT }],
  watched_accounts: [
    {
      destination: 'd',
      account: 'a',
      merchant_id: SHOP,
      watch_since: AT,
      watch_until: 'infinity',
      cursor_signature: 's',
      cursor_slot: '9223372036854775807',
      next_poll_at: AT,
      next_rescan_at: 'infinity',
      last_problem: AWKWARD_TEXT,
      listed_through: AT,
      unlisted_from: AT,
      unlisted_until: AT,
    },
  ],
  account_sweep: [{ holder: OTHER, held_until: AT, through_slot: MAX_INT64, through_at: AT }],
  unreadable_transactions: [
    {
      destination: 'd',
      signature: 's',
      slot: MAX_INT64,
      reason: AWKWARD_TEXT,
      attempts: 1,
      first_seen_at: AT,
      next_attempt_at: 'infinity',
    },
  ],
  incoming_transfers: [
    {
      signature: 's',
      destination: 'd',
      slot: '9223372036854775807',
      block_time: AT,
      received_base_units: '18446744073709551615',
      has_failed: false,
      is_final: true,
      seen_at: AT,
    },
  ],
  payment_allocations: [
    {
      merchant_id: SHOP,
      intent_id: INTENT,
      signature: 's',
      destination: 'd',
      base_units: '18446744073709551615',
      is_final: true,
      created_at: AT,
    },
  ],
  payment_exceptions: [
    {
      merchant_id: SHOP,
      id: OTHER,
      kind: 'surplus',
      signature: 's',
      destination: 'd',
      mint: 'm',
      base_units: '10000',
      decimals: 6,
      intent_id: INTENT,
      posting_id: OTHER,
      refund_id: OTHER,
      is_after_payment: true,
      note: AWKWARD_TEXT,
      created_at: AT,
    },
  ],
  refunds: [
    {
      ...IN_PROJECT,
      id: OTHER,
      number: MAX_INT64,
      customer_id: OTHER,
      payment_intent_id: INTENT,
      invoice_id: OTHER,
      exception_id: OTHER,
      status: 'succeeded',
      amount_cents: MAX_INT64,
      sent_base_units: '9'.repeat(38),
      reason: 'other',
      note: AWKWARD_TEXT,
      metadata: METADATA,
      address: 'a'.repeat(44),
      address_source: 'payer',
      address_approved_at: AT,
      payer_address: 'a'.repeat(32),
      reference_address: 'r'.repeat(44),
      claim_token_hash: Buffer.alloc(32, 7),
      notify_customer: true,
      revoke_credits: true,
      cancel_subscription: true,
      effects_due_at: AT,
      tx_signature: 's',
      sequence: 2147483647,
      check_at: AT,
      checked_signature: 's',
      prepared_at: AT,
      sent_signature: 's'.repeat(88),
      prepared_until: AT,
      expires_at: 'infinity',
      succeeded_at: AT,
    },
  ],
  refund_transfers: [
    {
      merchant_id: SHOP,
      refund_id: OTHER,
      signature: 's',
      slot: MAX_INT64,
      block_time: AT,
      base_units: '9'.repeat(20),
      is_final: true,
      created_at: AT,
    },
  ],
  credit_notes: [
    {
      ...IN_PROJECT,
      id: OTHER,
      number: MAX_INT64,
      refund_id: OTHER,
      customer_id: OTHER,
      invoice_id: OTHER,
      amount_cents: MAX_INT64,
      shares: JSON.stringify([{ tax: null, netCents: 1, taxCents: 0 }]),
      tax: JSON.stringify({ seller: null, buyer: null, notes: ['tab\t newline\n \\'] }),
      tax_cents: 3,
    },
  ],
  sponsored_transactions: [
    {
      signature: 's'.repeat(88),
      merchant_id: SHOP,
      intent_id: INTENT,
      payer: 'p'.repeat(44),
      via: 'mpp',
      message_hash: Buffer.alloc(32, 255),
      transaction: Buffer.alloc(1232, 255),
      fee_lamports: MAX_INT64,
      state: 'landed',
      has_failed: true,
      last_valid_block_height: MAX_INT64,
      created_at: AT,
      next_check_at: AT,
      confirmed_at: AT,
      answered_at: AT,
      answered_key: AWKWARD_TEXT,
    },
  ],
  sponsor_days: [{ day: '2026-02-28', spent_lamports: MAX_INT64, transactions: MAX_INT64 }],
  refund_counters: [{ merchant_id: SHOP, last_refund_number: MAX_INT64, last_credit_note_number: MAX_INT64 }],
  projects: [
    {
      merchant_id: SHOP,
      id: OTHER,
      name: AWKWARD_TEXT,
      payout_address: 'p'.repeat(44),
      brand_name: AWKWARD_TEXT,
      brand_color: '#00ff7f',
      logo_file: LOGO,
      monthly_volume_limit_cents: MAX_INT64,
      monthly_request_limit: 0,
      settings:
        '{"lowBalanceCredits": 9007199254740993, "agentRefundLimitCents": 9007199254740993, "usageCredits": {"a.b:c": 1}}',
      last_invoice_number: MAX_INT64,
      created_at: AT,
      updated_at: AT,
      archived_at: AT,
      seller: JSON.stringify({ legalName: 'tab\t newline\n \\', country: 'DE', taxIds: [] }),
    },
    { merchant_id: PLAIN_SHOP, id: OTHER, name: 'x', created_at: AT, updated_at: AT },
  ],
  project_months: [
    {
      merchant_id: SHOP,
      project_id: OTHER,
      month: '2026-02-01',
      volume_cents: '9'.repeat(38),
      request_count: MAX_INT64,
    },
  ],
  customers: [
    {
      ...IN_PROJECT,
      id: OTHER,
      external_customer_id: AWKWARD_TEXT,
      email: 'ünï@example.com',
      email_source: 'mailbox',
      name: AWKWARD_TEXT,
      language: 'de-AT',
      metadata: METADATA,
      address: JSON.stringify({ line1: 'tab\t newline\n \\' }),
      country: 'GR',
      is_business: true,
      tax_ids: JSON.stringify([{ type: 'other', value: 'ü', status: 'unverified' }]),
    },
    { ...IN_PROJECT, id: INTENT, erased_at: AT },
    { ...IN_PROJECT, id: TERMINAL, merged_into_id: OTHER },
  ],
  customer_erasures: [
    {
      ...IN_PROJECT,
      customer_id: OTHER,
      discarded_credits: MAX_INT64,
      discarded_cents: '0',
      stage: 'idempotency_keys',
      after_id: OTHER,
      after_event_object_id: OTHER,
      after_event_sequence: 2147483647,
      after_operation: AWKWARD_TEXT,
      after_key: AWKWARD_TEXT,
      done: MAX_INT64,
      total: MAX_INT64,
      advanced_at: AT,
    },
    {
      ...IN_PROJECT,
      customer_id: INTENT,
      discarded_credits: '0',
      discarded_cents: '0',
      stage: 'finished',
      advanced_at: 'infinity',
      finished_at: AT,
    },
  ],
  products: [
    {
      ...IN_PROJECT,
      id: OTHER,
      name: AWKWARD_TEXT,
      description: AWKWARD_TEXT,
      is_active: false,
      metadata: METADATA,
      image_file: LOGO,
    },
  ],
  discounts: [
    {
      ...IN_PROJECT,
      id: OTHER,
      name: AWKWARD_TEXT,
      amount_off_cents: MAX_INT64,
      duration: 'periods',
      duration_periods: 1000,
      product_ids: [OTHER, INTENT],
      starts_at: AT,
      ends_at: 'infinity',
      max_redemptions: 2,
      max_per_customer: 1,
      redemptions_count: 2,
      is_active: false,
    },
    { ...IN_PROJECT, id: INTENT, name: 'x', percent_off_bps: 1, duration: 'forever' },
  ],
  promotion_codes: [{ ...IN_PROJECT, id: OTHER, discount_id: OTHER, code: 'Summer_-9', is_active: false }],
  tax_rates: [
    {
      ...IN_PROJECT,
      id: OTHER,
      name: AWKWARD_TEXT,
      percent_ppm: 1_000_000,
      country: 'DE',
      category: 'S',
      is_default: true,
    },
    { ...IN_PROJECT, id: INTENT, name: 'x', percent_ppm: 0, country: 'GR', category: 'AE', is_active: false },
  ],
  prices: [
    {
      ...IN_PROJECT,
      id: OTHER,
      tax_behavior: 'exclusive',
      tax_rate_id: OTHER,
      product_id: OTHER,
      name: AWKWARD_TEXT,
      lookup_key: AWKWARD_TEXT,
      unit_amount_cents: MAX_INT64,
      billing_mode: 'balance_top_up',
      credit_amount: MAX_INT64,
      is_active: false,
      metadata: METADATA,
    },
    {
      ...IN_PROJECT,
      id: INTENT,
      product_id: OTHER,
      unit_amount_cents: 1,
      billing_mode: 'subscription',
      recurring_interval: 'month',
      recurring_interval_count: 6,
      trial_days: 730,
    },
  ],
  payment_links: [
    {
      ...IN_PROJECT,
      id: OTHER,
      price_id: OTHER,
      name: AWKWARD_TEXT,
      status: 'inactive',
      public_token: 'plink_1',
      require_client_reference_id: true,
      collect_customer_email: false,
      success_url: 'https://shop.example/?a=1&b=2',
      cancel_url: 'https://shop.example/#',
      expires_at: 'infinity',
      max_payments: 2_147_483_647,
      min_cents: 1,
      max_cents: MAX_INT64,
      suggested_cents: `{1,${MAX_INT64}}`,
      tip_percents: '{1,100}',
      payments_count: 2_147_483_647,
      metadata: METADATA,
      ended_at: AT,
      deleted_at: AT,
    },
  ],
  sponsor_low: [{ address: 'p'.repeat(44), since: AT }],
  credit_token_revocations: [
    { merchant_id: SHOP, customer_id: OTHER, generation: 2_147_483_647, revoked_at: AT },
  ],
  paywalls: [
    {
      ...IN_PROJECT,
      id: OTHER,
      price_id: OTHER,
      token: 'pw_1',
      resource_url: 'https://shop.example/?a=1&b=2',
      description: AWKWARD_TEXT,
      mime_type: 'text/plain; charset=utf-8',
      settle_at: 'finalized',
      deleted_at: AT,
    },
  ],
  order_keys: [
    { merchant_id: SHOP, route: AWKWARD_TEXT, key: AWKWARD_TEXT, intent_id: INTENT, created_at: AT },
  ],
  checkout_sessions: [
    {
      ...IN_PROJECT,
      id: OTHER,
      mode: 'balance_top_up',
      origin: 'link',
      status: 'complete',
      payment_status: 'paid',
      price_id: OTHER,
      trial_days: 730,
      tip_percents: '{1,100}',
      tip_cents: MAX_INT64,
      amount_cents: MAX_INT64,
      credit_amount: MAX_INT64,
      customer_id: OTHER,
      external_customer_id: AWKWARD_TEXT,
      customer_email: AWKWARD_TEXT,
      customer_name: AWKWARD_TEXT,
      merchant_reference: AWKWARD_TEXT,
      client_reference_id: 'c',
      payment_link_id: OTHER,
      payment_intent_id: INTENT,
      token: 't',
      checkout_url: 'https://shop.example/checkout/t?a=1&b=2',
      success_url: 'https://shop.example/?a=1&b=2',
      cancel_url: 'https://shop.example/#',
      volume_month: '2026-02-01',
      metadata: METADATA,
      sequence: 2_147_483_647,
      expires_at: 'infinity',
      completed_at: AT,
      unapplied_at: AT,
    },
  ],
  discount_redemptions: [
    {
      merchant_id: SHOP,
      session_id: OTHER,
      discount_id: OTHER,
      customer_id: OTHER,
      email: 'ünï@example.com',
      created_at: AT,
      held_until: AT,
      is_typed: true,
    },
  ],
  trials: [
    {
      merchant_id: SHOP,
      session_id: OTHER,
      product_id: OTHER,
      customer_id: OTHER,
      email: 'ünï@example.com',
      is_typed: true,
      created_at: AT,
    },
  ],
  invoices: [
    {
      ...IN_PROJECT,
      id: OTHER,
      number: MAX_INT64,
      refunded_cents: '9'.repeat(38),
      metadata: METADATA,
      number_text: AWKWARD_TEXT,
      customer_id: OTHER,
      checkout_session_id: OTHER,
      status: 'paid',
      billing_reason: 'balance_top_up',
      lines: JSON.stringify([{ description: 'tab\t newline\n \\', amountCents: 1 }]),
      subtotal_cents: MAX_INT64,
      discount: JSON.stringify({ id: OTHER, name: 'tab\t newline\n \\', promotionCode: null }),
      tax: JSON.stringify({ seller: null, buyer: null, notes: ['tab\t newline\n \\'] }),
      tax_cents: 3,
      tax_added_cents: 0,
      credit_applied_cents: 1,
      total_cents: '9223372036854775806',
      amount_paid_cents: '9'.repeat(38),
      due_at: 'infinity',
      period_start: '0001-01-01T00:00:00Z',
      period_end: '294276-12-31T23:59:59Z',
      merchant_reference: AWKWARD_TEXT,
      client_reference_id: AWKWARD_TEXT,
      tx_signature: 's',
      sequence: 2_147_483_647,
      paid_at: AT,
      memo: 'tab\t newline\n \\',
      opened_at: AT,
      checkout_url: AWKWARD_TEXT,
      sent_at: AT,
      times_sent: 2_147_483_647,
      waived_cents: 1,
      waived_shares: JSON.stringify([{ tax: null, netCents: 1, taxCents: 0 }]),
      reminded_at: AT,
      times_reminded: 2_147_483_647,
      steps_done: 32_767,
    },
    {
      ...IN_PROJECT,
      id: INTENT,
      customer_id: OTHER,
      status: 'draft',
      billing_reason: 'manual',
      lines: '[]',
      subtotal_cents: 0,
      total_cents: 0,
      draft: JSON.stringify({ lineItems: [{ name: 'tab\t newline\n \\', unitAmountCents: 1 }] }),
    },
  ],
  subscriptions: [
    {
      ...IN_PROJECT,
      id: OTHER,
      customer_id: OTHER,
      price_id: INTENT,
      status: 'active',
      merchant_reference: AWKWARD_TEXT,
      client_reference_id: 'c',
      metadata: METADATA,
      anchor_at: '0001-01-01T00:00:00Z',
      period_index: 2_147_483_647,
      current_period_start: AT,
      current_period_end: '294276-12-30T23:59:59Z',
      paid_through: '294276-12-31T23:59:59Z',
      cancel_at_period_end: true,
      grace_ends_at: 'infinity',
      renewal_invoice_id: OTHER,
      latest_invoice_id: OTHER,
      prepaid_price_id: INTENT,
      prepaid_quantity: 10_000,
      next_price_id: INTENT,
      quantity: 10_000,
      next_quantity: 1,
      discount_id: OTHER,
      discount_periods_left: 2_147_483_647,
      period_discount_id: OTHER,
      prepaid_discount_id: INTENT,
      trial_days: 730,
      trial_ends_at: 'infinity',
      pending_change: `{"amountDueCents": ${MAX_INT64}, "text": "tab\\t newline\\n"}`,
      next_step_at: AT,
      reminders_sent: 2_147_483_647,
      sequence: 2_147_483_647,
    },
    { ...IN_PROJECT, id: INTENT, customer_id: INTENT, price_id: INTENT, sequence: 1 },
  ],
  set_aside_work: [
    {
      ...{ merchant_id: SHOP, work: AWKWARD_TEXT, item_id: OTHER, reason: AWKWARD_TEXT },
      ...{ failures: 2_147_483_647, since: AT, retry_at: 'infinity' },
    },
  ],
  stuck_renewals: [
    { merchant_id: SHOP, subscription_id: OTHER, reason: AWKWARD_TEXT, since: AT, retry_at: 'infinity' },
  ],
  usage_records: [
    {
      ...IN_PROJECT,
      id: OTHER,
      metric: 'a.b:c_d-1',
      quantity: 1_000_000_000,
      customer_id: OTHER,
      subscription_id: OTHER,
      idempotency_key: AWKWARD_TEXT,
      credits: MAX_INT64,
    },
  ],
  revenue_recounts: [{ kind: 'product' }],
  revenue_fill: [{ source: 'refunds', merchant_id: SHOP, source_id: OTHER }],
  revenue_entries: [
    {
      merchant_id: SHOP,
      project_id: OTHER,
      id: OTHER,
      source_id: INTENT,
      customer_id: OTHER,
      quarter: '2026-02-28T23:45:00Z',
      payments_count: -1,
      gross_cents: `-${'9'.repeat(38)}`,
      refunds_count: 1,
      refunded_cents: '9'.repeat(38),
      opened_count: 1,
      completed_count: -1,
    },
    {
      merchant_id: SHOP,
      project_id: OTHER,
      source_id: INTENT,
      product_id: OTHER,
      quarter: '2026-02-28T23:45:00Z',
      payments_count: 1,
    },
  ],
  revenue_totals: [
    {
      merchant_id: SHOP,
      project_id: OTHER,
      kind: 'customer',
      span: 'month',
      starts_at: '2026-02-01T00:00:00Z',
      subject_id: OTHER,
      payments_count: MAX_INT64,
      gross_cents: '9'.repeat(38),
      refunds_count: 1,
      refunded_cents: '9'.repeat(38),
      opened_count: 1,
      completed_count: 1,
    },
  ],
  revenue_ranges: [{ merchant_id: SHOP, project_id: OTHER, range: '12m', since: '2026-02-28T23:45:00Z' }],
  revenue_standings: [
    {
      merchant_id: SHOP,
      project_id: OTHER,
      range: '12m',
      kind: 'customer',
      subject_id: OTHER,
      net_cents: '9'.repeat(38),
      payments_count: MAX_INT64,
    },
  ],
  usage_customer_fill: [{ merchant_id: SHOP, usage_record_id: OTHER }],
  balances: [
    {
      merchant_id: SHOP,
      customer_id: OTHER,
      credits: '9'.repeat(38),
      cents: '9'.repeat(38),
      sequence: 2_147_483_647,
    },
  ],
  postings: [
    {
      ...IN_PROJECT,
      id: OTHER,
      customer_id: OTHER,
      delta_credits: MAX_INT64,
      credits_after: '9'.repeat(38),
      cents_after: '9'.repeat(38),
      counter_account: 'top_up',
      reason: AWKWARD_TEXT,
      invoice_id: OTHER,
    },
    {
      ...IN_PROJECT,
      id: INTENT,
      customer_id: OTHER,
      delta_credits: '-9223372036854775807',
      credits_after: 0,
      cents_after: 0,
      counter_account: 'usage',
      usage_record_id: OTHER,
      reverses_id: OTHER,
    },
  ],
  tills: [
    {
      ...IN_PROJECT,
      id: OTHER,
      terminal_id: TERMINAL,
      name: 'ünï 日本 🦀',
      tip_percents: [5, 100],
      code_hash: AWKWARD_BYTES.subarray(0, 32),
      code_expires_at: 'infinity',
      sale_count: 0,
    },
    {
      ...IN_PROJECT,
      id: INTENT,
      terminal_id: TERMINAL,
      key_hash: AWKWARD_BYTES.subarray(224),
      sale_count: 2147483647,
      paired_at: AT,
      last_seen_at: AT,
      unpaired_at: AT,
    },
  ],
  till_sales: [
    {
      merchant_id: SHOP,
      intent_id: INTENT,
      till_id: OTHER,
      number: 2147483647,
      lines: JSON.stringify([{ name: AWKWARD_TEXT.replace('\u0001', ''), quantity: 1 }]),
      goods_cents: MAX_INT64,
      tip_cents: MAX_INT64,
    },
  ],
  saved_views: [
    {
      merchant_id: SHOP,
      id: OTHER,
      member_id: OTHER,
      list: 'intents',
      name: 'ünï 日本 🦀',
      query: 'status=succeeded',
      is_shared: true,
      created_at: AT,
    },
  ],
  notes: [
    {
      merchant_id: SHOP,
      id: OTHER,
      customer_id: OTHER,
      author: 'operator',
      text: AWKWARD_TEXT,
      created_at: AT,
      edited_at: AT,
    },
    {
      merchant_id: SHOP,
      id: INTENT,
      payment_intent_id: INTENT,
      author: 'operator',
      text: 'x',
      created_at: AT,
    },
  ],
  refund_requests: [
    {
      merchant_id: SHOP,
      id: OTHER,
      intent_id: INTENT,
      till_id: OTHER,
      reason: AWKWARD_TEXT,
      status: 'approved',
      refund_id: OTHER,
      created_at: AT,
      decided_at: AT,
    },
    { merchant_id: SHOP, id: INTENT, intent_id: INTENT, till_id: OTHER, created_at: AT },
  ],
  portal_sign_ins: [
    {
      ...IN_PROJECT,
      id: OTHER,
      email: 'ünï@shop.example',
      language: 'ar',
      asked_from_hash: AWKWARD_BYTES.subarray(2, 34),
    },
  ],
  portal_email_changes: [
    {
      ...IN_PROJECT,
      id: OTHER,
      customer_id: OTHER,
      email: 'ünï@shop.example',
      from_email_hash: AWKWARD_BYTES.subarray(5, 37),
      is_by_email: true,
      token_hash: AWKWARD_BYTES.subarray(0, 32),
      asked_from_hash: AWKWARD_BYTES.subarray(3, 35),
      expires_at: '2026-03-01T00:14:59.123456Z',
      outcome: 'withdrawn',
    },
  ],
  portal_sessions: [
    {
      ...IN_PROJECT,
      id: OTHER,
      customer_id: OTHER,
      token_hash: AWKWARD_BYTES.subarray(0, 32),
      return_url: 'https://shop.example/?a=1&b=2',
      expires_at: 'infinity',
      opened_at: AT,
      visit_ends_at: 'infinity',
      cookie_hash: AWKWARD_BYTES.subarray(224),
    },
    {
      ...IN_PROJECT,
      id: INTENT,
      customer_id: INTENT,
      token_hash: AWKWARD_BYTES.subarray(1, 33),
      expires_at: '294276-12-31T23:59:59Z',
    },
    {
      ...IN_PROJECT,
      id: SHOP,
      customer_id: OTHER,
      token_hash: AWKWARD_BYTES.subarray(2, 34),
      expires_at: '2026-03-01T00:14:59.123456Z',
      is_by_email: true,
      asked_from_hash: AWKWARD_BYTES.subarray(3, 35),
      emailed_to_hash: AWKWARD_BYTES.subarray(4, 36),
    },
  ],
  members: [
    {
      merchant_id: SHOP,
      id: OTHER,
      email: 'ünï@shop.example',
      name: AWKWARD_TEXT,
      role: 'owner',
      password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${'+/'.repeat(11)}$${'0'.repeat(43)}`,
      created_at: AT,
      updated_at: 'infinity',
      last_signed_in_at: AT,
    },
    {
      merchant_id: SHOP,
      id: INTENT,
      email: 'ünï@shop.example',
      name: 'gone',
      role: 'viewer',
      created_at: AT,
      updated_at: AT,
      disabled_at: AT,
      removed_at: '294276-12-31T23:59:59Z',
    },
  ],
  passkeys: [
    {
      merchant_id: SHOP,
      id: OTHER,
      member_id: OTHER,
      name: AWKWARD_TEXT,
      credential_id: AWKWARD_BYTES,
      public_key: AWKWARD_BYTES,
      counter: MAX_INT64,
      transports: ['usb', 'tab\t "quote" {}'],
      is_synced: true,
      created_at: AT,
    },
  ],
  known_devices: [
    {
      merchant_id: SHOP,
      member_id: OTHER,
      token_hash: AWKWARD_BYTES.subarray(0, 32),
      expires_at: 'infinity',
    },
  ],
  dashboard_sessions: [
    {
      merchant_id: SHOP,
      id: OTHER,
      member_id: OTHER,
      token_hash: AWKWARD_BYTES.subarray(0, 32),
      method: 'passkey',
      address: '2001:db8::1',
      user_agent: AWKWARD_TEXT,
      created_at: AT,
      last_seen_at: AT,
      confirmed_at: AT,
      expires_at: 'infinity',
    },
  ],
  member_links: [
    {
      merchant_id: SHOP,
      id: OTHER,
      kind: 'reset',
      token_hash: AWKWARD_BYTES.subarray(0, 32),
      member_id: OTHER,
      created_by: AWKWARD_TEXT,
      created_at: AT,
      expires_at: 'infinity',
    },
    {
      merchant_id: SHOP,
      id: INTENT,
      kind: 'invitation',
      token_hash: AWKWARD_BYTES.subarray(1, 33),
      email: 'a@b.example',
      role: 'viewer',
      created_by: 'operator',
      created_at: AT,
      expires_at: '294276-12-31T23:59:59Z',
      used_at: AT,
    },
  ],
  passkey_challenges: [
    {
      hash: AWKWARD_BYTES.subarray(0, 32),
      purpose: 'step_up',
      merchant_id: SHOP,
      session_id: OTHER,
      expires_at: AT,
    },
    { hash: AWKWARD_BYTES.subarray(1, 33), purpose: 'sign_in', expires_at: 'infinity' },
  ],
  sign_in_attempts: [{ name: AWKWARD_TEXT, failures: 2_147_483_647, blocked_until: 'infinity' }],
  exception_credits: [
    { merchant_id: SHOP, posting_id: OTHER, exception_id: OTHER, replaced_posting_id: OTHER },
  ],
  payment_claims: [{ merchant_id: SHOP, signature: 's', intent_id: INTENT, claimed_at: AT }],
  submitted_signatures: [{ merchant_id: SHOP, intent_id: INTENT, signature: 's', submitted_at: AT }],
  undispatched_events: [{ ordinal: '9223372036854775807', merchant_id: SHOP, event_id: INTENT }],
  webhook_endpoints: [
    { id: SHOP, merchant_id: SHOP, claim_at: AT, settled_through: '9223372036854775807' },
    {
      id: OTHER,
      merchant_id: PLAIN_SHOP,
      name: AWKWARD_TEXT,
      url: 'https://books.example/hook',
      secret: AWKWARD_BYTES,
      previous_secret: Buffer.alloc(0),
      previous_secret_until: 'infinity',
      event_types: [AWKWARD_TEXT, ''],
      is_active: false,
      created_at: AT,
    },
    {
      id: INTENT,
      merchant_id: PLAIN_SHOP,
      kind: 'telegram',
      summary_hour: 23,
      summary_time_zone: 'Europe/Berlin',
      summary_at: AT,
      summary_since: 'infinity',
      chat_id: AWKWARD_TEXT.slice(0, 60),
      url: 'https://api.telegram.org/…',
      secret: AWKWARD_BYTES,
      event_types: [AWKWARD_TEXT],
      created_at: AT,
    },
    {
      id: '01900000-0000-7000-8000-0000000000e1',
      merchant_id: SHOP,
      kind: 'email',
      member_id: OTHER,
      url: 'mailto:',
      event_types: [AWKWARD_TEXT],
      created_at: AT,
    },
  ],
  request_logs: [
    {
      merchant_id: SHOP,
      id: INTENT,
      key_id: OTHER,
      method: 'POST',
      path: AWKWARD_TEXT,
      status: 599,
      duration_ms: 2_147_483_647,
      error_code: 'BAD_REQUEST',
      error_message: AWKWARD_TEXT,
      caller_trace_id: 'ab'.repeat(16),
      idempotency_key: AWKWARD_TEXT,
      request_body: AWKWARD_TEXT,
      created_at: AT,
    },
  ],
  webhook_deliveries: [
    {
      merchant_id: SHOP,
      id: INTENT,
      endpoint_id: SHOP,
      event_id: INTENT,
      event: 'payment_intent.succeeded',
      ordinal: '9223372036854775807',
      ordering_key: INTENT,
      url: 'https://shop.example/hook',
      status: 'retrying',
      attempt_count: 1,
      attempts: JSON.stringify([{ number: 1, error: AWKWARD_TEXT }]),
      http_status: 500,
      error: AWKWARD_TEXT,
      duration_ms: 2_147_483_647,
      response_body: AWKWARD_TEXT,
      next_attempt_at: AT,
      holds_order_until: AT,
      lease_id: OTHER,
      lease_until: AT,
      created_at: AT,
    },
    {
      merchant_id: SHOP,
      id: OTHER,
      event_id: INTENT,
      event: '',
      ordinal: 1,
      ordering_key: INTENT,
      resend_of: INTENT,
      url: '',
      status: 'succeeded',
      attempt_count: 12,
      created_at: AT,
      delivered_at: AT,
    },
  ],
  emails: [
    {
      ...IN_PROJECT,
      id: OTHER,
      customer_id: OTHER,
      kind: 'reminder',
      invoice_id: OTHER,
      number: 2_147_483_647,
      facts: JSON.stringify({ items: [{ description: 'tab\t newline\n \\', amountCents: MAX_INT64 }] }),
      status: 'retrying',
      attempt_count: 1,
      error: AWKWARD_TEXT,
      next_attempt_at: AT,
      lease_id: INTENT,
      lease_until: AT,
      sealed_link: AWKWARD_BYTES,
    },
    {
      ...IN_PROJECT,
      id: INTENT,
      customer_id: INTENT,
      kind: 'receipt',
      invoice_id: OTHER,
      number: 1,
      facts: '{}',
      status: 'sent',
      attempt_count: 9,
      sent_at: 'infinity',
    },
    {
      ...IN_PROJECT,
      id: SHOP,
      customer_id: OTHER,
      kind: 'plan_changed',
      subscription_id: OTHER,
      number: 1,
      facts: '{}',
      status: 'sent',
      attempt_count: 9,
      sent_at: AT,
    },
  ],
  idempotency_keys: [
    {
      merchant_id: SHOP,
      operation: 'createIntent',
      key: AWKWARD_TEXT,
      fingerprint: AWKWARD_BYTES.subarray(224),
      status: 201,
      answer: AWKWARD_TEXT,
      created_at: AT,
    },
  ],
};

/**
 * Former names of what a later migration renamed: tables, and columns as `table.column`, by the names they have now.
 */
const FORMER_NAMES: Record<string, string> = {
  incoming_transfers: 'arrivals',
  payment_allocations: 'credits',
  emails: 'letters',
  submitted_signatures: 'pasted_signatures',
  'submitted_signatures.submitted_at': 'pasted_at',
  'checkout_sessions.unapplied_at': 'stray_at',
  'postings.counter_account': 'other_side',
  'payment_intents.status_without_payment': 'resting_status',
  'payment_intents.session_ordering_key': 'lane',
  'events.ordering_key': 'lane',
  'webhook_deliveries.ordering_key': 'lane',
  'webhook_deliveries.holds_order_until': 'holds_lane_until',
};

/** Columns that a later migration removed, because the rest contains them. */
const FORMER_COLUMNS = ['events.written_by'];

const formerTables = new Map(
  Object.entries(FORMER_NAMES).flatMap(([name, former]) => (name.includes('.') ? [] : [[former, name]])),
);

/**
 * Returns the name of a column in this version of `table`, given its present name; undefined if it does not exist
 * yet.
 */
function columnIn(table: { name: string; columns: readonly string[] }, column: string): string | undefined {
  const name = formerTables.get(table.name) ?? table.name;
  return [column, FORMER_NAMES[`${name}.${column}`]].find(
    (called) => called !== undefined && table.columns.includes(called),
  );
}

/** Puts rows into every table there is, whichever migrations the database has. */
export async function fillTables(db: Database): Promise<void> {
  const tables = await listTables(db.pool);
  await db.transaction(async (tx) => {
    await tx.query('set constraints all deferred');
    // Usage had the column before there was anything for it to name.
    const hasSubscriptions = tables.some(({ name }) => name === 'subscriptions');
    for (const table of tables) {
      const rows = ROWS[formerTables.get(table.name) ?? table.name];
      if (!rows) throw new Error(`test/support/rows.ts has no rows for the table ${table.name}: add some`);
      for (const row of rows) {
        // Several endpoints of one merchant, and kinds of them, came together with the column.
        if (table.name === 'webhook_endpoints' && 'kind' in row && !table.columns.includes('kind')) continue;
        // The same of e-mails about subscriptions.
        const isOfPlan = row.kind === 'plan_changed';
        if (isOfPlan && columnIn(table, 'subscription_id') === undefined) continue;
        // Before there were drafts, no row could be one.
        if ('draft' in row && columnIn(table, 'draft') === undefined) continue;
        const values = Object.entries(row).flatMap(([column, value]) => {
          const called = columnIn(table, column);
          if (called === undefined || (column === 'subscription_id' && !hasSubscriptions)) return [];
          return [{ called, value }];
        });
        await tx.query(
          `insert into ${table.name} (${values.map(({ called }) => called)}) values (${values.map((_, i) => `$${i + 1}`)})`,
          values.map(({ value }) => value),
        );
      }
    }
  });
}

export type Contents = Record<string, { columns: string[]; rows: (string | null)[][] }>;

/** Every value of every table as text, in a fixed order; `like` asks for the tables and columns it has, by their names there. */
export async function readTables(db: Database, like?: Contents): Promise<Contents> {
  const contents: Contents = {};
  const present = await listTables(db.pool);
  const asked = like
    ? Object.entries(like).map(([name, { columns }]) => ({ name, columns }))
    : present.map(({ name, columns }) => ({ name, columns }));
  for (const { name, columns } of asked) {
    const table = present.find((one) => one.name === name || one.name === formerTables.get(name))!;
    const kept = columns.filter((column) => !FORMER_COLUMNS.includes(`${table.name}.${column}`));
    const named = kept.map((column) => nameNow(table, column));
    const rows = await db.query<{ row: (string | null)[] }>(
      `select array[${named.map((column) => `${column}::text`)}] as row from ${table.name} order by 1`,
    );
    contents[name] = { columns: kept, rows: rows.map(({ row }) => row) };
  }
  return contents;
}

/** Returns the present name of a column that may have had another name earlier. */
function nameNow(table: { name: string; columns: readonly string[] }, column: string): string {
  if (table.columns.includes(column)) return column;
  const renamed = Object.entries(FORMER_NAMES).find(
    ([name, former]) => former === column && name.startsWith(`${table.name}.`),
  );
  return renamed?.[0].split('.')[1] ?? column;
}

/** The names of those that hold a row. */
export async function listFilledTables(db: Database): Promise<string[]> {
  const tables = await listTables(db.pool);
  const filled = await db.query<{ name: string }>(
    tables
      .map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
      .join(' union all '),
  );
  return filled.map(({ name }) => name);
}

/** Their secrets do not compress, so each takes its room in every buffer. */
export async function insertMerchants(db: Database, count: number): Promise<void> {
  await db.query(
    `insert into merchants (id, webhook_secret, created_at)
     select gen_random_uuid(), sha512(random()::text::bytea) || sha512(random()::text::bytea), now()
       from generate_series(1, $1::int)`,
    [count],
  );
}

/**
 * Inserts audit entries of about 200 bytes each, which do not compress much either. They are from before the chain:
 * chaining as many takes its time.
 */
export async function insertAuditEntries(db: Database, count: number): Promise<void> {
  await db.query('insert into audit_heads (merchant_id, rows_before) select id, $1 from merchants', [count]);
  await db.query(
    `insert into audit_entries (merchant_id, id, actor, action, created_at, sequence)
     select id, gen_random_uuid(), sha512(g::text::bytea)::text, 'x', now(), 0
       from merchants, generate_series(1, $1::int) g`,
    [count],
  );
}

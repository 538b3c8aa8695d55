import type { RefundStatus } from '../../../payments/refunds/refund.ts';

/**
 * All texts of the portal. `{name}` is filled in; a placeholder in one language must be in all, which a test checks.
 */
export interface PortalMessages {
  account: string;
  backTo: string;
  signOut: string;
  visitUntil: string;
  yourself: string;
  nav: { label: string; account: string; invoices: string; balance: string; usage: string };
  link: {
    title: string;
    text: string;
    hint: string;
    button: string;
    usedTitle: string;
    usedText: string;
    unknownTitle: string;
    unknownText: string;
  };
  over: { title: string; text: string; newLink: string; notDone: string };
  outdated: { title: string; text: string; button: string };
  notFound: { title: string; text: string; button: string };
  signedOut: { title: string; text: string };
  notices: {
    saved: string;
    canceled: string;
    ended: string;
    kept: string;
    planKept: string;
    changed: string;
    changesLater: string;
    changeWaits: string;
    renewed: string;
    refused: string;
    tooOften: string;
  };
  attention: {
    title: string;
    renew: string;
    overdue: string;
    change: string;
    return: string;
    begin: string;
    pay: string;
    payRest: string;
    see: string;
    onItsWay: string;
    noDebit: string;
  };
  subscriptions: {
    title: string;
    none: string;
    ended: string;
    older: string;
    changePlan: string;
    cancel: string;
    keep: string;
    keepPlan: string;
    payAhead: string;
  };
  badges: {
    active: string;
    trial: string;
    renewalDue: string;
    pastDue: string;
    ending: string;
    ended: string;
    incomplete: string;
    onItsWay: string;
    neverBegan: string;
  };
  states: {
    paidUntil: string;
    /** Text of a trial. */
    freeUntil: string;
    firstPayment: string;
    paidAhead: string;
    nextPayment: string;
    renewalOpen: string;
    pastDue: string;
    returnOpen: string;
    partPaid: string;
    onItsWay: string;
    ending: string;
    ended: string;
    endedUnpaid: string;
    awaiting: string;
    neverBegan: string;
    changeWaits: string;
    changeLater: string;
  };
  change: {
    title: string;
    current: string;
    choose: string;
    none: string;
    preview: string;
    replaces: string;
    notNow: string;
    payFirst: string;
    keepFirst: string;
    prepaid: string;
  };
  preview: {
    title: string;
    back: string;
    stale: string;
    from: string;
    to: string;
    cost: string;
    unused: string;
    remaining: string;
    period: string;
    accountCredit: string;
    dueNow: string;
    surplus: string;
    effective: string;
    effectiveOnPayment: string;
    effectiveNow: string;
    effectiveOn: string;
    nextInvoice: string;
    nextInvoiceText: string;
    confirm: string;
    thenPay: string;
    nothingDue: string;
    paidByCredit: string;
    validUntil: string;
  };
  cancel: {
    title: string;
    atEnd: string;
    accessUntil: string;
    noRefund: string;
    withdrawn: string;
    undo: string;
    now: string;
    accessEnds: string;
    nothingPaid: string;
    onItsWay: string;
    final: string;
    confirm: string;
    keep: string;
    already: string;
  };
  renew: {
    title: string;
    text: string;
    price: string;
    accountCredit: string;
    due: string;
    confirm: string;
    confirmCredit: string;
    wallet: string;
    creditOnly: string;
    notNow: string;
    back: string;
  };
  details: {
    title: string;
    edit: string;
    editTitle: string;
    name: string;
    email: string;
    nameHint: string;
    missing: string;
    save: string;
    back: string;
    problem: string;
    emailForm: string;
    tooLong: string;
    notText: string;
  };
  invoices: {
    title: string;
    recent: string;
    none: string;
    all: string;
    pdf: string;
    due: string;
    overdue: string;
    open: string;
    onItsWay: string;
    missing: string;
    pay: string;
    late: string;
    payRest: string;
    paid: string;
    void: string;
    uncollectible: string;
    paidBy: string;
    refunded: string;
  };
  invoice: {
    title: string;
    issued: string;
    due: string;
    paid: string;
    items: string;
    note: string;
    credit: string;
    discount: string;
    total: string;
    received: string;
    missing: string;
    waived: string;
    refunded: string;
  };
  /** State of each refund, and the rest of its row. */
  refunds: Record<RefundStatus | 'title' | 'transaction' | 'creditNote', string>;
  balance: {
    title: string;
    credits: string;
    creditsHint: string;
    accountCredit: string;
    accountCreditHint: string;
    entries: string;
    none: string;
    entriesTitle: string;
    creditsChange: string;
    after: string;
    kinds: {
      top_up: string;
      usage: string;
      adjustment: string;
      invoice: string;
      stray_payment: string;
      plan_change: string;
      refund: string;
    };
    reversal: string;
  };
  usage: {
    title: string;
    thisMonth: string;
    none: string;
    all: string;
    credits: string;
    by: string;
    byMonth: string;
    byDay: string;
    inAll: string;
  };
  paging: { label: string; newest: string; older: string };
}

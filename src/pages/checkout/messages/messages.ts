/** Every word of the checkout, intent and terminal pages. What varies is an argument; `{wallet}` is filled in by the browser. */
export interface CheckoutMessages {
  total: string;
  quantity(count: string): string;
  credit: string;
  /** Above what the seller wrote on an invoice. */
  note: string;
  discount: string;
  /** Texts for entering a promotion code, and for refusals of one. */
  code: { label: string; apply: string; remove: string; invalid: string; refused: string; idle: string };
  /** Texts for adding a tip, and for refusals of one. */
  tip: {
    label: string;
    other: string;
    add: string;
    none: string;
    wrong(max: string): string;
    refused: string;
  };
  period(from: string, to: string): string;
  renews: string;
  credits(count: string): string;
  sandboxHint: string;
  waiting: {
    title: string;
    amount: string;
    scan: string;
    scanLabel: string;
    or: string;
    wallets: string;
    payWith: string;
    /** Shown if the payer's network fee is paid. */
    /** Everybody's network fee is paid. */
    noSol: string;
    /** Only that of wallets with next to no SOL. */
    noSolLeft: string;
    connecting: string;
    approve: string;
    ownFee: string;
    sent: string;
    refused: string;
    /** The wallet does not answer. */
    silent: string;
    /** It cannot pay the network fee. */
    feeMissing: string;
    /** It holds less USDC than is due. */
    moneyMissing: string;
    /** It is set to another network; `network` is a name. */
    otherNetwork(network: string): string;
    /** Whatever else a wallet says. */
    /** The service or the network refused it. */
    notTaken: string;
    walletFailed: string;
    unsure: string;
    openWallet: string;
    openIn(wallet: string): string;
    /** Shown to people who pay like this for the first time. */
    noWallet: { title: string; usdc: string; text: string; get(wallet: string): string };
    /** Followed by the due date of an invoice. */
    dueBy: string;
    expiresIn: string;
    /** A renewal after its deadline. */
    late(until: string): string;
    tooLarge: string;
    manual: string;
    manualHint: string;
    sendExactly: string;
    token: string;
    toAddress: string;
    reference: string;
    referenceHint: string;
    /** For payers whose wallet or exchange sends no reference. */
    otherWallet: {
      title: string;
      text: string;
      ask: string;
      refused: string;
      exactly: string;
      network: string;
      fee: string;
      scanLabel: string;
    };
    copy: string;
    copied: string;
    live: string;
    refresh: string;
  };
  /** Outcomes of attempts that did not pay. */
  attempt: {
    failed: string;
    elsewhere: string;
    /** The amount is null where it is not known in the token's own unit. */
    unknownToken(amount: string | null, token: string): string;
    arrived(what: string, merchant: string): string;
    ask(merchant: string): string;
    /** Followed by an e-mail address. */
    askAt(merchant: string): string;
    due(amount: string): string;
  };
  claim: {
    title: string;
    text: string;
    signature: string;
    hint: string;
    send: string;
    thanks: string;
    /** A payment that does not say what it is for. */
    foundTitle: string;
    found(merchant: string): string;
    malformed: string;
  };
  checking: { title: string; text: string };
  confirming: { title: string; text: string; part(seen: string, missing: string): string };
  underpaid: {
    title(missing: string): string;
    text(received: string, expected: string): string;
    late(until: string): string;
  };
  paid: {
    title: string;
    /** Shown if there was nothing to pay but a trial to start. */
    trialTitle: string;
    trialText(until: string): string;
    text(amount: string, merchant: string): string;
    surplus(amount: string, merchant: string): string;
    receipt: string;
    transaction: string;
    paidAt: string;
    back(merchant: string): string;
    close: string;
    number: string;
  };
  /** A trial that begins in the mailbox of the address that was typed. */
  trialLink: {
    mailedTitle: string;
    mailed(email: string): string;
    title: string;
    text: string;
    start: string;
  };
  expired: { title: string; text: string; alreadyPaid(until: string): string; again: string };
  /** Shown below something that can no longer be paid. */
  partReceived(received: string, expected: string, merchant: string): string;
  over: { title: string; text: string };
  canceled: { title: string; text: string };
  cancel: string;
  backTo(merchant: string): string;
  /** Shown to a customer who came from their portal. */
  toAccount: string;
  terminal: {
    title(name: string): string;
    idle: string;
    idleText: string;
    inactive: string;
    next: string;
    thanks: string;
  };
  testWallet: {
    title: string;
    text: string;
    exact: string;
    less: string;
    more: string;
    twice: string;
    late: string;
    no_reference: string;
    reserved_amount: string;
    fail: string;
    wrong_mint: string;
    lateHint: string;
  };
}

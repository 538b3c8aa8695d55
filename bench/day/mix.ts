/** Kinds of work, under the names that the report gives them. */
export const PATHS = {
  createIntent: 'an intent created',
  readIntent: 'an intent read',
  createSession: 'a checkout session created',
  openPage: 'a checkout page opened',
  readPublic: 'a payment read by its payer',
  settled: 'a payment, from final to its webhook',
  told: 'a payment, from final to its open page',
  usage: 'a usage record',
  usageBatch: 'a hundred usage records',
  renewal: 'a renewal, from due to its webhook',
  invoice: 'an invoice drafted and opened',
  list: 'a page of a list',
  home: 'the home of the dashboard',
  news: 'what is new, for an open dashboard',
  search: 'a search',
  export: 'an export of three months',
  webhook: 'a webhook, from event to receiver',
} as const;

/** Frequency of each per second, before the mix is raised until the machine is busy enough. */
export const RATES = {
  createIntent: 10,
  readIntent: 20,
  createSession: 4,
  usage: 20,
  usageBatch: 1,
  invoice: 0.5,
  list: 4,
  home: 0.5,
  news: 4,
  search: 1,
  export: 0.02,
} as const;

/**
 * Divisors: one in so many of these is paid, a checkout by the customer who has its page open, an intent by a shop's
 * own page.
 */
export const PAID = { session: 2, intent: 8 };
export const RENEWALS_PER_SECOND = 1;
export const EXPIRIES_PER_SECOND = 2;
export const USAGE_BATCH = 100;

export interface DayProject {
  id: string;
  /** Price of something that is sold once. */
  price: string;
  customers: string[];
}

/** A merchant, with what the load needs to act for it. */
export interface DayMerchant {
  id: string;
  key: string;
  cookie: string;
  payoutAddress: string;
  projects: DayProject[];
  /** Typed into the search box. */
  texts: string[];
}

/** Facts that the load needs when its process starts. */
export interface DayPlaces {
  service: string;
  chain: string;
  merchants: DayMerchant[];
}

/** A payment that the chain calls final, and when; by the clock of the machine. */
export interface FinalPayment {
  intentId: string;
  atMs: number;
}

/** Everything that callers got an answer for. */
export interface Acknowledged {
  intents: string[];
  sessions: string[];
  invoices: string[];
  usageKeys: string[];
}

/** What an e-mail says with which a customer signs in to their portal. */
export interface SignInFacts {
  /** Of the page where the customer requested it. */
  language: string;
  /** Stored apart and sealed, as `claimUrl`. */
  signInUrl?: string;
}

export type SignInKind = 'portal_sign_in';

export interface NewSignInEmail {
  merchantId: string;
  projectId: string;
  customerId: string;
  kind: SignInKind;
  facts: Omit<SignInFacts, 'signInUrl'>;
  sealedLink: Buffer;
}

export type AddressEmailKind = 'email_confirmation' | 'email_change';

/** What the mailboxes read between which a customer's address changes. */
export interface AddressFacts {
  /** Of the page where the customer requested it. */
  language: string;
  /** Who reads it: the new address, or the one that it replaces, whichever the customer has by then. */
  mailbox: string;
  newEmail: string;
  /** Stored apart and sealed, as `claimUrl`. */
  confirmUrl?: string;
}

export interface NewAddressEmail {
  merchantId: string;
  projectId: string;
  customerId: string;
  kind: AddressEmailKind;
  facts: Omit<AddressFacts, 'confirmUrl'>;
  sealedLink: Buffer | null;
}

export function isOfAddress(kind: string): kind is AddressEmailKind {
  return kind === 'email_confirmation' || kind === 'email_change';
}

const LINKS_FOR_ONE: readonly string[] = [
  'portal_sign_in',
  'email_confirmation',
  'trial_confirmation',
  'refund_claim',
];

/** Its link is for the owner of the mailbox alone. */
export function isLinkForOne(kind: string): boolean {
  return LINKS_FOR_ONE.includes(kind);
}

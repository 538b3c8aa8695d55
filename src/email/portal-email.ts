/** The facts of the e-mail with which a customer signs in to their portal. */
export interface SignInFacts {
  /** Language of the page where the customer requested it. */
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

/** The facts for both mailboxes, old and new, when a customer changes their address. */
export interface AddressFacts {
  /** Language of the page where the customer requested it. */
  language: string;
  /** Recipient: the new address, or the one that it replaces, whichever the customer has by then. */
  mailbox: string;
  newEmail: string;
  changeId: string;
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

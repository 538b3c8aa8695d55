/** Every word of the payment link page. */
export interface LinkMessages {
  /** Used if a merchant has no name. */
  seller: string;
  credits: string;
  renews: string;
  reference: string;
  /** Shown in place of a price. */
  open: string;
  form: {
    title: string;
    amount: string;
    /** Beside amounts to choose from. */
    otherAmount: string;
    amountHint(limits: { min: string; max: string | undefined }): string;
    email: string;
    emailHint: string;
    referenceHint: string;
    submit: string;
    /** Text that says what the button leads to, to reassure the reader. */
    next: string;
    /** The same for what is free at first. */
    startTrial: string;
    trialNext: string;
  };
  problems: {
    /** Prefix of the page's title, so that it is heard first. */
    title: string;
    amount(limits: { min: string; max: string | undefined }): string;
    amountAmbiguous: string;
    emailMissing: string;
    emailMalformed: string;
    referenceMissing: string;
    referenceMalformed: string;
  };
  notFound: { title: string; text: string };
  /** The reference in its URL is invalid. */
  damaged: { title: string; text(merchant: string): string };
  closed: { title: string; text(merchant: string): string };
  /** All that is left of it is in other people's checkouts. */
  held: { title: string; text: string; back: string };
  refused: { title: string; text(merchant: string): string; back: string };
}

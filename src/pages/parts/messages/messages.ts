/** Words that every page needs. */
export interface CommonMessages {
  skip: string;
  language: string;
  poweredBy: string;
  /** Link on a page that is embedded in another site. */
  newTab: string;
  sandbox: string;
  errors: {
    notFound: { title: string; text: string };
    gone: { title: string; text: string };
    tooMany: { title: string; text: string };
    unavailable: { title: string; text: string };
    broken: { title: string; text: string };
    refused: { title: string; text: string };
  };
  tryAgain: string;
  /** Links to the seller's e-mail address and their terms. */
  contact: string;
  terms: string;
  trace: string;
}

/** Texts of the page where customers ask for a link by e-mail, and of the ways to it. */
export interface SignInMessages {
  title: string;
  text: string;
  label: string;
  submit: string;
  problem: string;
  sentTitle: string;
  sentText: string;
  notThere: string;
  again: string;
  newLink: string;
  /** Text for a link that was used or has expired. */
  usedText: string;
}

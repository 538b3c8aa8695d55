/** Texts of another e-mail address: in the portal while it waits, and of the page that its link opens. */
export interface EmailChangeMessages {
  /** Beside the address of the customer. */
  waiting: string;
  withdraw: string;
  withdrawn: string;
  sent: string;
  hint: string;
  fixed: string;
  needed: string;
  tooMany: string;
  confirmTitle: string;
  confirmText: string;
  confirmWarning: string;
  confirmButton: string;
  doneTitle: string;
  doneText: string;
  deadTitle: string;
  deadText: string;
}

/** What a page offers where the merchant has not chosen. */
export const USUAL_TIPS = [10, 15, 20];

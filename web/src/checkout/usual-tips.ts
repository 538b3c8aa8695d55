import { t } from '../words/t.ts';

/** Tips that a page offers if the merchant has not chosen any. */
export const USUAL_TIPS = [10, 15, 20];

/** `10, 15, 20` → what the API takes; blank offers no tips. */
export function readTips(text: string): number[] {
  return text
    .split(/[\s,،;%]+/)
    .filter((percent) => percent !== '')
    .map((percent) => {
      if (!/^\d{1,3}$/.test(percent)) throw new Error(t('Tips: enter whole percentages, e.g. 10, 15, 20.'));
      return Number(percent);
    });
}

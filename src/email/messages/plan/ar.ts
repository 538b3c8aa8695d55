import type { PlanMessages } from './messages.ts';

export const ar: PlanMessages = {
  language: 'ar',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'تغيّرت باقتك',
      paragraphs: [`أصبح اشتراكك لدى ${sender} الآن ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'ستتغيّر باقتك',
      paragraphs: [`سيتغيّر اشتراكك لدى ${sender} إلى ${plan} في ${at}. لن يتغيّر شيء قبل ذلك.`],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'أكّد باقتك الجديدة',
      paragraphs: [
        `سيتغيّر اشتراكك لدى ${sender} إلى ${plan} بعد أن تدفع ${due}. ينتهي العرض في ${at}.`,
        'إذا لم تدفع، فستبقى على باقتك الحالية.',
      ],
      action: 'الدفع والتغيير',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'تبقى باقتك كما هي',
      paragraphs: [`أُلغي تغيير اشتراكك لدى ${sender}. تبقى على ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'أُلغي اشتراكك',
      paragraphs: [
        `ينتهي اشتراكك في ${plan} لدى ${sender} في ${at}. يبقى وصولك متاحًا حتى ذلك الحين.`,
        'لن يُطلب منك أي دفع آخر.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'انتهى اشتراكك',
      paragraphs: [`انتهى اشتراكك في ${plan} لدى ${sender} في ${at}.`, 'لن يُطلب منك أي دفع آخر.'],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'اشتراكك مستمر',
      paragraphs: [
        `لم يعد اشتراكك في ${plan} لدى ${sender} ملغى. سيتجدد في ${at}.`,
        'لا نخصم من محفظتك تلقائيًا أبدًا: أنت تؤكد كل دفعة.',
      ],
    }),
  },
};

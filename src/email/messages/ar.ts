import type { FormattedFacts, Messages } from './messages.ts';

export const ar: Messages = {
  language: 'ar',
  greeting: (name) => (name ? `مرحبًا ${name}،` : 'مرحبًا،'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `يمكنك الآن دفع تجديد اشتراكك (${number})`,
      paragraphs: [
        `يتجدد اشتراكك لدى ${sender} قريبًا. يُرجى دفع ${due} قبل ${dueAt}.`,
        'لا نسحب من محفظتك تلقائيًا أبدًا: أنت تؤكد كل دفعة.',
      ],
      action: 'ادفع الآن',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `تذكير: موعد دفع تجديد اشتراكك قريب (${number})`,
      paragraphs: [`يجب دفع ${due} لتجديد اشتراكك لدى ${sender} قبل ${dueAt}.`],
      action: 'ادفع الآن',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `تأخر دفع اشتراكك (${number})`,
      paragraphs: [
        `لم يُدفع اشتراكك لدى ${sender}. المبلغ المتأخر ${due}.`,
        `يبقى اشتراكك متاحًا حتى ${endsAt}. إذا لم تدفع قبل ذلك، ينتهي اشتراكك.`,
      ],
      action: 'ادفع الآن',
    }),
    canceled: ({ sender, number }) => ({
      subject: `انتهى اشتراكك (${number})`,
      paragraphs: [`انتهى اشتراكك لدى ${sender} لأنه لم يُدفع.`, 'ادفع خلال 30 يومًا لاستئناف الاشتراك.'],
      action: 'استئناف الاشتراك',
    }),
    receipt: ({ sender, number }) => ({
      subject: `إيصالك للفاتورة ${number}`,
      paragraphs: [`شكرًا لدفعتك إلى ${sender}.`],
    }),
    trial_started: ({ sender, endsAt }) => ({
      subject: `بدأت فترتك التجريبية المجانية`,
      paragraphs: [
        `بدأت فترتك التجريبية المجانية لدى ${sender}. لا تدفع شيئًا حتى ${endsAt}.`,
        'سنرسل إليك أول فاتورة قبل انتهاء الفترة التجريبية. لا نسحب من محفظتك تلقائيًا أبدًا: إذا لم تدفع، ينتهي اشتراكك.',
      ],
    }),
    trial_ending: ({ sender, number, due, dueAt }) => ({
      subject: `تنتهي فترتك التجريبية المجانية قريبًا (${number})`,
      paragraphs: [
        `تنتهي فترتك التجريبية المجانية لدى ${sender} في ${dueAt}. للاحتفاظ باشتراكك، يُرجى دفع ${due} قبل ذلك.`,
        'لا نسحب من محفظتك تلقائيًا أبدًا: أنت تؤكد كل دفعة.',
      ],
      action: 'ادفع الآن',
    }),
    trial_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `تذكير: تنتهي فترتك التجريبية المجانية قريبًا (${number})`,
      paragraphs: [
        `تنتهي فترتك التجريبية المجانية لدى ${sender} في ${dueAt}. ادفع ${due} للاحتفاظ باشتراكك.`,
      ],
      action: 'ادفع الآن',
    }),
    invoice: ({ sender, number, due, dueAt }) => ({
      subject: `فاتورتك (${number})`,
      paragraphs: [`أرسل إليك ${sender} فاتورة. يُرجى دفع ${due} قبل ${dueAt}.`],
      action: 'عرض الفاتورة ودفعها',
    }),
    invoice_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `تذكير: موعد دفع فاتورتك قريب (${number})`,
      paragraphs: [`يجب دفع ${due} لفاتورتك من ${sender} قبل ${dueAt}.`],
      action: 'عرض الفاتورة ودفعها',
    }),
    invoice_overdue: ({ sender, number, due, dueAt }) => ({
      subject: `تأخر دفع فاتورتك (${number})`,
      paragraphs: [
        `كان يجب دفع فاتورتك من ${sender} قبل ${dueAt}، ولا يزال ${due} غير مدفوع. يُرجى دفعه الآن.`,
        'إذا دفعت للتو، فتجاهل هذه الرسالة.',
      ],
      action: 'عرض الفاتورة ودفعها',
    }),
    rest_reminder: (facts) => {
      const { sender, number, due } = facts;
      return {
        subject: `تبقّى ${due} للدفع (${number})`,
        paragraphs: [
          `استلم ${sender} جزءًا من دفعتك. تبقّى ${due} للدفع.`,
          restOf(facts),
          'إذا دفعت للتو، فتجاهل هذه الرسالة.',
        ],
        action: 'دفع الباقي',
      };
    },
  },
  labels: {
    invoice: 'الفاتورة',
    credit: 'الرصيد المستخدم',
    discount: 'الخصم',
    reverseCharge: 'الاحتساب العكسي',
    included: 'شامل',
    total: 'الإجمالي (USDC)',
    waived: 'المبلغ المتنازل عنه',
    stillDue: 'المبلغ المتبقي',
    dueAt: 'يُدفع قبل',
    paidAt: 'تاريخ الدفع',
    transaction: 'معاملة Solana',
  },
  account: 'اشتراكاتك وفواتيرك',
  closing: (sender) => `هل لديك أسئلة؟ تواصل مع ${sender}.`,
};

function restOf({ dueAt, endsAt, isOverdue }: FormattedFacts): string {
  if (endsAt !== null) return `يمكنك دفع الباقي حتى ${endsAt}.`;
  return isOverdue ? `كان يجب دفع الباقي قبل ${dueAt}. يُرجى دفعه الآن.` : `يجب دفع الباقي قبل ${dueAt}.`;
}

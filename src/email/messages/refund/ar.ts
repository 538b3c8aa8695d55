import type { RefundMessages } from './messages.ts';

export const ar: RefundMessages = {
  language: 'ar',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `إلى أين نرسل المبلغ المسترد؟ (${number})`,
      paragraphs: [
        `يريد ${sender} أن يرد إليك ${amount}. يُرجى تحديد عنوان Solana الذي سيُرسل إليه المبلغ.`,
        `هذا الرابط لك وحدك وصالح حتى ${expiresAt}. لن يطلب منك أحد أبدًا كلمة مرور أو مفتاحًا سريًا.`,
      ],
      action: 'تحديد العنوان',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `تم إرسال المبلغ المسترد (${number})`,
      paragraphs: [`أرسل إليك ${sender} مبلغ ${amount}، وقد وصل إلى عنوانك.`],
    }),
  },
  labels: {
    refund: 'رقم الاسترداد',
    amount: 'المبلغ',
    address: 'العنوان',
    sentAt: 'تاريخ الإرسال',
    creditNote: 'إشعار دائن',
    transaction: 'معاملة Solana',
  },
};

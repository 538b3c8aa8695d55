import type { Language } from '../../platform/lib/language.ts';
import type { RefundEmailKind } from '../email.ts';
import type { EmailText } from './messages.ts';

/** Values that a text about a refund may contain, formatted for people. */
export interface FormattedRefund {
  sender: string;
  /** The refund's. */
  number: string;
  amount: string;
  expiresAt: string;
}

export interface RefundMessages {
  language: Language;
  emails: Record<RefundEmailKind, (refund: FormattedRefund) => EmailText>;
  labels: Record<'refund' | 'amount' | 'address' | 'sentAt' | 'creditNote' | 'transaction', string>;
}

const en: RefundMessages = {
  language: 'en',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `Where should your refund go? (${number})`,
      paragraphs: [
        `${sender} wants to refund you ${amount}. Please say which Solana address it should go to.`,
        `The link is for you alone and works until ${expiresAt}. Nobody will ever ask you for a password or a secret key.`,
      ],
      action: 'Give your address',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Your refund was sent (${number})`,
      paragraphs: [`${sender} has sent you ${amount}, and it has arrived at your address.`],
    }),
  },
  labels: {
    refund: 'Refund',
    amount: 'Amount',
    address: 'Address',
    sentAt: 'Sent on',
    creditNote: 'Credit note',
    transaction: 'Solana transaction',
  },
};

const de: RefundMessages = {
  language: 'de',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `Wohin soll Ihre Rückerstattung gehen? (${number})`,
      paragraphs: [
        `${sender} möchte Ihnen ${amount} zurückerstatten. Bitte geben Sie an, an welche Solana-Adresse.`,
        `Der Link ist nur für Sie bestimmt und gilt bis zum ${expiresAt}. Niemand wird Sie je nach einem Passwort oder geheimen Schlüssel fragen.`,
      ],
      action: 'Adresse angeben',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Ihre Rückerstattung wurde gesendet (${number})`,
      paragraphs: [`${sender} hat Ihnen ${amount} gesendet. Das Geld ist an Ihrer Adresse angekommen.`],
    }),
  },
  labels: {
    refund: 'Rückerstattung',
    amount: 'Betrag',
    address: 'Adresse',
    sentAt: 'Gesendet am',
    creditNote: 'Rechnungskorrektur',
    transaction: 'Solana-Transaktion',
  },
};

const es: RefundMessages = {
  language: 'es',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `¿Adónde enviamos su reembolso? (${number})`,
      paragraphs: [
        `${sender} quiere reembolsarle ${amount}. Indique a qué dirección de Solana debe enviarse.`,
        `El enlace es solo para usted y sirve hasta el ${expiresAt}. Nadie le pedirá nunca una contraseña ni una clave secreta.`,
      ],
      action: 'Indicar la dirección',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Se ha enviado su reembolso (${number})`,
      paragraphs: [`${sender} le ha enviado ${amount}, que ya han llegado a su dirección.`],
    }),
  },
  labels: {
    refund: 'Reembolso',
    amount: 'Importe',
    address: 'Dirección',
    sentAt: 'Enviado el',
    creditNote: 'Factura rectificativa',
    transaction: 'Transacción de Solana',
  },
};

const fr: RefundMessages = {
  language: 'fr',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `Où envoyer votre remboursement\u00a0? (${number})`,
      paragraphs: [
        `${sender} souhaite vous rembourser ${amount}. Indiquez à quelle adresse Solana l’envoyer.`,
        `Ce lien vous est réservé et reste valable jusqu’au ${expiresAt}. Personne ne vous demandera jamais un mot de passe ou une clé secrète.`,
      ],
      action: 'Indiquer l’adresse',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Votre remboursement a été envoyé (${number})`,
      paragraphs: [`${sender} vous a envoyé ${amount}, et l’argent est arrivé à votre adresse.`],
    }),
  },
  labels: {
    refund: 'Remboursement',
    amount: 'Montant',
    address: 'Adresse',
    sentAt: 'Envoyé le',
    creditNote: 'Avoir',
    transaction: 'Transaction Solana',
  },
};

const ar: RefundMessages = {
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

const LANGUAGES: readonly RefundMessages[] = [en, de, es, fr, ar];

/** The language a customer reads, by its first part. English for everybody else. */
export function refundMessagesIn(language: string | null): RefundMessages {
  const first = language?.toLowerCase().split('-')[0];
  return LANGUAGES.find((messages) => messages.language === first) ?? en;
}

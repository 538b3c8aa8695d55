import type { SignInText } from './messages.ts';

export const ar: SignInText = (sender) => ({
  subject: 'رابط تسجيل الدخول',
  paragraphs: [
    `إليك الرابط إلى حسابك لدى ${sender}. يعمل مرة واحدة، لمدة 15 دقيقة.`,
    'من يملك هذا الرابط يستطيع فتح حسابك، فلا تشاركه مع أحد. إذا لم تطلبه، فيمكنك تجاهل هذه الرسالة.',
  ],
  action: 'فتح حسابي',
});

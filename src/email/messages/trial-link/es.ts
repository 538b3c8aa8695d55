import type { TrialLinkText } from './messages.ts';

export const es: TrialLinkText = (sender) => ({
  subject: 'Empiece su prueba gratuita',
  paragraphs: [
    `Alguien ha indicado este correo electrónico para empezar una prueba gratuita en ${sender}. Si ha sido usted, empiécela aquí. El enlace funciona una sola vez, durante 24 horas como máximo.`,
    'Si no ha sido usted, ignore este correo: no empezará nada y podrá disfrutar de la prueba más adelante.',
  ],
  action: 'Empezar mi prueba gratuita',
});

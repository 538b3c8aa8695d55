import type { SignInMessages } from './messages.ts';

export const fr: SignInMessages = {
  title: 'Se connecter à votre compte',
  text: 'Saisissez l’adresse e-mail que vous utilisez chez {merchant}. Nous vous enverrons un lien qui ouvre votre compte.',
  label: 'Adresse e-mail',
  submit: 'M’envoyer un lien',
  problem: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
  sentTitle: 'Consultez votre messagerie',
  sentText:
    'Si cette adresse a un compte chez {merchant}, nous y avons envoyé un lien. Il fonctionne une seule fois, pendant 15 minutes.',
  notThere:
    'Toujours rien après quelques minutes\u00a0? Regardez dans les courriers indésirables ou essayez une autre adresse.',
  again: 'Essayer une autre adresse',
  newLink: 'Recevoir un nouveau lien par e-mail',
  usedText: 'Il a déjà été utilisé ou a expiré. Vous pouvez en recevoir un nouveau par e-mail.',
};

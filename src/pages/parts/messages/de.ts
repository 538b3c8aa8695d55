import type { CommonMessages } from './messages.ts';

export const de: CommonMessages = {
  skip: 'Zum Inhalt springen',
  language: 'Sprache',
  poweredBy: 'Läuft mit',
  newTab: 'In einem neuen Tab bezahlen',
  sandbox: 'Testumgebung: Das ist Testgeld. Nichts hier hat einen Wert.',
  errors: {
    notFound: {
      title: 'Hier ist nichts',
      text: 'Die Adresse ist vielleicht unvollständig. Öffnen Sie sie bitte noch einmal von dort, wo Sie sie gefunden haben.',
    },
    gone: { title: 'Das gibt es nicht mehr', text: 'Bitten Sie den Verkäufer um einen neuen Link.' },
    tooMany: {
      title: 'Einen Moment, bitte',
      text: 'Aus Ihrem Netz kamen viele Anfragen. Versuchen Sie es gleich noch einmal.',
    },
    unavailable: {
      title: 'Wir können gerade nicht antworten',
      text: 'Nichts ist verloren. Gesendete Zahlungen werden gefunden, sobald wir wieder da sind.',
    },
    broken: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: 'Es ist vermerkt. Bitte versuchen Sie es noch einmal.',
    },
    refused: {
      title: 'Das hat nicht geklappt',
      text: 'Gehen Sie bitte zurück und versuchen Sie es noch einmal.',
    },
  },
  contact: 'Verkäufer kontaktieren',
  terms: 'AGB',
  tryAgain: 'Noch einmal versuchen',
  trace: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',
};

import { directionOf, type Language } from '../../platform/lib/language.ts';
import { tillMessages } from './messages/languages.ts';

/** Returns the manifest that a browser needs to install the till. */
export function manifestOf(language: Language): object {
  const name = `Florin ${tillMessages[language].title}`;
  return {
    id: '/till',
    name,
    short_name: tillMessages[language].title,
    lang: language,
    dir: directionOf(language),
    start_url: `/till?lang=${language}`,
    scope: '/till',
    display: 'standalone',
    background_color: '#f5f7f8',
    theme_color: '#0b6b57',
    icons: [
      { src: '/till/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/till/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/till/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
}

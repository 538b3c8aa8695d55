import words from './es.json' with { type: 'json' };

globalThis.florinWords = words;

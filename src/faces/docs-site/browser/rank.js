/**
 * What a search finds, best first. The service and the page rank alike, because both run this.
 *
 * @typedef {{ url: string, page: string, heading: string, text: string }} Entry
 * @typedef {{ entry: Entry, score: number, before: string, match: string, after: string }} Finding
 */

/**
 * Every word asked for must be somewhere in an entry; where, and how much of a word, decides its place.
 *
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @param {number} limit
 * @returns {Finding[]}
 */
export function rank(entries, query, limit) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map((found) => ({ ...found, ...excerptOf(found.entry.text, words) }));
}

/**
 * @param {string} query
 * @returns {string[]}
 */
function wordsOf(query) {
  return query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 8);
}

/**
 * @param {Entry} entry
 * @param {string[]} words
 */
function scoreOf({ heading, page, text }, words) {
  let score = 0;
  for (const word of words) {
    const found = 8 * strength(heading, word) + strength(page, word) + strength(text, word);
    if (found === 0) return 0;
    score += found;
  }
  // A page as a whole stands before its own parts.
  return heading === page ? score * 1.2 : score;
}

/**
 * 1 for a whole word, less for its beginning, least for somewhere within.
 *
 * @param {string} text
 * @param {string} word
 */
function strength(text, word) {
  const low = text.toLowerCase();
  let best = 0;
  for (let at = low.indexOf(word); at >= 0 && best < 1; at = low.indexOf(word, at + 1)) {
    const begins = at === 0 || !/[\p{L}\p{N}]/u.test(low[at - 1]);
    const ends = at + word.length === low.length || !/[\p{L}\p{N}]/u.test(low[at + word.length]);
    best = Math.max(best, begins ? (ends ? 1 : 0.6) : 0.15);
  }
  return best;
}

/**
 * The text around the first place where one of the words stands.
 *
 * @param {string} text
 * @param {string[]} words
 */
function excerptOf(text, words) {
  const low = text.toLowerCase();
  const places = words.map((word) => ({ word, at: low.indexOf(word) })).filter(({ at }) => at >= 0);
  const [first] = places.sort((one, other) => one.at - other.at);
  if (!first) return { before: clipped(text.slice(0, 140), text.length > 140), match: '', after: '' };
  const start = first.at < 60 ? 0 : text.indexOf(' ', first.at - 60) + 1 || first.at;
  const end = first.at + first.word.length;
  return {
    before: (start > 0 ? '… ' : '') + text.slice(Math.min(start, first.at), first.at),
    match: text.slice(first.at, end),
    after: clipped(text.slice(end, end + 100), end + 100 < text.length),
  };
}

/**
 * Ends with a whole word, and says when there is more.
 *
 * @param {string} text
 * @param {boolean} isCut
 */
function clipped(text, isCut) {
  return isCut ? `${text.replace(/\s\S*$/, '')} …` : text;
}

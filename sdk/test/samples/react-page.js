import { FlorinCheckout } from '@florin/sdk/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

/** Bundled for a browser, and called by the test in one: a shop made with React. */
globalThis.reports = [];
globalThis.show = (url) => {
  const place = document.body.appendChild(document.createElement('div'));
  const onStatus = (report) => globalThis.reports.push(report);
  createRoot(place).render(createElement(FlorinCheckout, { url, onStatus }));
};

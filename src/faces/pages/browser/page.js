import { copyButtons } from './copy.js';
import { countDown } from './countdown.js';
import { followLive } from './live.js';
import { onContent } from './refresh.js';

document.documentElement.classList.add('scripted');
copyButtons();
countDown();
followLive();
onContent(async () => {
  // Wallets are looked for only where there is something to pay with them.
  if (!document.querySelector('[data-wallets]')) return;
  const { offerWallets } = await import('./wallets.js');
  offerWallets();
});

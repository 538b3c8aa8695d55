import { copyButtons } from './copy.js';
import { countDown } from './countdown.js';
import { reportToFrame } from './framed.js';
import { followLive } from './live.js';
import { lookAgain } from './look-again.js';
import { onContent } from './refresh.js';

document.documentElement.classList.add('scripted');
copyButtons();
countDown();
followLive();
lookAgain();
reportToFrame();
onContent(async () => {
  // Wallets are looked for only where there is something to do with them.
  if (document.querySelector('[data-wallets]')) (await import('./wallets.js')).offerWallets();
  if (document.querySelector('[data-prove]')) (await import('./prove.js')).offerProofs();
});

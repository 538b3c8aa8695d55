/**
 * Wallets from which exchanges send their customers' money, on mainnet. Incomplete, and only ever a reason not to send money
 * there. The first five groups are what these exchanges publish as their own, as DefiLlama/DefiLlama-Adapters has it
 * (projects/binance, kucoin, gate-io, bitget, mexc-cex); for the last, several public lists agree that they are exchanges'.
 */
export const EXCHANGE_WALLETS: ReadonlySet<string> = new Set([
  // Binance
  '5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9',
  '3yFwqXBfZY4jBVUafQ1YEXw189y2dN3V5KQq9uzBDy1E',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  '2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S',
  // KuCoin
  'BmFdpraQhkiDQE6SnfG5omcA1VwzqfXrwtNYBwWTymy6',
  'HVh6wHNBAsG3pq1Bj5oCzRjoWKVogEDHwUHkRz3ekFgt',
  '57vSaRTqN9iXaemgh4AoDsZ63mcaoshfMK8NP3Z5QNbs',
  'EfwJn8cXCYhcGrsavxWSDbUFHPrCK9gvdCr6AVywFBPg',
  'DBmae92YTQKLsNzXcPscxiwPqMcz9stQr2prB5ZCAHPd',
  // Gate
  'u6PJ8DtQuPFnfmwHbGFULQ4u4EgjDiyYKjVEsynXq2w',
  'HiRpdAZifEsZGdzQ5Xo5wcnaH3D2Jj9SoNsUzcYNK78J',
  'G9XFfWz6adb9wFDKN2v7HfmJDgAc2hirrTwBmca4w26C',
  'Egf5D8NKBivJavLKmCssE93J7X6fKvEPQwFTWLZUnaSN',
  'AGrghB4tNEJhWsPoQ73We5KAvgp6q512BkBx6fqY4i4b',
  'DevD35PrcsJfg9CwpypmrD7GsYMRQpZQx6rfeSbkVtFp',
  // Bitget
  'A77HErqtfN1hLLpvZ9pCtu66FEtM8BveoaKbbMoZ4RiR',
  '3bLkLrRvkwHMrqyoCaDSCn6bZnpfJCVsHxcmznUwB1p5',
  '42zAGwv37eZFwwcExfCAV9oSw2kNQX3aBxsbM6zvQECM',
  'YiZeibU6zzEHyKiSTjygXUPkMktKj9a3DCAcWmZ4XjF',
  'AvLGED7RBzYv4AuvkgFSCFMqyB2WjUff7TVKVEv5MjMs',
  '48Zo7g9SReCWmNtCvr2es4H9CLCRQHrSND2Wzi61sCsQ',
  '57WSBnNTC2MaqpY6NWLdNjhrELced4jSGV2hLSpjzct9',
  'DP1FqoBnE23QNNz4LpT9FCQvETdJN4nph5c11NiinrGg',
  'AyhsmFptkM251V1AoH2gf8d4QUnxUkkmaDqFfFwBwGni',
  // MEXC
  '5PAhQiYdLBd6SVdjzBQDxUAEFyDdF5ExNPQfcscnPRj5',
  'ASTyfSima4LLAdDgoFGkgqoKowG1LZFDr9fAQrg7iaJZ',
  // Coinbase, Kraken, OKX, Bybit
  'H8sMJSCQxfKiFTCfDR3DUMLPwcRbM61LGFJ8N4dK3WjS',
  'GJRs4FwHtemZ5ZE9x3FNvJ8TMwitKTh21yxdRPqn7npE',
  'FWznbcNXWQuHTawe9RxvQ2LdCENssh12dsznf4RiouN5',
  '5VCwKtCXgCJ6kit5FybXjvriW3xELsFDhYrPSqtJNmcD',
  'AC5RDfQFmDS1deWZos921JfqscXdByf8BKHs5ACWjtW2',
]);

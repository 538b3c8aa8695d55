import { florin } from '../app/florin.ts';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import { madeAt } from '../parts/is-id.ts';
import { Money, moneyText } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

export default function PaymentScreen() {
  return (
    <DetailScreen
      name="intents"
      load={(id) => florin.intents.retrieve(id)}
      back={{ to: '/payments', label: 'Payments' }}
      title={({ expectedAmountCents }) => `${moneyText(expectedAmountCents)} USDC`}
      badge={({ status }) => <Status of={status ?? 'pending'} />}
    >
      {(intent) => (
        <Facts
          of={[
            ['Received', <Money key="m" cents={intent.amountReceivedCents} />],
            ['Order', intent.orderId ?? '–'],
            ['Created', <Time key="c" at={madeAt(intent.id)} />],
            ['Payment id', <Copyable key="i" text={intent.id} label="payment id" />],
          ]}
        />
      )}
    </DetailScreen>
  );
}

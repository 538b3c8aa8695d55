import { Int32, List, Nullable, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { formatCode, type Till } from './till.ts';

const fields = {
  id: Uuid(),
  terminalId: Uuid(),
  projectId: Uuid(),
  name: Nullable(Text({ max: 128 })),
  tipPercents: List(Int32()),
};

export const TillView = Shape(
  'Till',
  {
    ...fields,
    pairedAt: Timestamp(),
    lastSeenAt: Timestamp('Updated at most once a minute.'),
  },
  { description: 'A phone or tablet that sells at one terminal.' },
);

export function presentTill({ id, terminalId, projectId, name, tipPercents, pairedAt, lastSeenAt }: Till) {
  return { id, terminalId, projectId, name, tipPercents, pairedAt, lastSeenAt };
}

export const TillCodeView = Shape(
  'TillCode',
  {
    ...fields,
    code: Text({ description: 'What is typed on the till. It works once.' }),
    url: Text({
      max: 2048,
      description: 'Opens the till with the code filled in: for a QR code. The code is in its fragment.',
    }),
    expiresAt: Timestamp(),
  },
  { description: 'A code that pairs one till.' },
);

export function presentTillCode(till: Till, code: string, publicUrl: string) {
  const { id, terminalId, projectId, name, tipPercents, codeExpiresAt } = till;
  const url = `${publicUrl}/till#code=${code}`;
  return {
    ...{ id, terminalId, projectId, name, tipPercents, url },
    code: formatCode(code),
    expiresAt: codeExpiresAt,
  };
}

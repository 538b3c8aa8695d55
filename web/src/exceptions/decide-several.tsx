import type { PaymentException } from '@florin/sdk';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { codeOf, florin, messageOf } from '../app/florin.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Status } from '../parts/status.tsx';
import { UNDERPAID_REFRESH } from '../payments/underpaid-actions.tsx';
import { t, tn } from '../words/t.ts';
import { amountText } from './amount.tsx';
import { KIND_NAMES } from './kinds.ts';

type Decision = 'keep' | 'returned';

const LABELS: Record<Decision, string> = { keep: t('Keep'), returned: t('Mark as returned') };

const TITLES: Record<Decision, (count: number) => string> = {
  keep: (count) => tn(count, 'Keep: {count} exception', 'Keep: {count} exceptions'),
  returned: (count) =>
    tn(count, 'Mark as returned: {count} exception', 'Mark as returned: {count} exceptions'),
};

/** The result for one of them: its new status, or why nothing changed. */
interface Outcome {
  exception: PaymentException;
  status?: PaymentException['status'];
  problem?: string;
}

interface DecideSeveralProps {
  chosen: readonly PaymentException[];
  onDone(): void;
}

/** One decision for several exceptions. Each is decided separately, so one failure does not hold up the others. */
export function DecideSeveral({ chosen, onDone }: DecideSeveralProps) {
  const [decision, setDecision] = useState<Decision>();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const close = () => {
    setDecision(undefined);
    setOutcomes(undefined);
    onDone();
  };
  if (outcomes) return <Outcomes outcomes={outcomes} onChange={setOutcomes} onClose={close} />;
  if (chosen.length === 0) return null;
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={t('Selected exceptions')}>
      <Text size="sm" fw={500}>
        {tn(chosen.length, '{count} selected', '{count} selected')}
      </Text>
      <Button size="xs" onClick={() => setDecision('keep')}>
        {t('Keep')}
      </Button>
      <Button size="xs" variant="default" onClick={() => setDecision('returned')}>
        {t('Mark as returned')}
      </Button>
      <Button size="xs" variant="subtle" onClick={onDone}>
        {t('Clear selection')}
      </Button>
      {decision && (
        <DecisionDialog
          chosen={chosen}
          decision={decision}
          onClose={() => setDecision(undefined)}
          onDecided={setOutcomes}
        />
      )}
    </Group>
  );
}

interface DecisionDialogProps {
  chosen: readonly PaymentException[];
  decision: Decision;
  onClose(): void;
  onDecided(outcomes: readonly Outcome[]): void;
}

function DecisionDialog({ chosen, decision, onClose, onDecided }: DecisionDialogProps) {
  const action = useSeveral<FormValues>((id, given) => {
    const note = given.optional('note');
    return decision === 'keep'
      ? florin.exceptions.keep(id, { note })
      : florin.exceptions.markReturned(id, { note });
  }, onDecided);
  return (
    <FormDialog
      title={TITLES[decision](chosen.length)}
      isOpen
      onClose={onClose}
      submit={LABELS[decision]}
      isBusy={action.isPending}
      error={action.error}
      onSubmit={(given) => action.mutate({ given, of: chosen })}
    >
      <Text size="sm">
        {decision === 'keep'
          ? t('You keep this money. You can undo this.')
          : t('You have sent this money back from your wallet. You can undo this.')}
      </Text>
      <TextInput
        label={t('Note')}
        description={t('For your records. Optional.')}
        name="note"
        maxLength={2000}
      />
    </FormDialog>
  );
}

interface Several<Given> {
  given: Given;
  of: readonly PaymentException[];
}

/** Runs one call after the other. Those that are done stay done when a confirmation is needed on the way. */
function useSeveral<Given>(
  run: (id: string, given: Given) => PromiseLike<PaymentException>,
  onDone: (outcomes: readonly Outcome[]) => void,
) {
  const [begun] = useState(() => new Map<string, Promise<Outcome>>());
  return useAction<Several<Given>, readonly Outcome[]>({
    async run({ given, of }) {
      const outcomes: Outcome[] = [];
      for (const exception of of) {
        const { id } = exception;
        // Each once, however often the button is clicked; a call that was stopped can begin again.
        const outcome = begun.get(id) ?? outcomeOf(exception, () => run(id, given));
        begun.set(id, outcome);
        outcome.catch(() => begun.delete(id));
        outcomes.push(await outcome);
      }
      return outcomes;
    },
    refresh: UNDERPAID_REFRESH,
    onDone,
    showsError: true,
  });
}

const STOPS = ['STEP_UP_REQUIRED', 'SIGN_IN_REQUIRED', 'CONNECTION_FAILED', 'TIMEOUT'];

async function outcomeOf(
  exception: PaymentException,
  run: () => PromiseLike<PaymentException>,
): Promise<Outcome> {
  try {
    return { exception, status: (await run()).status };
  } catch (error) {
    if (STOPS.includes(codeOf(error) ?? '')) throw error;
    return { exception, problem: messageOf(error) };
  }
}

interface OutcomesProps {
  outcomes: readonly Outcome[];
  onChange(outcomes: readonly Outcome[]): void;
  onClose(): void;
}

function Outcomes({ outcomes, onChange, onClose }: OutcomesProps) {
  const decided = outcomes.filter(({ status }) => status === 'kept' || status === 'returned');
  const undo = useSeveral<void>(
    (id) => florin.exceptions.reopen(id),
    (undone) =>
      onChange(
        outcomes.map((each) => undone.find(({ exception }) => exception.id === each.exception.id) ?? each),
      ),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={tn(outcomes.length, '{decided} of {count} decided', '{decided} of {count} decided', {
        decided: decided.length,
      })}
      size="lg"
    >
      <Stack>
        <SimpleTable
          caption={t('Results')}
          titles={[t('Amount'), t('Reason'), t('Result')]}
          rows={outcomes.map(({ exception, status, problem }) => ({
            id: exception.id,
            cells: [
              amountText(exception),
              KIND_NAMES[exception.kind],
              status ? <Status key="s" of={status} /> : problem,
            ],
          }))}
        />
        <Group justify="flex-end">
          {decided.length > 0 && (
            <Button
              variant="default"
              loading={undo.isPending}
              onClick={() => undo.mutate({ given: undefined, of: decided.map(({ exception }) => exception) })}
            >
              {t('Undo')}
            </Button>
          )}
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

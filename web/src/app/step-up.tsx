import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { t } from '../words/t.ts';
import { confirmation } from './confirmation.ts';
import { florin, messageOf } from './florin.ts';
import { passkeyAnswer } from './passkey.ts';
import { renewSession, useSession } from './session.ts';

/** Dialog that is in the frame once; it is open while an action needs it. */
export default function StepUpDialog({ isOpen }: { isOpen: boolean }) {
  // After the key press that closes it, or the same press would also close the form below.
  const finish = (isConfirmed: boolean) => setTimeout(() => confirmation.answer(isConfirmed));
  return (
    <Modal opened={isOpen} onClose={() => finish(false)} title={t('Confirm it’s you')} size="sm" zIndex={400}>
      <StepUpForm onConfirmed={() => finish(true)} />
    </Modal>
  );
}

function StepUpForm({ onConfirmed }: { onConfirmed(): void }) {
  const { passkeysAvailable, member } = useSession();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function attempt(confirm: () => ReturnType<typeof florin.dashboard.stepUp>) {
    setBusy(true);
    try {
      renewSession(await confirm());
      onConfirmed();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }
  const byPassword = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    void attempt(() => florin.dashboard.stepUp({ password }));
  };
  const byPasskey = () =>
    attempt(async () => {
      const options = await florin.dashboard.startPasskeyStepUp();
      return florin.dashboard.stepUp({ credential: await passkeyAnswer(options) });
    });
  return (
    <form onSubmit={byPassword}>
      <Stack>
        <Text size="sm">{t('For your security, confirm it’s you. We won’t ask again for 10 minutes.')}</Text>
        {/* Tells a password manager whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={member.email} readOnly />
        <PasswordInput
          label={t('Your password')}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus
        />
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end">
          {passkeysAvailable && (
            <Button variant="default" onClick={byPasskey} disabled={isBusy}>
              {t('Use a passkey')}
            </Button>
          )}
          <Button type="submit" loading={isBusy}>
            {t('Confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import type { DashboardSession } from '@florin/sdk';
import { Button, Modal, Text } from '@mantine/core';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { t } from '../words/t.ts';
import { queryClient, signingInAgain } from './query-client.ts';
import { renewSession, signOut, startSession, useSession } from './session.ts';

/**
 * Rendered once, in the frame. It opens when the session has ended and covers the screen without unmounting it, so a
 * member who was filling in a form can continue.
 */
export default function SignInAgainDialog({ isOpen }: { isOpen: boolean }) {
  const { member, merchant } = useSession();
  const goOn = (session: DashboardSession) => {
    const isSame = session.member.id === member.id;
    if (isSame) {
      renewSession(session);
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    } else startSession(session);
    signingInAgain.answer(isSame);
  };
  const leave = async () => {
    signingInAgain.answer(false);
    await signOut();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      title={t('Sign in again')}
      size="sm"
      zIndex={500}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
    >
      <Text size="sm" mb="md">
        {t('You have been signed out. What you were doing is still here.')}
      </Text>
      <SignInForm email={member.email} merchantId={merchant.id} onSignedIn={goOn} />
      <Button variant="subtle" fullWidth mt="xs" onClick={leave}>
        {t('Leave')}
      </Button>
    </Modal>
  );
}

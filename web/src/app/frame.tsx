import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { direction } from '../words/language.ts';
import { t } from '../words/t.ts';
import { ErrorScreen } from './error-screen.tsx';
import { untilFetched, useHasBeenIdle } from './idle.ts';
import Layout from './layout.tsx';
import { sessionQuery } from './session.ts';

const SignInScreen = lazy(() => import('../sign-in/sign-in-screen.tsx'));
const Notifications = lazy(() => untilFetched(() => import('./notices.ts')));

/** Shows the sign-in page at every address until somebody signs in, and then the screen they came for. */
export default function Frame() {
  const { data: session, error, isPending } = useQuery(sessionQuery);
  const hasBeenIdle = useHasBeenIdle();
  if (isPending) return <Waiting />;
  if (error) return <ErrorScreen error={error} />;
  return (
    <>
      {hasBeenIdle && (
        <Suspense>
          <Notifications position={direction === 'rtl' ? 'bottom-left' : 'bottom-right'} />
        </Suspense>
      )}
      {session === null ? (
        <Suspense fallback={<Waiting />}>
          <SignInScreen />
        </Suspense>
      ) : (
        <Layout key={session.member.id} />
      )}
    </>
  );
}

function Waiting() {
  return (
    <Center mih="100vh">
      <Loader aria-label={t('Loading')} />
    </Center>
  );
}

import { Center, Loader } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import SignInScreen from '../sign-in/sign-in-screen.tsx';
import { direction } from '../words/language.ts';
import { t } from '../words/t.ts';
import { ErrorScreen } from './error-screen.tsx';
import { sessionQuery } from './session.ts';

const Layout = lazy(() => import('./layout.tsx'));

/** Shows the sign-in page at every address until somebody signs in, and then the screen they came for. */
export default function Frame() {
  const { data: session, error, isPending } = useQuery(sessionQuery);
  if (isPending) return <Waiting />;
  if (error) return <ErrorScreen error={error} />;
  return (
    <>
      <Notifications position={direction === 'rtl' ? 'bottom-left' : 'bottom-right'} />
      {session === null ? (
        <SignInScreen />
      ) : (
        <Suspense fallback={<Waiting />}>
          <Layout key={session.member.id} />
        </Suspense>
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

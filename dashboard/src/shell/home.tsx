// Where somebody lands who asked for no screen in particular: on the first one their role permits.
import { createRoute, Navigate } from '@tanstack/react-router';
import { addressIn } from '../area.ts';
import { useWords, words } from '../language.tsx';
import { useMe, useScope } from '../me.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { hostRoute, merchantRoute, signedInRoute } from '../routes.ts';
import { entriesFor } from './entries.ts';
import { lastScope } from './last-scope.ts';
import { NotPermitted } from './not-found.tsx';

const staticData = { needs: null };

export const homeRoutes = [
  createRoute({ getParentRoute: () => signedInRoute, path: '/', component: Home, staticData }),
];
export const merchantHomeRoute = createRoute({
  getParentRoute: () => merchantRoute,
  path: '/',
  component: FirstScreen,
  staticData,
});
export const hostHomeRoute = createRoute({
  getParentRoute: () => hostRoute,
  path: '/',
  component: FirstScreen,
  staticData,
});

function Home() {
  const me = useMe();
  const said = useWords(WORDS);
  const scope = lastScope(me);
  if (scope !== null) return <Navigate to={addressIn(scope, '').replace(/\/$/, '')} replace />;
  return (
    <EmptyState icon="team" isScreen title={said.noTeam}>
      {said.advice}
    </EmptyState>
  );
}

function FirstScreen() {
  const scope = useScope();
  const [first] = scope === null ? [] : entriesFor(scope);
  if (scope === null || first === undefined) return <NotPermitted />;
  return <Navigate to={addressIn(scope, first.path)} replace />;
}

const WORDS = words({
  en: {
    noTeam: 'You’re not a member of any team yet',
    advice: 'Ask a colleague or the platform administrator for an invitation, then open its link.',
  },
  fr: {
    noTeam: 'Vous n’êtes encore membre d’aucune équipe',
    advice:
      'Demandez une invitation à un collègue ou à l’administrateur de la plateforme, puis ouvrez son lien.',
  },
});

// Where somebody lands who asked for no screen in particular: on the first one their role permits.
import { createRoute, Navigate } from '@tanstack/react-router';
import { addressIn } from '../area.ts';
import { useWords, words } from '../language.tsx';
import { useMe, useScope } from '../me.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { hostRoute, merchantRoute, signedInRoute } from '../routes.ts';
import { entriesFor } from './entries.ts';
import { lastScope } from './last-scope.ts';
import { NotPermitted } from './nowhere.tsx';

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
    <EmptyState icon="team" title={said.nowhere}>
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
    nowhere: 'You belong to no team yet',
    advice:
      'Ask somebody of your company, or whoever runs the gateway, for an invitation, and open its link.',
  },
  fr: {
    nowhere: 'Vous ne faites partie d’aucune équipe',
    advice:
      'Demandez une invitation à votre entreprise ou à l’exploitant de la passerelle, puis ouvrez son lien.',
  },
});

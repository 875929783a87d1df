import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * The tab of a screen stands in its address, so that a link can lead to it:
 *   const [tab, setTab] = useTab(['balance', 'accounts']);
 */
export function useTab<Tab extends string>(
  tabs: readonly [Tab, ...Tab[]],
): readonly [tab: Tab, choose: (tab: string | null) => void] {
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const navigate = useNavigate();
  const wanted: unknown = 'tab' in search ? search.tab : undefined;
  const tab = tabs.find((one) => one === wanted) ?? tabs[0];
  // On a phone the tabs are wider than the screen, and a link may lead to the last of them.
  useEffect(() => {
    document
      .querySelector('[role=tab][aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab]);
  const choose = (next: string | null) => {
    const query = next === null || next === tabs[0] ? '' : `?tab=${encodeURIComponent(next)}`;
    void navigate({ href: `${pathname}${query}`, replace: true });
  };
  return [tab, choose];
}

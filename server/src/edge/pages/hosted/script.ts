// What a browser adds where it runs scripts: news without a reload, a countdown, one press at a time, and a last look
// that is no step of its own in the history, so that the back button never leads to the answer of a form. Everything
// works without it. It asks for the page itself, so that there is one place that decides what a payer sees.
import { createAsset } from '../look/look.ts';

const SOURCE = `'use strict';
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  let leaving;
  const settle = () => {
    const way = one('[data-leave]');
    if (way && leaving === undefined)
      leaving = setTimeout(() => location.replace(way.href), Number(way.dataset.leave) * 1000);
  };
  const show = (text, parts = ['main']) => {
    const next = new DOMParser().parseFromString(text, 'text/html');
    for (const name of parts) {
      const [old, news] = [one(name), one(name, next)];
      if (old && news && old.innerHTML !== news.innerHTML) old.innerHTML = news.innerHTML;
    }
    document.title = next.title;
    document.documentElement.lang = next.documentElement.lang;
    settle();
  };
  const swap = async (form) => {
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.action, { method: 'POST', body });
      if (answer.redirected) return location.assign(answer.url);
      show(await answer.text(), ['header', 'main', 'footer']);
      scrollTo(0, 0);
      const head = one('h1');
      head.tabIndex = -1;
      head.focus();
    } catch {
      form.submit();
    }
  };
  const poll = async () => {
    if (!one('[data-poll]') && !one('.waiting')) return;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
      if (answer.ok) {
        show(await answer.text());
      }
    } catch {
      // The network is out of reach; the next look may find it again.
    }
    setTimeout(poll, 2000);
  };
  const ends = new Map();
  const tick = () => {
    for (const clock of document.querySelectorAll('[data-seconds]')) {
      if (!ends.has(clock)) ends.set(clock, Date.now() + Number(clock.dataset.seconds) * 1000);
      const left = Math.max(0, Math.round((ends.get(clock) - Date.now()) / 1000));
      clock.textContent = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0');
      if (left === 0 && !one('input:focus')) return setTimeout(() => location.assign(location.href), 1500);
    }
    setTimeout(tick, 1000);
  };
  document.addEventListener('submit', (event) => {
    const { target } = event;
    if ('swap' in target.dataset) {
      event.preventDefault();
      swap(target);
    }
    setTimeout(() => {
      for (const button of target.querySelectorAll('button')) button.disabled = true;
    });
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  settle();
  tick();
  setTimeout(poll, 1500);
})();
`;

export const SCRIPT = createAsset('page.js', 'text/javascript; charset=utf-8', squeeze(SOURCE));

/** Comments and indentation are for anyone who reads this file. */
function squeeze(source: string): string {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}

// Fetches updates every second and handles the phone's keys.
const LOOK_MS = 1000;

async function look() {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // The gateway is down for a moment; keep what is shown.
  }
  setTimeout(() => void look(), LOOK_MS);
}

/** Replaces only parts with a new version, so that no typed text is lost. */
function show(page) {
  for (const old of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(old.id);
    if (fresh === null || fresh.dataset.version === old.dataset.version) continue;
    old.replaceWith(fresh);
    if (old.id === 'screen') tell();
  }
  wake();
}

function tell() {
  const pin = document.querySelector('#screen [name=pin]');
  document.getElementById('news').textContent = pin === null ? '' : 'Enter your PIN on the phone.';
  if (pin !== null && document.activeElement === document.body) pin.focus();
}

function wake() {
  const isAsked = document.querySelector('#screen [name=pin]') !== null;
  document.querySelector('.keys').hidden = false;
  for (const key of document.querySelectorAll('.keys button')) key.disabled = !isAsked;
}

document.addEventListener('click', (event) => {
  const key = event.target.dataset?.key;
  const form = document.querySelector('#screen form');
  if (key === undefined || form === null) return;
  const field = form.contains(typedInto) ? typedInto : form.elements.namedItem('pin');
  if (key === 'OK') form.requestSubmit(form.querySelector('button'));
  else if (key === 'C') field.value = '';
  else if (field.maxLength < 0 || field.value.length < field.maxLength) field.value += key;
});

let typedInto = null;
document.addEventListener('focusin', (event) => {
  if (event.target.matches('#screen input')) typedInto = event.target;
});

wake();
setTimeout(() => void look(), LOOK_MS);

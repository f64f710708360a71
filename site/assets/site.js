// The pages are complete without this file: it only adds copying and sorting.
// Every control it needs is made or shown here, so that none is seen where it would not work.

const announcement = document.getElementById('announcement');

/** Says it to screen readers, also twice in a row. */
function announce(text) {
  announcement.textContent = '';
  requestAnimationFrame(() => {
    announcement.textContent = text;
  });
}

function makeButton(className, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = text;
  return button;
}

/* Copying */

function addCopyButton(element) {
  const isBlock = element.tagName === 'PRE';
  const button = makeButton('copy', 'Copy');
  button.setAttribute('aria-label', `Copy ${element.dataset.copy}`);
  button.addEventListener('click', () => copy(element, button));
  if (isBlock) (element.closest('.snippet > details') ?? element).before(button);
  else element.after(button);
}

async function copy(element, button) {
  try {
    await navigator.clipboard.writeText(element.textContent);
  } catch {
    getSelection().selectAllChildren(element);
    announce('It is selected now: copy it with your keyboard.');
    return;
  }
  button.textContent = 'Copied';
  announce(`Copied ${element.dataset.copy}`);
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

/* Sorting */

const collator = new Intl.Collator('en', { numeric: true });

function addSortButton(header) {
  const button = makeButton('sort', header.textContent);
  button.addEventListener('click', () => sortBy(header));
  header.replaceChildren(button);
}

/** Each group by the keys of a column; what has none comes last either way. */
function sortBy(header) {
  const current = header.getAttribute('aria-sort');
  const order = current === null ? header.dataset.sort : current === 'ascending' ? 'descending' : 'ascending';
  for (const other of header.parentElement.cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', order);
  const sign = order === 'ascending' ? 1 : -1;
  const keyOf = (row) => row.cells[header.cellIndex].dataset.key;
  for (const group of header.closest('table').tBodies) {
    const [heading, ...rows] = group.rows;
    rows.sort((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)];
      if (left === '' || right === '') return Number(left === '') - Number(right === '');
      return sign * collator.compare(left, right);
    });
    group.append(heading, ...rows);
  }
}

/* A release that a link points at may stand in a closed part of the page. */

function revealTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const fold = target?.closest('details:not([open])');
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
}

/* The day of the last check moves every day, so that it is read from where it stands. */

async function showLastChecks(places) {
  const response = await fetch('status.json');
  if (!response.ok) return;
  const { components } = await response.json();
  for (const place of places) {
    const time = place.querySelector('time');
    const day = components[place.dataset.checked]?.lastChecked;
    if (time && day) time.dateTime = time.textContent = day;
    place.hidden = Boolean(time) && !day && place.tagName !== 'TD';
  }
}

for (const element of document.querySelectorAll('[data-copy]')) addCopyButton(element);
for (const header of document.querySelectorAll('#component-table th[data-sort]')) addSortButton(header);
const checks = document.querySelectorAll('[data-checked]');
if (checks.length > 0) showLastChecks(checks).catch(() => {});
addEventListener('hashchange', revealTarget);
revealTarget();

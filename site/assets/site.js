// The pages are complete without this file: it only adds copying, filtering and sorting.
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
  if (isBlock) (element.closest('details') ?? element).before(button);
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

/* Filtering */

function plural(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Shows the rows that match, and says how many do. */
function showMatching(rows, matches, status, noun) {
  let shown = 0;
  for (const row of rows) {
    row.hidden = !matches(row);
    if (!row.hidden) shown += 1;
  }
  if (shown === 0) status.textContent = `No ${noun} matches.`;
  else if (shown === rows.length) status.textContent = plural(shown, noun);
  else status.textContent = `${shown.toLocaleString('en')} of ${plural(rows.length, noun)} match.`;
}

function setUpComponentFilter(filter) {
  const input = filter.querySelector('input');
  const status = filter.querySelector('[role=status]');
  const rows = [...document.querySelectorAll('#component-table tbody tr')];
  const texts = new Map(rows.map((row) => [row, row.cells[0].textContent.toLowerCase()]));
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    showMatching(rows, (row) => words.every((word) => texts.get(row).includes(word)), status, 'component');
  };
  filter.hidden = false;
  input.addEventListener('input', apply);
  // A browser may bring back what was typed before a reload.
  if (input.value !== '') apply();
}

/* Sorting */

const collator = new Intl.Collator('en', { numeric: true });

function addSortButton(header) {
  const button = makeButton('sort', header.textContent);
  button.addEventListener('click', () => sortBy(header));
  header.replaceChildren(button);
}

/** By the keys of a column; what has none comes last either way. */
function sortBy(header) {
  const current = header.getAttribute('aria-sort');
  const order = current === null ? header.dataset.sort : current === 'ascending' ? 'descending' : 'ascending';
  for (const other of header.parentElement.cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', order);
  const sign = order === 'ascending' ? 1 : -1;
  const body = header.closest('table').tBodies[0];
  const keyOf = (row) => row.cells[header.cellIndex].dataset.key;
  const rows = [...body.rows].sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    return sign * collator.compare(left, right);
  });
  body.append(...rows);
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
const componentFilter = document.getElementById('component-filter');
if (componentFilter) setUpComponentFilter(componentFilter);
const checks = document.querySelectorAll('[data-checked]');
if (checks.length > 0) showLastChecks(checks).catch(() => {});
addEventListener('hashchange', revealTarget);
revealTarget();

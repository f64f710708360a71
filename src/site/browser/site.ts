/** The script of every page. It shows how far away an end is, warns if the index is old, copies texts, opens the fold of a target, and answers forms. */
import { decodeAnchor } from '../../core/anchors.ts';
import { countDays, today } from '../../core/day.ts';
import { describeStaleness, formatDay } from '../../core/phrases.ts';
import { setUpList } from './list-form.ts';
import { setUpBox, setUpFinder } from './question-box.ts';
import { reveal } from './reveal.ts';
import { setUpVersions } from './version-box.ts';

/** The unit for a distance of fewer days than the last number, and its days. */
const distances: readonly [unit: Intl.RelativeTimeFormatUnit, days: number, limit: number][] = [
  ['day', 1, 14],
  ['week', 7, 91],
  ['month', 30.44, 700],
  ['year', 365.25, Infinity],
];

// The day is a quoted text in assets/today.css, so that only this file changes daily.
const asOf = getComputedStyle(document.body).getPropertyValue('--as-of').trim().slice(1, -1);
const { staleAfterDays } = document.body.dataset;

document.querySelector('.built')?.append(asOf && formatDay(asOf));
warnOfAge();
document.querySelectorAll<HTMLElement>('[data-until]').forEach(tellDistance);
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
addEventListener('hashchange', revealTarget);
// Until a page is loaded, the browser itself moves it.
addEventListener('load', revealTarget);
revealTarget();
setUp('.question form', setUpBox);
setUp('[data-list]', setUpList);
setUp('[data-version]', setUpVersions);
// The finder of the 404 page has another action. A host may show this page at any path, from which the addresses of files would be wrong.
setUp('.finder[action="index.html"]', setUpFinder);

function setUp(selector: string, prepare: (form: HTMLFormElement) => void): void {
  const form = document.querySelector<HTMLFormElement>(selector);
  if (form) {
    prepare(form);
  }
}

function revealTarget(): void {
  reveal(decodeAnchor(location.hash.slice(1)));
}

/** Shows how far an end is from the day of the index: `in 7 weeks`, `in 8 months`, `in 3 years`. */
function tellDistance(place: HTMLElement): void {
  // The day is unknown if the browser loads no style sheets.
  if (asOf) {
    const days = countDays(asOf, place.dataset['until']!);
    const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    const [unit, length] = distances.find(([, , limit]) => days < limit)!;
    place.textContent = relative.format(Math.round(days / length), unit);
  }
}

function warnOfAge(): void {
  if (countDays(asOf, today()) > Number(staleAfterDays)) {
    const warning = document.createElement('aside');
    warning.className = 'age-warning tone-soon';
    warning.textContent = describeStaleness(formatDay(asOf));
    document.querySelector('.skip-link')!.after(warning);
  }
}

function setUpCopying(button: HTMLElement): void {
  const source = button.previousElementSibling!;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      button.textContent = 'Copied';
    } catch {
      // A page over plain http has no clipboard.
      getSelection()!.selectAllChildren(source);
    }
  });
}

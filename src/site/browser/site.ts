/**
 * The script of every page:
 * - shows how far away an end of support is
 * - warns if the index is stale
 * - copies texts
 * - opens the fold around the target of a link
 * - runs the forms
 */
import { decodeAnchor } from '../../core/anchors.ts';
import { countDays, today } from '../../core/day.ts';
import { describeStaleness, formatDay } from '../../core/phrases.ts';
import { setUpList } from './list-form.ts';
import { setUpBox, setUpFinder } from './question-box.ts';
import { reveal } from './reveal.ts';
import { setUpVersions } from './version-box.ts';

/** The units for distances. Each has its length in days, and the number of days below which it is used. */
const distances: readonly [unit: Intl.RelativeTimeFormatUnit, days: number, limit: number][] = [
  ['day', 1, 14],
  ['week', 7, 91],
  ['month', 30.44, 700],
  ['year', 365.25, Infinity],
];

// The date of the index is a quoted text in assets/today.css, so that only this file changes daily.
const asOf = getComputedStyle(document.body).getPropertyValue('--as-of').trim().slice(1, -1);
const { staleAfterDays } = document.body.dataset;

document.querySelector('.built')?.append(asOf && formatDay(asOf));
warnOfAge();
document.querySelectorAll<HTMLElement>('[data-until]').forEach(tellDistance);
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
addEventListener('hashchange', revealTarget);
// While the page loads, the browser also scrolls to the target. This may undo `revealTarget`, so it is called again after loading.
addEventListener('load', revealTarget);
revealTarget();
setUp('.question form', setUpBox);
setUp('[data-list]', setUpList);
setUp('[data-version]', setUpVersions);
// On the 404 page, the action of the search box is an absolute path, such as `/index.html`. So this selector does not match it, and the box
// gets no script. The script uses relative URLs, which would be wrong on this page, because the page may be shown at any path.
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

/** Shows how far an end of support is from the date of the index: `in 7 weeks`. */
function tellDistance(place: HTMLElement): void {
  // The date is unknown if the browser doesn't load stylesheets.
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
      // A page over plain http cannot use the clipboard, so the text is only selected.
      getSelection()!.selectAllChildren(source);
    }
  });
}

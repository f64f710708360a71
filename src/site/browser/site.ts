/** The script of every page. Pages are complete without it: it tells days and distances, warns of age, copies texts, opens the fold of a target, and shows the answers to what forms ask. */
import { countDays, today } from '../../core/day.ts';
import { decodeAnchor, describeStaleness, formatDay } from '../../core/words.ts';
import { setUpList } from './list-form.ts';
import { setUpBox, setUpFinder } from './question-box.ts';
import { reveal } from './reveal.ts';
import { setUpVersions } from './version-box.ts';

// In quotes, from assets/today.css: a page need not change with its day.
const asOf = getComputedStyle(document.body).getPropertyValue('--as-of').trim().slice(1, -1);
const { staleAfterDays } = document.body.dataset;

document.querySelector('.built')?.append(asOf && formatDay(asOf));
warnOfAge();
document.querySelectorAll<HTMLElement>('[data-until]').forEach(tellDistance);
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
addEventListener('hashchange', revealTarget);
revealTarget();
setUp('.question form', setUpBox);
setUp('[data-list]', setUpList);
setUp('[data-version]', setUpVersions);
// The page of a wrong address may have any path, where the address of a file leads nowhere.
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

/** As of the day of the page, such as `in 7 weeks`: of an end that is at most some months away. */
function tellDistance(place: HTMLElement): void {
  // Without style sheets, it is not known.
  if (asOf) {
    const days = countDays(asOf, place.dataset['until']!);
    const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    place.textContent =
      days < 14 ? relative.format(days, 'day') : relative.format(Math.round(days / 7), 'week');
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

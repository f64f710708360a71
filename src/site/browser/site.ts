/** The script of every page. Pages are complete without it: it tells days and distances, warns of age, copies texts, and loads what answers the address. */
import { countDays, today } from '../../core/day.ts';
import { decodeAnchor, describeStaleness, formatDay } from '../../core/words.ts';

// In quotes, from assets/today.css: a page need not change with its day.
const asOf = getComputedStyle(document.body).getPropertyValue('--as-of').trim().slice(1, -1);
const { staleAfterDays } = document.body.dataset;

document.querySelector('.built')?.append(asOf && formatDay(asOf));
warnOfAge();
document.querySelectorAll<HTMLElement>('[data-until]').forEach(tellDistance);
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
addEventListener('hashchange', showTarget);
if (location.hash || document.querySelector('[data-version]')) {
  void showTarget();
}
void answerQuestion();
document.querySelector<HTMLInputElement>('#ask-text')?.addEventListener('input', suggestComponents);

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

/** Where a version has no row, the fold of its line opens once its verdict is read: the page moves while nobody sees it. */
async function showTarget(): Promise<void> {
  const anchor = decodeAnchor(location.hash.slice(1));
  const isOnPage = anchor === '' || document.getElementById(anchor) !== null;
  document.body.classList.toggle('is-seeking', !isOnPage);
  try {
    const versions = await import('./versions.ts');
    await versions.showTarget(anchor, isOnPage);
  } finally {
    document.body.classList.remove('is-seeking');
  }
}

/** While somebody types, the components that contain it. */
async function suggestComponents(event: Event): Promise<void> {
  const box = event.target as HTMLInputElement;
  const { listContaining } = await import('./components.ts');
  document.querySelector('.question #answer')!.replaceChildren(...listContaining(box.value));
}

/** The question of the address, which the first page answers. */
async function answerQuestion(): Promise<void> {
  const text = new URLSearchParams(location.search).get('q')?.trim();
  if (text && document.querySelector('.question')) {
    // What is below the answer moves while nobody sees it.
    document.body.classList.add('is-asking');
    const { showAnswer } = await import('./query.ts');
    await showAnswer(text);
  }
}

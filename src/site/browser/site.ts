/** The script of every page. Pages are complete without it: it tells days and distances, warns of age, copies texts, and loads what answers questions. */
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
if (location.hash) {
  void showTarget();
}
const box = document.querySelector<HTMLInputElement>('#ask-text');
if (box) {
  box.addEventListener('input', suggestComponents);
  addEventListener('popstate', answerQuestion);
  // Once the page is there: each question needs it.
  addEventListener('load', () => void fetch('status.json').catch(() => {}));
  if (readQuestion()) {
    // What is below the answer moves while nobody sees it.
    document.body.classList.add('is-asking');
    void answerQuestion();
  }
}
answerIn('.question form', () => {
  history.pushState(null, '', `?${new URLSearchParams({ q: box!.value })}`);
  return answerQuestion();
});
answerIn('[data-version]', async (form) => {
  const { showVersion } = await loadAnswers();
  await showVersion(form.querySelector('input')!.value.trim());
});
const list = document.querySelector<HTMLFormElement>('[data-list]');
if (list) {
  void loadAnswers().then(({ setUpList }) => setUpList(list));
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

/** What answers questions: another script, loaded once. */
function loadAnswers() {
  return import('./answers.js');
}

/** What a form asks is answered on its page. */
function answerIn(selector: string, answer: (form: HTMLFormElement) => Promise<void>): void {
  const form = document.querySelector<HTMLFormElement>(selector);
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void answer(form);
  });
  if (form) {
    // Before somebody asks, and after the page.
    addEventListener('load', loadAnswers);
  }
}

/** Where a version has no row, the fold of its line opens once its verdict is read: the page moves while nobody sees it. */
async function showTarget(): Promise<void> {
  const anchor = decodeAnchor(location.hash.slice(1));
  const isOnPage = anchor === '' || document.getElementById(anchor) !== null;
  document.body.classList.toggle('is-seeking', !isOnPage);
  try {
    const answers = await loadAnswers();
    await answers.showTarget(anchor, isOnPage);
  } finally {
    document.body.classList.remove('is-seeking');
  }
}

/** While somebody types, the components that contain it. */
async function suggestComponents(event: Event): Promise<void> {
  const box = event.target as HTMLInputElement;
  const { listContaining } = await loadAnswers();
  document.querySelector('.question #answer')!.replaceChildren(...listContaining(box.value));
}

/** The question of the address, which the first page answers; empty if there is none. */
function readQuestion(): string {
  return new URLSearchParams(location.search).get('q')?.trim() ?? '';
}

async function answerQuestion(): Promise<void> {
  const { showAnswer } = await loadAnswers();
  await showAnswer(readQuestion());
}

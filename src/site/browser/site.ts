/** The script of every page. Pages are complete without it: it warns of age, copies texts, and loads what answers the address. */
import { countDays, today } from '../../core/day.ts';
import { decodeAnchor, describeStaleness, formatDay } from '../../core/words.ts';

const { asOf = '', staleAfterDays } = document.body.dataset;

warnOfAge();
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
addEventListener('hashchange', showTarget);
if (location.hash || document.querySelector('[data-version]')) {
  void showTarget();
}
void answerQuestion();

function warnOfAge(): void {
  if (countDays(asOf, today()) > Number(staleAfterDays)) {
    const warning = document.createElement('p');
    warning.className = 'age-warning';
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

/** The question of the address: a name or a version leads to a page, anything else is a query. */
async function answerQuestion(): Promise<void> {
  const place = document.querySelector<HTMLElement>('.question #answer');
  const text = new URLSearchParams(location.search).get('q')?.trim();
  if (!place || !text) {
    return;
  }

  document.querySelector<HTMLInputElement>('#ask-text')!.value = text;
  // What is below the answer moves while nobody sees it.
  document.body.classList.add('is-asking');
  try {
    const { answer } = await import('./query.ts');
    const page = await answer(text, place);
    if (page !== undefined) {
      // An address that leads on is no place to come back to.
      location.replace(page);
      return;
    }
  } catch (error) {
    place.textContent = (error as Error).message;
  }
  document.body.classList.remove('is-asking');
}

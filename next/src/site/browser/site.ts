/** The script of every page. Pages are complete without it: it adds a box, buttons, and folds that open by themselves. */
import { formatDay } from '../../core/words.ts';
import { reveal, setUpVersion } from './reveal.ts';

const { asOf = '', staleAfterDays } = document.body.dataset;

warnOfAge();
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
document.querySelectorAll<HTMLFormElement>('[data-version]').forEach(setUpVersion);
addEventListener('hashchange', reveal);
reveal();
void answer();

function warnOfAge(): void {
  if (Date.now() - Date.parse(asOf) < (Number(staleAfterDays) + 1) * 86_400_000) {
    return;
  }

  const warning = document.createElement('p');
  warning.className = 'age-warning';
  warning.textContent = `This index was last updated on ${formatDay(asOf)}. What happened since then is missing.`;
  document.querySelector('.skip-link')!.after(warning);
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

/** Answers the question of the address: a name or a version leads to a page, anything else is a query. */
async function answer(): Promise<void> {
  const place = document.querySelector<HTMLElement>('.question #found');
  const text = new URLSearchParams(location.search).get('q')?.trim();
  if (!place || !text) {
    return;
  }

  document.querySelector('input')!.value = text;
  // What stands below the answer moves while nobody sees it.
  document.body.classList.add('is-asking');
  try {
    const { findPage } = await import('./find.ts');
    const page = await findPage(text);
    if (page !== undefined) {
      // An address that leads on is no place to come back to.
      location.replace(page);
      return;
    }

    const { showMatches } = await import('./query.ts');
    await showMatches(text, place);
  } catch (error) {
    place.textContent = (error as Error).message;
  }
  document.body.classList.remove('is-asking');
}

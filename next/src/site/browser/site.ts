/** The script of every page. Pages are complete without it: it adds a box, buttons, and folds that open by themselves. */
import { formatDay } from '../../core/words.ts';
import { reveal, setUpVersion } from './reveal.ts';

const { root = '', asOf = '', staleAfterDays } = document.body.dataset;

warnOfAge();
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
document.querySelectorAll<HTMLFormElement>('[data-find]').forEach(setUpBox);
document.querySelectorAll<HTMLFormElement>('[data-version]').forEach(setUpVersion);
addEventListener('hashchange', reveal);
reveal();

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

/** A name or a version leads to a page, anything else is a query, which the first page answers. */
function setUpBox(form: HTMLFormElement): void {
  const input = form.querySelector('input')!;
  const place = form.parentElement!.querySelector<HTMLElement>('#found');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const address = `${root}index.html?q=${encodeURIComponent(input.value)}`;
    void answer(input.value, place, (page) => location.assign(page ?? address));
  });
  if (place) {
    const answerAddress = () => {
      const asked = new URLSearchParams(location.search).get('q') ?? '';
      input.value = asked;
      // An address that leads on is no place to come back to.
      void answer(asked, place, (page) => page && location.replace(page));
    };
    addEventListener('popstate', answerAddress);
    answerAddress();
  }
}

/** `go` to a page, or to the page that answers queries where there is no `place` for it. */
async function answer(
  text: string,
  place: HTMLElement | null,
  go: (page?: string) => void,
): Promise<void> {
  // What stands below the answer moves while nobody sees it.
  document.body.classList.toggle('is-asking', text.trim() !== '' && place !== null);
  try {
    const { findPage } = await import('./find.ts');
    const page = text.trim() === '' ? undefined : await findPage(text);
    if (page !== undefined || place === null) {
      go(page);
      return;
    }

    const { showMatches } = await import('./query.ts');
    await showMatches(text, place);
    const address = text.trim() === '' ? location.pathname : `?q=${encodeURIComponent(text)}`;
    if (address !== location.search && text.trim() !== '') {
      history.pushState(null, '', address);
    }
  } catch (error) {
    (place ?? document.querySelector('main')!).replaceChildren((error as Error).message);
  } finally {
    document.body.classList.remove('is-asking');
  }
}

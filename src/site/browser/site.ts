/** The script of every page. Pages are complete without it: it adds a box, buttons, and folds that open by themselves. */
import { decodeAnchor, formatDay, nameAnchor } from '../../core/words.ts';

const { asOf = '', staleAfterDays } = document.body.dataset;

warnOfAge();
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(setUpCopying);
document.querySelectorAll<HTMLFormElement>('[data-version]').forEach(setUpVersion);
addEventListener('hashchange', reveal);
reveal();
void answer();

function warnOfAge(): void {
  // The day itself has 86,400,000 milliseconds, too.
  if (Date.now() - Date.parse(asOf) >= (Number(staleAfterDays) + 1) * 86_400_000) {
    const warning = document.createElement('p');
    warning.className = 'age-warning';
    warning.textContent = `This index was last updated on ${formatDay(asOf)}. What happened since then is missing.`;
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

/** The version that somebody runs, on the page of its component. */
function setUpVersion(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const version = form.querySelector('input')!.value.trim();
    if (/^v?\d/i.test(version)) {
      location.hash = nameAnchor(version.replace(/^v/i, ''));
      reveal();
    } else if (version !== '') {
      void explain(version);
    }
  });
}

/** Opens the folds around the target of the address. A version that is not on the page leads to its line. */
function reveal(): void {
  const anchor = decodeAnchor(location.hash.slice(1));
  const target = document.getElementById(anchor);
  // The anchor of the version v1.2 is `vv1.2`.
  const [, version] = /^v+(\d.*)/i.exec(anchor) ?? [];
  const shown = target ?? findLine(version);
  if (version) {
    void explain(version);
  }

  let fold = shown?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  const line = shown?.closest('.lines details');
  (line ?? shown)?.scrollIntoView({ block: line ? 'start' : 'center' });
}

/** Says below the box of a component what is known of a version. */
async function explain(version: string): Promise<void> {
  const place = document.querySelector('output');
  if (place) {
    const { explainVersion } = await import('./own-version.ts');
    place.replaceChildren(await explainVersion(place.dataset['component']!, version));
  }
}

/** The line of a version such as 2025.1.9: the longest name that it begins with. */
function findLine(version = ''): HTMLElement | undefined {
  // 1.2.0 names the release 1.2.
  const name = version.replace(/^(\d+\.\d+)\.0$/, '$1');
  const row = document.getElementById(nameAnchor(name));
  if (row) {
    return row;
  }

  const lines = [...document.querySelectorAll<HTMLElement>('[id^="line-"]')];
  // Behind `line-`.
  const names = lines.filter(({ id }) => `${name}.`.startsWith(`${id.slice(5)}.`));
  return names.sort((a, b) => b.id.length - a.id.length)[0];
}

/** Answers the question of the address: a name or a version leads to a page, anything else is a query. */
async function answer(): Promise<void> {
  const place = document.querySelector<HTMLElement>('.question #answer');
  const text = new URLSearchParams(location.search).get('q')?.trim();
  if (!place || !text) {
    return;
  }

  document.querySelector('input')!.value = text;
  // What stands below the answer moves while nobody sees it.
  document.body.classList.add('is-asking');
  try {
    const query = await import('./query.ts');
    const page = await query.answer(text, place);
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

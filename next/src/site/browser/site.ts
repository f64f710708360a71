/** The script of every page. Pages are complete without it: it adds a box, buttons and folds that open by themselves. */
import { nameAnchor } from '../../core/words.ts';
import { drawVerdicts, loadIndex, readSubject, searchReleases } from './find.ts';
import { reveal } from './reveal.ts';

/** An index is built every day, and may miss a weekend. */
const maxDaysOld = 3;
const maxFound = 200;

warnOfAge();
document.querySelectorAll<HTMLElement>('[data-copy]').forEach(addCopyButton);
document.querySelectorAll<HTMLFormElement>('[data-find]').forEach(setUpBox);
document.querySelectorAll<HTMLFormElement>('[data-version]').forEach(setUpVersion);
addEventListener('hashchange', reveal);
reveal();

function warnOfAge(): void {
  const { asOf = '' } = document.querySelector<HTMLElement>('main')!.dataset;
  if (Date.now() - Date.parse(asOf) > maxDaysOld * 86_400_000) {
    const warning = document.createElement('p');
    warning.className = 'age-warning';
    warning.textContent = `This index was last updated on ${asOf}. Releases since then are missing.`;
    document.body.prepend(warning);
  }
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  const text = block.textContent.trim();
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // A page over plain http has no clipboard.
      getSelection()!.selectAllChildren(block);
    }
  });
  block.after(button);
}

/** The box: a name or a version leads to a page, anything else is a query. */
function setUpBox(form: HTMLFormElement): void {
  const input = form.querySelector('input')!;
  const place = document.getElementById('found');
  form.hidden = false;
  if (place) {
    const asked = new URLSearchParams(location.search).get('q');
    if (asked !== null) {
      input.value = asked;
      void answer(asked, place);
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      history.pushState(null, '', `?q=${encodeURIComponent(input.value)}`);
      void answer(input.value, place);
    });
  }
}

async function answer(text: string, place: HTMLElement): Promise<void> {
  try {
    const index = await loadIndex();
    const subject = readSubject(index.components, text);
    if (subject) {
      const { component, version } = subject;
      location.assign(
        `${component.name}.html${version === undefined ? '' : `#${nameAnchor(version)}`}`,
      );
      return;
    }

    const found = searchReleases(index, text);
    const heading = document.createElement('p');
    heading.textContent =
      found.length === 0 ? `Nothing matches “${text}”.` : `Matches of “${text}”: ${found.length}`;
    place.replaceChildren(
      heading,
      ...(found.length > 0 ? [drawVerdicts(found.slice(0, maxFound))] : []),
    );
  } catch (error) {
    place.textContent = (error as Error).message;
  }
}

/** The version that somebody runs, on the page of its component. */
function setUpVersion(form: HTMLFormElement): void {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const version = form.querySelector('input')!.value.trim();
    location.hash = nameAnchor(version);
    const isFound =
      document.querySelector('details[open] :target, :target, details[open]') !== null;
    form.querySelector('output')!.textContent = isFound ? '' : `${version} is not listed.`;
  });
}

import { nameAnchor } from '../../core/words.ts';

/** Opens the folds around the target of the address. A version that is not on the page leads to its line. */
export function reveal(): void {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const target = document.getElementById(anchor);
  const shown = target ?? findLine(anchor);
  tell(target ? '' : anchor, shown);

  let fold = shown?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  const line = shown?.closest('.lines details');
  (line ?? shown)?.scrollIntoView({ block: line ? 'start' : 'center' });
}

/** Says that a version is not on the page. */
function tell(anchor: string, line: HTMLElement | undefined): void {
  const place = document.querySelector('output');
  const [, version] = /^v+(\d.*)/i.exec(anchor) ?? [];
  if (place) {
    const missing = line ? 'is not listed. This is its line.' : 'is not on this page.';
    place.textContent = version ? `${version} ${missing}` : '';
  }
}

/** The line of a version such as `v2025.1.9`: the longest name that it begins with. */
function findLine(anchor: string): HTMLElement | undefined {
  if (!/^v+\d/i.test(anchor)) {
    return undefined;
  }

  const version = simplify(anchor.slice(1));
  const row = document.getElementById(nameAnchor(version));
  const lines = [...document.querySelectorAll<HTMLElement>('[id^="line-"]')];
  const names = lines.filter(({ id }) => `${version}.`.startsWith(`${id.slice(5)}.`));
  return row ?? names.sort((a, b) => b.id.length - a.id.length)[0];
}

/** `v1.2.0` names the release 1.2. */
function simplify(version: string): string {
  return version.replace(/^v/i, '').replace(/^(\d+\.\d+)\.0$/, '$1');
}

/** The version that somebody runs, on the page of its component. */
export function setUpVersion(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const version = form.querySelector('input')!.value.trim();
    if (version !== '') {
      location.hash = nameAnchor(version.replace(/^v(?=\d)/i, ''));
      reveal();
    }
  });
}

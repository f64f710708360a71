/** `v1.2.0` names the release 1.2. */
function simplify(version: string): string {
  return version.replace(/^v/i, '').replace(/^(\d+\.\d+)\.0$/, '$1');
}

/** Opens the folds around the target of the address. A version that is not on the page leads to its line. */
export function reveal(): void {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const target = document.getElementById(anchor) ?? findLine(anchor);
  if (!target) {
    return;
  }

  for (
    let fold = target.closest('details');
    fold;
    fold = fold.parentElement?.closest('details') ?? null
  ) {
    fold.open = true;
  }
  const line = target.closest<HTMLElement>('.lines details');
  (line ?? target).scrollIntoView({ block: line ? 'start' : 'center' });
}

/** The line of a version such as `v2025.1.9`: the longest name that it begins with. */
function findLine(anchor: string): HTMLElement | undefined {
  if (!/^v+\d/i.test(anchor)) {
    return undefined;
  }

  const version = simplify(anchor.slice(1));
  const lines = [...document.querySelectorAll<HTMLElement>('[id^="line-"]')];
  const names = lines.filter(
    ({ id }) => version === id.slice(5) || version.startsWith(`${id.slice(5)}.`),
  );
  return names.sort((a, b) => b.id.length - a.id.length)[0];
}

/** Opens the folds around a place, and moves the page to it. */
export function reveal(anchor: string): void {
  const target = document.getElementById(anchor);
  let fold = target?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  const line = target?.closest('.lines details');
  (line ?? target)?.scrollIntoView({ block: line ? 'start' : 'center' });
}

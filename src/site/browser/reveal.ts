/** Opens the folds around a place, and moves the page to it. */
export function reveal(anchor: string): void {
  const target = document.getElementById(anchor);
  let fold = target?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  // A row stays in the middle: styles give it a margin.
  (target?.closest('.lines details') ?? target)?.scrollIntoView();
}

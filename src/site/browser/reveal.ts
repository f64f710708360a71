/** Opens the folds around an element, and scrolls the page to the element. */
export function reveal(anchor: string): void {
  const target = document.getElementById(anchor);
  let fold = target?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  // A row is shown in the middle of the window, because the stylesheet gives it a margin.
  (target?.closest('.lines details') ?? target)?.scrollIntoView();
}

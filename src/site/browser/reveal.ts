/** Opens the folds around an element, and scrolls the page to the element. */
export function reveal(anchor: string): void {
  const target = document.getElementById(anchor);
  let fold = target?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  // The browser scrolls a table row to the middle of the window, because the stylesheet gives rows a scroll margin.
  (target?.closest('.lines details') ?? target)?.scrollIntoView();
}

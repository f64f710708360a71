import type { JudgedRelease } from '../policy/judge.ts';

/**
 * What `make` makes of an item, made anew only where the item differs from the one before. For lists in which neighbours
 * have most in common, as the releases of a line.
 */
export function makeOnceForAlike<Item, Made>(
  areAlike: (item: Item, before: Item) => boolean,
  make: (item: Item) => Made,
): (item: Item) => Made {
  let last: { item: Item; made: Made } | undefined;
  return (item) => {
    if (!last || !areAlike(item, last.item)) last = { item, made: make(item) };
    return last.made;
  };
}

/** Whether two releases have one line, one verdict and one kind of day: those of a line share the reasons of the line. */
export function areAlike(a: JudgedRelease, b: JudgedRelease): boolean {
  return (
    a.reasons === b.reasons &&
    a.upcoming === b.upcoming &&
    a.line === b.line &&
    a.isPrerelease === b.isPrerelease &&
    a.timestampKind === b.timestampKind
  );
}

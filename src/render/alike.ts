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

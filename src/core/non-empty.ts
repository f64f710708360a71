/** A list with at least one element. */
export type NonEmpty<Element> = readonly [Element, ...Element[]];

export function isNonEmpty<Element>(list: readonly Element[]): list is NonEmpty<Element> {
  return list.length > 0;
}

/** Like `Map.groupBy`, whose type does not say that each group has an element. */
export function groupedBy<Key, Element>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => Key,
): ReadonlyMap<Key, NonEmpty<Element>> {
  const groups = new Map<Key, [Element, ...Element[]]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return groups;
}

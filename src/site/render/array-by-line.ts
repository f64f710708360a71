/** An array inside a document, with an element on each line, so that a diff of two days shows single releases. */
export function arrayByLine<Item>(
  items: readonly Item[],
  render: (item: Item) => string = (item) => JSON.stringify(item),
): string {
  if (items.length === 0) return '[]';
  return `[\n${items.map((item) => `    ${render(item)}`).join(',\n')}\n  ]`;
}

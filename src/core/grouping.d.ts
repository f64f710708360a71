interface MapConstructor {
  /** A group has at least one item. The declaration that comes with TypeScript does not say so. */
  groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, [T, ...T[]]>;
}

import type { Source } from './source-schema.ts';

/**
 * The names of a definition's sources in recorded data, for instance `maven:com.example:agent`. If two would have the same
 * name, such as one package read from two registries, the later one also gets its registry, or else a number.
 */
export function sourceIds(sources: readonly Source[]): string[] {
  const ids = new Set<string>();
  for (const source of sources) {
    const name = sourceId(source);
    const registry = 'registryUrl' in source ? source.registryUrl : undefined;
    const candidates = [name, ...(registry === undefined ? [] : [`${name} at ${registry}`])];
    let id = candidates.find((candidate) => !ids.has(candidate));
    for (let count = 2; id === undefined; count += 1) {
      const numbered = `${candidates.at(-1)} (${count})`;
      if (!ids.has(numbered)) id = numbered;
    }
    ids.add(id);
  }
  return [...ids];
}

/** Whether the name is that of a `static` source: what it says is the definition's own word, and not upstream's. */
export function isStaticId(id: string): boolean {
  return /^static(?: \(\d+\))?$/.test(id);
}

/** Without the address, for a message that names it anyway. */
export function withoutAddress(id: string): string {
  return id.replace(/^([a-z-]+):https?:\/\/.*/s, '$1');
}

/** The name of a single source; use `sourceIds` for a definition with several. */
export function sourceId(source: Source): string {
  switch (source.datasource) {
    case 'page':
    case 'json':
      return `${source.datasource}:${source.url}`;
    case 'static':
      return 'static';
    default:
      return `${source.datasource}:${source.packageName}`;
  }
}

/**
 * Where a component's releases are read, as far as every datasource is alike. What each one takes beside that, its adapter in
 * `record/sources/` says.
 */
export interface Source {
  datasource: string;
  packageName?: string | undefined;
  /** Of a source of release lines. */
  product?: string | undefined;
  registryUrl?: string | undefined;
  /** The document, where the releases are not those of a package. */
  url?: string | undefined;
  /** Which version of an entry is read, where it has two. */
  field?: string | undefined;
  /** Of advisories: its publisher is not that of the releases. */
  trusted?: boolean | undefined;
  extractVersion?: string | undefined;
  allowedVersions?: string | undefined;
}

/**
 * The names of a definition's sources in recorded data, for instance `maven:com.example:agent`. If two would have the same
 * name, such as one package read from two registries, the later one also gets its registry, or else a number.
 */
export function sourceIds(sources: readonly Source[]): string[] {
  const ids = new Set<string>();
  for (const source of sources) {
    const name = sourceId(source);
    const { registryUrl } = source;
    const candidates = [name, ...(registryUrl === undefined ? [] : [`${name} at ${registryUrl}`])];
    let id = candidates.find((candidate) => !ids.has(candidate));
    for (let count = 2; id === undefined; count += 1) {
      const numbered = `${candidates.at(-1)} (${count})`;
      if (!ids.has(numbered)) id = numbered;
    }
    ids.add(id);
  }
  return [...ids];
}

/** The name of the source that states ends of support; undefined where none does. */
export function supportSourceId(
  support: { readonly policy: string; readonly source?: Source } | undefined,
): string | undefined {
  return support?.source && `support ${sourceId(support.source)}`;
}

/** Whether the name is that of a `static` source: what it says is the definition's own word, and not upstream's. */
export function isStaticId(id: string): boolean {
  return /^static(?: \(\d+\))?$/.test(id);
}

/** Without the address, for a message that names it anyway. */
export function withoutAddress(id: string): string {
  return id.replace(/^([a-z -]+):https?:\/\/.*/s, '$1');
}

/** The name of a single source; use `sourceIds` for a definition with several. */
export function sourceId({ datasource, packageName, product, url }: Source): string {
  const what = packageName ?? product ?? url;
  return what === undefined ? datasource : `${datasource}:${what}`;
}

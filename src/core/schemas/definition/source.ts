/**
 * A source of releases, with the keys that datasources share. Its adapter in `record/sources/` describes the others.
 */
export interface Source {
  datasource: string;
  packageName?: string | undefined;
  /** For a source of release lines. */
  product?: string | undefined;
  registryUrl?: string | undefined;
  /** The document, for releases outside a package registry. */
  url?: string | undefined;
  /** The version field to read, where an entry has two. */
  field?: string | undefined;
  /** For advisories: trusted although its publisher is not the publisher of the releases. */
  trusted?: boolean | undefined;
  extractVersion?: string | undefined;
  allowedVersions?: string | undefined;
  /** It lists only some of its releases. */
  onlyAdds?: boolean | undefined;
  /** It publishes other bytes under the same version. */
  rebuildsTags?: boolean | undefined;
}

/**
 * A definition's sources by their names in recorded data, for instance `maven:com.example:agent`. Sources
 * with equal names, such as one package in two registries, also get their registry from the second on, or else a number.
 */
export function sourcesById<S extends Source>(sources: readonly S[]): Map<string, S> {
  const byId = new Map<string, S>();

  for (const source of sources) {
    const name = sourceId(source);
    const { registryUrl } = source;
    const candidates = [name, ...(registryUrl === undefined ? [] : [`${name} at ${registryUrl}`])];
    let id = candidates.find((candidate) => !byId.has(candidate));
    for (let count = 2; id === undefined; count += 1) {
      const numbered = `${candidates.at(-1)} (${count})`;
      if (!byId.has(numbered)) {
        id = numbered;
      }
    }
    byId.set(id, source);
  }

  return byId;
}

export function sourceIds(sources: readonly Source[]): string[] {
  return [...sourcesById(sources).keys()];
}

/** The name of the source that states ends of support, if any. */
export function supportSourceId(
  support: { readonly policy: string; readonly source?: Source } | undefined,
): string | undefined {
  return support?.source && `support ${sourceId(support.source)}`;
}

/** Whether a name is of a `static` source: the definition states its releases, not upstream. */
export function isStaticId(id: string): boolean {
  return /^static(?: \(\d+\))?$/.test(id);
}

/** Whether a name is of a catalogue of exploited vulnerabilities, which `site.json` names. */
export function isCatalogueId(id: string): boolean {
  return id.startsWith('exploited:');
}

/** Without the address, for a message that names it anyway. */
export function withoutAddress(id: string): string {
  return id.replace(/^([a-z -]+):https?:\/\/.*/s, '$1');
}

/** The name of a single source; use `sourceIds` for a definition with several. */
export function sourceId({ datasource, packageName, product, url }: Source): string {
  const subject = packageName ?? product ?? url;
  return subject === undefined ? datasource : `${datasource}:${subject}`;
}

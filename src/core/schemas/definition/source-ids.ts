import type { Source } from './source.ts';

/**
 * A definition's sources by their ids in recorded data, for instance `maven:com.example:agent`. If an id is taken, for instance by the
 * same package in another registry, the registry is added to it, and then a number if the longer id is taken, too.
 */
export function mapSourcesById<S extends Source>(sources: readonly S[]): Map<string, S> {
  const byId = new Map<string, S>();

  for (const source of sources) {
    const { registryUrl } = source;
    const name = createSourceId(source);
    const longName = registryUrl === undefined ? name : `${name} at ${registryUrl}`;
    let id = byId.has(name) ? longName : name;
    for (let count = 2; byId.has(id); count += 1) {
      id = `${longName} (${count})`;
    }

    byId.set(id, source);
  }

  return byId;
}

export function listSourceIds(sources: readonly Source[]): string[] {
  return [...mapSourcesById(sources).keys()];
}

/** The id of the source that states ends of support, if any. */
export function createSupportSourceId(
  support: { readonly policy: string; readonly source?: Source } | undefined,
): string | undefined {
  return support?.source && `support ${createSourceId(support.source)}`;
}

/** Whether an id is of a `static` source: the definition states its releases, not upstream. */
export function isStaticId(id: string): boolean {
  return /^static(?: \(\d+\))?$/.test(id);
}

/** Whether an id is of a catalogue of exploited vulnerabilities, which `site.json` names. */
export function isCatalogueId(id: string): boolean {
  return id.startsWith('exploited:');
}

/** `page` for `page:https://example.com/releases`: without the address, for a message that names it anyway. */
export function removeAddress(id: string): string {
  return id.replace(/^([a-z -]+):https?:\/\/.*/s, '$1');
}

/** The id of a source without its registry. `listSourceIds` also tells apart sources with the same package. */
export function createSourceId({ datasource, packageName, product, url }: Source): string {
  const subject = packageName ?? product ?? url;
  return subject === undefined ? datasource : `${datasource}:${subject}`;
}

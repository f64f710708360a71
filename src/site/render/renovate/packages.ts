import { joinPackage, parsePurl } from '../../../core/model/purl.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import type { PublishedPackage } from '../../../core/schemas/published/status-file.ts';
import { renderPackageUrl } from '../../../record/sources/index.ts';

/** The packages of a component, from its sources and aliases, each once. */
export function listPackages({
  sources,
  aliases = [],
}: Pick<Definition, 'sources' | 'aliases'>): PublishedPackage[] {
  const packages = new Map<string, PublishedPackage>();
  for (const source of sources) {
    const purl = renderPackageUrl(source);
    if (purl !== undefined && !packages.has(purl)) {
      packages.set(purl, { purl, extractVersion: source.extractVersion });
    }
  }

  for (const alias of aliases) {
    const parsed = parsePurl(alias);
    const purl = parsed && joinPackage(parsed);
    if (purl !== undefined && !packages.has(purl)) {
      packages.set(purl, { purl });
    }
  }

  return [...packages.values()];
}

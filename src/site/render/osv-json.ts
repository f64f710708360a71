import type { Advisory } from '../../core/schemas/advisory.ts';
import type { AdvisorySummary, ComponentSummary } from '../../decide/component.ts';
import { greatestSeverity } from '../../decide/advisories.ts';
import { osvPackagesOf } from '../../record/sources/index.ts';
import { purlOfPackage } from '../../core/purl.ts';
import type { SiteFile } from './site-context.ts';

type Found = AdvisorySummary & { readonly summarised: ComponentSummary };

/** `osv/<id>.json`: each advisory in the OSV format (ossf.github.io/osv-schema), with all affected components. */
export function renderOsvFiles(summaries: readonly ComponentSummary[]): SiteFile[] {
  const found = summaries.flatMap((summarised): Found[] =>
    summarised.advisories.map((advisory) => ({ ...advisory, summarised })),
  );
  return Array.from(
    Map.groupBy(found, ({ stated }) => stated.id),
    ([id, all]) => ({
      path: `osv/${id}.json`,
      body: `${JSON.stringify(osvDocument(id, all), undefined, 1)}\n`,
    }),
  );
}

function osvDocument(id: string, found: readonly Found[]): object {
  const all = found.map(({ stated }) => stated);
  const first = <Key extends keyof Advisory>(key: Key) =>
    all.find((one) => one[key] !== undefined)?.[key];
  const url = first('url');
  const published = first('published');
  return {
    schema_version: '1.7.0',
    id,
    modified: found
      .map(({ recordedAt }) => recordedAt)
      .toSorted()
      .at(-1),
    published: published && `${published}T00:00:00Z`,
    summary: first('summary'),
    affected: found.flatMap(affectedBy),
    references: url && [{ type: 'ADVISORY', url }],
    database_specific: { severity: greatestSeverity(all)?.toUpperCase() },
  };
}

/** One entry for each package of a component. Lists single versions, because ecosystems order versions differently. */
function affectedBy({ stated, versions, summarised }: Found): object[] {
  if (versions.length === 0) {
    return [];
  }
  const { name: component, definition } = summarised;
  const about = { versions, database_specific: { component, fixed: stated.fixed } };
  const packages = osvPackagesOf(definition.sources).map(({ ecosystem, name, purlType }) => ({
    package: { ecosystem, name, purl: purlOfPackage(purlType, name) },
    ...about,
  }));
  return packages.length > 0 ? packages : [about];
}

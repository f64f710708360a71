import * as z from 'zod';
import { documented, optionalKey } from '../../core/schemas/keys.ts';
import { UpstreamUrl } from '../../core/schemas/urls.ts';
import { didYouMean } from '../../core/text/wording.ts';
import {
  defineSource,
  type RequestContext,
  createNameSchema,
  matchPackage,
  matchRegistry,
  SourceError,
} from './datasource.ts';
import { findLatestVersion } from '../../core/model/prerelease.ts';
import {
  listElements,
  readReleases,
  parseYaml,
  readBySchema,
  OptionalText,
  collectDigests,
} from './shared/document.ts';
import { fileTypes, joinUrl } from './shared/requests.ts';

/** helm.sh/docs/topics/chart_repository, "The index file". */
const Index = z.object({ entries: z.record(z.string(), z.unknown()) });

const ChartVersions = z.array(z.unknown());

const ChartVersion = z.object({
  created: z.string().optional(),
  deprecated: z.string().optional(),
  /** The chart's own version, even if `appVersion` is read. */
  version: z.string().optional().catch(undefined),
  digest: z.string().optional().catch(undefined),
});

/** helm.sh/docs/topics/charts, "The Chart.yaml File". */
const Described = z
  .object({
    version: OptionalText,
    name: OptionalText,
    description: OptionalText,
    home: OptionalText,
    sources: z.array(OptionalText).optional().catch(undefined),
  })
  .catch({});

const yamlTypes = ['application/yaml', 'text/yaml', 'application/x-yaml', 'text/x-yaml'];

export const helm = defineSource({
  datasource: 'helm',
  coordinates: {
    packageName: createNameSchema(/^[A-Za-z0-9][\w.-]*$/, 'chart'),
    registryUrl: documented(
      UpstreamUrl,
      'Address of the repository, without index.yaml.',
      'https://charts.example.com',
    ),
    field: optionalKey(
      z.enum(['version', 'appVersion']),
      "Version to read from an entry: the chart's, or that of the application in it. Default: the chart's.",
      'appVersion',
    ),
  },
  // A chart's name is only unique within its repository.
  renovate: ({ field, ...source }) =>
    field === 'appVersion'
      ? undefined
      : { ...matchPackage(source), ...matchRegistry(source.registryUrl) },
  statesDeprecation: true,
  async gather(source, context) {
    const { url, chart } = await fetchChart(source, context);
    const elements = listElements(chart, source.field ?? 'version');
    const answer = readReleases(
      url,
      elements,
      ChartVersion,
      ({ created, deprecated, version, digest }) => ({
        releaseTimestamp: created || undefined,
        deprecated: deprecated?.toLowerCase() === 'true' ? '' : undefined,
        digests: collectDigests([[version, digest]]),
      }),
    );

    // Several charts may have the same version of the application.
    return { ...answer, hasParts: true };
  },
  async describe(source, context) {
    const { chart } = await fetchChart(source, context);
    const described = chart.map((entry) => Described.parse(entry));
    const latest = findLatestVersion(described.map(({ version }) => version));
    if (latest === undefined) {
      return {};
    }

    const { name, description, home, sources } = described.find(
      ({ version }) => version === latest,
    )!;
    return { title: name, description, homepage: home, repository: sources?.find(Boolean) };
  },
});

async function fetchChart(
  { packageName, registryUrl }: { packageName: string; registryUrl: string },
  context: RequestContext,
) {
  const url = joinUrl(registryUrl, ['index.yaml']);
  const response = await context.http.fetch({ url, accept: yamlTypes, alsoAccept: fileTypes });
  const { entries } = readBySchema(url, parseYaml(url, response.text()), Index);
  if (!Object.hasOwn(entries, packageName)) {
    const charts = Object.keys(entries).slice(0, 1000);
    const hint = didYouMean(packageName, charts);
    throw SourceError.at(url, `has no chart "${packageName}".${hint}`);
  }

  return { url, chart: readBySchema(url, entries[packageName], ChartVersions) };
}

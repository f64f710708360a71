import { findNearest } from '../../core/text.ts';
import { findLatestVersion } from '../documents.ts';
import * as z from 'zod';
import { anyText, parseYaml, readBySchema, readReleases } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { joinUrl } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

interface HelmSource {
  packageName: string;
  registryUrl: string;
  /** The chart's version, or that of the application in it. */
  field?: 'version' | 'appVersion' | undefined;
}

/** helm.sh/docs/topics/chart_repository */
const Index = z.object({ entries: z.record(z.string(), z.unknown()) });
const Chart = z.object({
  version: z.string(),
  name: anyText,
  description: anyText,
  home: anyText,
  sources: z.array(anyText).catch([]),
});

export const helm: Datasource<HelmSource> = {
  async list(source, context) {
    const { field = 'version' } = source;
    const { url, charts } = await fetchCharts(source, context);
    const entry = z
      .object({
        [field]: z.string().min(1),
        created: z.string().optional(),
        deprecated: z.string().optional(),
        digest: anyText,
      })
      .transform(({ [field]: version = '', created, deprecated, digest }) => ({
        version,
        releaseTimestamp: created,
        deprecated: deprecated?.toLowerCase() === 'true' ? '' : undefined,
        digests: [digest],
      }));
    return readReleases(url, context.day, charts, entry);
  },
  async describe(source, context) {
    const { charts } = await fetchCharts(source, context);
    const readable = charts.flatMap((chart) => Chart.safeParse(chart).data ?? []);
    const latest = findLatestVersion(readable.map(({ version }) => version));
    const chart = readable.find(({ version }) => version === latest);
    return {
      title: chart?.name,
      description: chart?.description,
      homepage: chart?.home,
      repository: chart?.sources.find(Boolean),
    };
  },
};

async function fetchCharts({ packageName, registryUrl }: HelmSource, { http }: SourceContext) {
  const response = await http.fetch({
    url: joinUrl(registryUrl, ['index.yaml']),
    accept: 'application/yaml, text/yaml, application/x-yaml, text/x-yaml',
  });
  const { entries } = readBySchema(response.url, parseYaml(response), Index);
  if (!Object.hasOwn(entries, packageName)) {
    throw SourceError.at(
      response.url,
      `has no chart "${packageName}"${suggest(findNearest(packageName, Object.keys(entries)))}`,
    );
  }
  return {
    url: response.url,
    charts: readBySchema(response.url, entries[packageName], z.array(z.unknown())),
  };
}

function suggest(name: string | undefined): string {
  return name === undefined ? '' : `. Did you mean "${name}"?`;
}

import * as z from 'zod';
import { SourceError } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { anyText, anyTime, parseYaml, pickTexts, readBySchema, joinUrl } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

interface HelmSource {
  packageName: string;
  registryUrl: string;
  /** Whether the version of the chart is read, or the version of the application in it. */
  field?: 'version' | 'appVersion' | undefined;
}

/** The index of a chart repository, see helm.sh/docs/topics/chart_repository. */
const Index = z.object({ entries: z.record(z.string(), z.unknown()) });
const Chart = z.object({ sources: z.array(anyText) }).catch({ sources: [] });

export const helm: Datasource<HelmSource> = {
  async list(source, context) {
    const { field = 'version' } = source;
    const { url, charts } = await fetchCharts(source, context);
    const entry = z
      .object({
        [field]: z.string().min(1),
        created: anyTime,
        deprecated: anyText,
        digest: anyText,
      })
      .transform(({ created, deprecated, digest, ...names }) => ({
        version: names[field] ?? '',
        releaseTimestamp: created,
        deprecated: deprecated?.toLowerCase() === 'true' ? '' : undefined,
        digests: [digest],
        // With `appVersion`, the digest is left out, because the file contains the chart, not the application.
        digest: field === 'appVersion' ? null : undefined,
      }));
    return readReleases(url, charts, entry);
  },
  async describe(source, context) {
    const { charts } = await fetchCharts(source, context);
    // Helm writes the greatest version first.
    const [latest] = charts;
    const repository = Chart.parse(latest).sources.find(Boolean);
    return { ...pickTexts(latest, { homepage: 'home' }), repository };
  },
};

async function fetchCharts({ packageName, registryUrl }: HelmSource, { http }: SourceContext) {
  const response = await http.fetch({
    url: joinUrl(registryUrl, ['index.yaml']),
    accept: 'application/yaml, text/yaml',
  });
  const { entries } = readBySchema(response.url, parseYaml(response), Index);
  if (!Object.hasOwn(entries, packageName)) {
    throw SourceError.at(response.url, `has no chart "${packageName}"`);
  }
  return {
    url: response.url,
    charts: readBySchema(response.url, entries[packageName], z.array(z.unknown())),
  };
}

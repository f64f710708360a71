import { z } from 'zod';
import { showUrl } from '../http/error.ts';
import { nearest } from '../model/problems.ts';
import { parseTimestamp } from '../timestamps.ts';
import { addressBelow } from './address.ts';
import { readDocument, readElements, type Element } from './elements.ts';
import { SourceError, type SourceAdapter, type SourceContext, type SourceRelease } from './source.ts';
import { parseYaml } from './yaml.ts';

/** helm.sh/docs/topics/chart_repository, "The index file". */
const Index = z.object({ entries: z.record(z.string(), z.unknown()) });

const ChartVersions = z.array(z.unknown());

const ChartVersion = z.object({
  name: z.string().optional(),
  created: z.string().optional(),
  deprecated: z.string().optional(),
});
type ChartVersion = z.infer<typeof ChartVersion>;

const yamlTypes = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/vnd.yaml',
  'application/vnd.yaml',
];
/** Repositories on plain file storage know no better type. */
const looseTypes = ['text/plain', 'application/octet-stream', 'binary/octet-stream'];
const maxBytes = 64 * 1024 * 1024;

export const helm: SourceAdapter<'helm'> = {
  datasource: 'helm',
  async gather({ packageName, registryUrl, field = 'version' }, context) {
    const url = addressBelow(registryUrl, ['index.yaml']);
    const response = await context.http.fetch({ url, accept: yamlTypes, alsoAccept: looseTypes, maxBytes });
    const { entries } = readDocument(url, parseYaml(url, response.text()), Index);
    if (!Object.hasOwn(entries, packageName))
      throw new SourceError(missingChart(url, packageName, Object.keys(entries)));

    const chart = readDocument(url, entries[packageName], ChartVersions);
    const listed = chart.map((value) => ({
      name: (value as Record<string, unknown> | null)?.[field],
      value,
    }));
    const readable = readElements(url, listed, ChartVersion, context);
    const releases = mergeByVersion(readable, context);
    return { releases, accept: () => response.accept() };
  },
};

/**
 * Several chart versions may carry one version of the application: it came with the earliest of them, and is deprecated
 * once all of them are.
 */
function mergeByVersion(charts: readonly Element<ChartVersion>[], context: SourceContext): SourceRelease[] {
  const carriers = new Map<string, ChartVersion[]>();
  for (const { name, value } of charts) {
    const version = context.offer(name);
    if (version === undefined) continue;
    const earlier = carriers.get(version);
    if (earlier) earlier.push(value);
    else carriers.set(version, [value]);
  }
  return Array.from(carriers, ([version, values]) => {
    const created = values.map((value) => value.created).filter((time) => time !== undefined);
    const earliest = created
      .map((time) => parseTimestamp(time))
      .filter((time) => time !== undefined)
      .sort()[0];
    // Where none can be read, the first is handed on, to be refused by its own words.
    const releaseTimestamp = earliest ?? created[0];
    return {
      version,
      ...(releaseTimestamp !== undefined && { releaseTimestamp }),
      ...(values.every((value) => value.deprecated === 'true') && { deprecated: '' }),
    };
  });
}

function missingChart(url: string, name: string, charts: readonly string[]): string {
  const near = nearest(name, charts);
  const known = `it lists ${charts.length === 0 ? 'no chart' : charts.slice(0, 10).join(', ')}${charts.length > 10 ? `, and ${charts.length - 10} more` : ''}`;
  return `${showUrl(url)}: has no chart "${name}"; ${near === undefined ? known : `did you mean "${near}"?`}`;
}

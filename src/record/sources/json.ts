import * as z from 'zod';
import { dropUndefined, isObject } from '../../core/model/objects.ts';
import { Transform } from '../../core/schemas/definition/source.ts';
import { showValue } from '../../core/text/show.ts';
import { StatedLine } from '../../core/schemas/recorded/recorded.ts';
import { DaySchema, LineName } from '../../core/schemas/scalars.ts';
import { PhaseName } from '../../core/schemas/definition/phase.ts';
import { documented, optionalKey } from '../../core/schemas/keys.ts';
import { UpstreamUrl } from '../../core/schemas/urls.ts';
import {
  defineSource,
  type SourceContext,
  type SupportAdapter,
  SourceError,
} from './datasource.ts';
import {
  listElements,
  readReleases,
  collectDigests,
  hasPrerelease,
  OptionalText,
} from './shared/document.ts';
import { evaluateTransform } from './shared/evaluate-transform.ts';
import { fetchJsonFile } from './shared/requests.ts';
import { readSourceLines } from './shared/source-lines.ts';

/**
 * A release from the expression, as in Renovate's custom datasources (docs/usage/modules/datasource/custom). Numbers are
 * milliseconds or seconds since 1970, as in JSONata's functions.
 */
const Release = z.object({
  releaseTimestamp: z.union([z.string(), z.number()]).nullish(),
  changelogUrl: z.string().nullish(),
  isDeprecated: z.boolean().nullish(),
  isStable: z.boolean().nullish(),
  digest: z.string().nullish(),
});

/** Any JSON API, with an expression that finds its releases. */
export const json = defineSource({
  datasource: 'json',
  coordinates: {
    url: documented(UpstreamUrl, 'Address of the document.', 'https://api.example.com/releases'),
    transform: optionalKey(
      Transform,
      "JSONata expression that converts the document to releases, as in Renovate's custom datasources. Not needed where the document has the array releases already. It returns an array, or an object with an array releases. Each element has a version, and optionally releaseTimestamp, changelogUrl, isDeprecated, isStable and digest.",
      '{"releases": items.{"version": tag, "releaseTimestamp": date}}',
    ),
  },
  statesDeprecation: true,
  async gather({ url, transform }, context) {
    const result =
      transform === undefined
        ? await fetchJsonFile(context.http, url, PackageDocument)
        : await transformDocument({ url, transform }, context);
    return readList(url, result);
  },
  async describe({ url, transform }, { http }) {
    if (transform !== undefined) {
      return {};
    }

    const document = await fetchJsonFile(http, url, PackageDocument);
    const { homepage, changelogUrl, sourceUrl } = document;
    return {
      homepage,
      changelogUrl,
      repository: sourceUrl,
      registryPage: url,
      hasPrereleases: hasPrerelease(readList(url, document).releases),
    };
  },
});

/** A document of Renovate's form (lib/modules/datasource/types.ts, `ReleaseResult`), with what it states about the package. */
const PackageDocument = z.object({
  homepage: OptionalText,
  changelogUrl: OptionalText,
  sourceUrl: OptionalText,
  releases: z.array(z.unknown()),
});

const PhaseByName = z.union([
  DaySchema.transform((until) => ({ until })),
  StatedLine.shape.phases.element.omit({ name: true }),
]);

/** A release line from the expression, with phases by name. */
const Line = z
  .object({
    line: LineName,
    phases: z.record(PhaseName, PhaseByName),
    lts: z.union([z.boolean(), DaySchema]).optional(),
    firstReleaseDate: DaySchema.optional(),
  })
  .transform(({ phases, lts, ...facts }): StatedLine => {
    const namedPhases = Object.entries(phases).map(([name, phase]) => ({ name, ...phase }));
    return dropUndefined({ ...facts, lts: lts || undefined, phases: namedPhases });
  });

/** Release lines from any JSON API. */
export const statedByJson: SupportAdapter<'json'> = {
  async gather(source, context) {
    const { url } = source;
    const result = await transformDocument(source, context);
    const lines = isObject(result) ? result['lines'] : undefined;
    if (lines === undefined) {
      throw SourceError.at(url, `transform: expected lines; got ${showValue(result)}`);
    }

    return readSourceLines(url, listElements([lines].flat(), 'line'), Line);
  },
};

async function transformDocument(
  { url, transform }: Readonly<Record<'url' | 'transform', string>>,
  { http }: SourceContext,
): Promise<unknown> {
  const document = await fetchJsonFile(http, url, z.unknown());
  return evaluateTransform(url, { document, transform });
}

function readList(url: string, result: unknown) {
  const elements = listElements(findReleases(url, result), 'version');
  return readReleases(url, elements, Release, (release, name) => ({
    releaseTimestamp: formatTimestamp(release.releaseTimestamp),
    changelogUrl: release.changelogUrl ?? undefined,
    deprecated: release.isDeprecated ? '' : undefined,
    isPrerelease: typeof release.isStable === 'boolean' ? !release.isStable : undefined,
    digests: collectDigests([[name, release.digest]]),
  }));
}

/** The array of releases or versions, also under the key `releases`. JSONata returns a list of one as its element. */
function findReleases(url: string, result: unknown): unknown[] {
  let list = result;
  if (isObject(result) && ('releases' in result || !('version' in result))) {
    list = result['releases'];

    // JSONata leaves out the key of an empty list.
    if (list === undefined && Object.keys(result).length > 0) {
      throw SourceError.at(url, `transform: expected releases; got ${showValue(result)}`);
    }
  }

  const elements: unknown[] = [list ?? []].flat();
  return elements.map((element) => (typeof element === 'string' ? { version: element } : element));
}

/** As in Renovate, a number is in milliseconds if that gives a day after 2000, else in seconds. */
function formatTimestamp(timestamp: string | number | null | undefined): string | undefined {
  if (typeof timestamp !== 'number') {
    return timestamp ?? undefined;
  }

  const date = new Date(timestamp >= 946_684_800_000 ? timestamp : timestamp * 1000);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString();
}

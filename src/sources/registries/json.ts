import * as z from 'zod';
import { showValue } from '../../core/errors.ts';
import { PhaseName } from '../../core/schema/advisory.ts';
import { StatedLine } from '../../core/schema/recorded.ts';
import { DaySchema, LineName } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { anyFlag, anyText, anyTime, isObject, pickTexts } from '../documents.ts';
import type { HttpResponse } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readEntries, readReleases } from '../read-releases.ts';
import { transformJson } from '../transform.ts';
import type { Datasource, SourceContext } from '../types.ts';
import { checkLines } from './endoflife-date.ts';

interface JsonSource {
  url: string;
  /** Makes `{"releases": […]}`, or `{"lines": […]}` for a source of release lines, of the document. */
  transform?: string | undefined;
}

/** As in Renovate's custom datasources: a number is in milliseconds if that gives a day after 2000, else in seconds. */
const Time = z.number().transform((time) => {
  const date = new Date(time >= 946_684_800_000 ? time : time * 1000);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
});

/** A version, or an object about it. */
const Release = z
  .preprocess(
    (entry) => (typeof entry === 'string' ? { version: entry } : entry),
    z.object({
      version: z.string().min(1),
      releaseTimestamp: Time.or(anyTime),
      changelogUrl: anyText,
      isDeprecated: anyFlag,
      isStable: anyFlag,
      digest: anyText,
    }),
  )
  .transform(({ isDeprecated, isStable, digest, ...release }) => ({
    ...release,
    deprecated: isDeprecated ? '' : undefined,
    isPrerelease: isStable === undefined ? undefined : !isStable,
    digests: [digest],
  }));

/** Any document in JSON, with an expression that finds its releases. */
export const json: Datasource<JsonSource> = {
  async list(source, context) {
    const response = await fetchFile(source, context);
    const result = await transform(response, source.transform);
    const isRelease = isObject(result) && 'version' in result && !('releases' in result);
    const releases = isObject(result) && !isRelease ? result['releases'] : result;
    // JSONata leaves out the key of an empty list, and returns a list of one as its element.
    return readReleases(response.url, context.day, [releases ?? []].flat(), Release);
  },
  async describe(source, context) {
    return pickTexts((await fetchFile(source, context)).json(), {
      homepage: 'homepage',
      changelogUrl: 'changelogUrl',
      repository: 'sourceUrl',
    });
  },
};

/** A line with its phases by name: the last day, or an object with more. */
const LineOfPhases = z
  .object({
    line: LineName,
    phases: z.record(
      PhaseName,
      z.union([
        DaySchema.transform((until) => ({ until })),
        StatedLine.shape.phases.element.omit({ name: true }),
      ]),
    ),
    lts: z.union([z.boolean(), DaySchema]).optional(),
    since: DaySchema.optional(),
  })
  .transform(
    ({ phases, lts, ...facts }) =>
      ({
        ...facts,
        ...(lts && { lts }),
        phases: Object.entries(phases).map(([name, phase]) => ({ name, ...phase })),
      }) as StatedLine,
  )
  .pipe(StatedLine);

/** Release lines of any document in JSON. */
export const jsonLines: Datasource<JsonSource> = {
  async list(source, context) {
    const response = await fetchFile(source, context);
    const result = await transform(response, source.transform);
    if (!isObject(result) || result['lines'] === undefined) {
      throw SourceError.at(response.url, `transform: expected lines; got ${showValue(result)}`);
    }
    return checkLines(
      readEntries(response.url, [result['lines']].flat(), LineOfPhases, 'release line'),
    );
  },
};

function fetchFile({ url }: JsonSource, { http }: SourceContext): Promise<HttpResponse> {
  return http.fetch({ url, maxBytes: 20 * 1024 * 1024 });
}

async function transform(response: HttpResponse, expression: string | undefined): Promise<unknown> {
  const document = response.json();
  if (expression === undefined) {
    return document;
  }

  try {
    const result = await transformJson({ transform: expression, document: response.text() });
    return result === undefined ? undefined : JSON.parse(result);
  } catch (error) {
    const { message } = error as Error;
    throw SourceError.at(response.url, `transform: ${toLine(message, 200)}`, error);
  }
}

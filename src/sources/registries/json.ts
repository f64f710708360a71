import * as z from 'zod';
import { isObject } from '../../core/objects.ts';
import { showValue } from '../../core/parse-document.ts';
import { OrderedLine } from '../../core/schema/recorded.ts';
import { anyFlag, anyText, anyTime, pickTexts } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { readLines, readReleases } from '../read-releases.ts';
import type { Datasource } from '../types.ts';
import { fetchDocument, fetchTransformed, type JsonSource } from './json-document.ts';

/** A number as in Renovate's custom datasources; here also its digits as a text. In milliseconds if that gives a day after 2000, else in seconds. */
const Time = z.union([z.number(), z.string().regex(/^\d{9,13}$/)]).transform((stated) => {
  const time = Number(stated);
  const date = new Date(time >= 946_684_800_000 ? time : time * 1000);
  return Number.isNaN(date.getTime()) ? String(stated) : date.toISOString();
});

const anyTexts = z.record(z.string(), anyText).optional().catch(undefined);

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
      url: anyText,
      files: anyTexts,
      urls: anyTexts,
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
    const { url, document: result } = await fetchTransformed(source, context);
    // JSONata leaves out the key of an empty list, and returns a list of one as its element.
    return readReleases(url, context.day, [findReleases(result) ?? []].flat(), Release);
  },
  async describe(source, context) {
    return pickTexts((await fetchDocument(source, context)).document, {
      homepage: 'homepage',
      changelogUrl: 'changelogUrl',
      repository: 'sourceUrl',
    });
  },
};

function findReleases(result: unknown): unknown {
  if (!isObject(result) || ('version' in result && !('releases' in result))) {
    return result;
  }

  return result['releases'] ?? result['versions'];
}

/** A line with its phases by name: the last day, or an object with more. */
const LineOfPhases = z.preprocess((entry) => {
  const { line, since, lts, phases }: Record<string, unknown> = isObject(entry) ? entry : {};
  const named = Object.entries(isObject(phases) ? phases : {}).map(([name, phase]) => ({
    name,
    ...(isObject(phase) ? phase : { until: phase }),
  }));
  return { line, since, lts: lts || undefined, phases: named };
}, OrderedLine);

/** Release lines of any document in JSON. */
export const jsonLines: Datasource<JsonSource> = {
  async list(source, context) {
    const { url, document: result } = await fetchTransformed(source, context);
    if (!isObject(result) || result['lines'] === undefined) {
      throw SourceError.at(url, `transform: expected lines; got ${showValue(result)}`);
    }
    return readLines(url, [result['lines']].flat(), LineOfPhases);
  },
};

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { addDays } from '../../core/day.ts';
import { maxBytes } from '../../core/http-limits.ts';
import { isObject } from '../../core/objects.ts';
import { showValue, toText } from '../../core/parse-document.ts';
import { OrderedLine } from '../../core/schema/recorded.ts';
import { toLine } from '../../core/text.ts';
import { decodeAnswer } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readLines, readReleases } from '../read-releases.ts';
import { anyFlag, anyText, anyTime, parseJson, pickTexts } from '../requests.ts';
import { parseTimestamp } from '../timestamps.ts';
import { transformJson } from '../transform.ts';
import type { Datasource, SourceContext } from '../types.ts';

/**
 * A time as a number, as in Renovate's custom datasources, or as digits in a text. The number counts milliseconds if this gives a date
 * after 2000. Otherwise it counts seconds.
 */
const Time = z.union([z.number(), z.string().regex(/^\d{9,13}$/)]).transform((stated) => {
  const time = Number(stated);
  const date = new Date(time >= 946_684_800_000 ? time : time * 1000);
  return Number.isNaN(date.getTime()) ? String(stated) : date.toISOString();
});

const anyTexts = z.record(z.string(), anyText).optional().catch(undefined);

/** A version, or an object that contains a version. */
const Release = z
  .preprocess(
    (entry) => (typeof entry === 'string' ? { version: entry } : entry),
    z.object({
      version: z.string().min(1),
      releaseTimestamp: Time.or(anyTime),
      changelogUrl: anyText,
      isDeprecated: anyFlag,
      isStable: anyFlag,
      isStop: anyFlag,
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

/** Reads releases from any JSON document, with a JSONata expression that finds them. */
export const json: Datasource<JsonSource> = {
  async list(source, context) {
    const { url, document: result } = await fetchTransformed(source, context);
    // JSONata leaves out the key of an empty list, and returns a list with one element as that element.
    const entries = [findReleases(result) ?? []].flat();
    if (source.transform && entries.length === 0) {
      // The expression probably has a misspelt key. The document itself was read.
      throw SourceError.at(
        url,
        `lists no version that its transform finds; the transform gives ${showValue(result)}`,
      );
    }
    return readReleases(url, entries, Release);
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

/**
 * A release line. `phases` maps the name of a phase to its last day: `{ "support": "2027-01-15" }`.
 * A phase with other facts is an object: `{ "support": { "until": "2027-01-15", "paid": true } }`.
 */
const LineOfPhases = z.preprocess((entry) => {
  const { line, since, lts, phases }: Record<string, unknown> = isObject(entry) ? entry : {};
  const named = Object.entries(isObject(phases) ? phases : {}).map(([name, phase]) => ({
    name,
    ...(isObject(phase) ? phase : { until: phase }),
  }));
  return { line, since, lts: lts || undefined, phases: named };
}, OrderedLine);

/** Reads release lines from any JSON document. */
export const jsonLines: Datasource<JsonSource> = {
  async list(source, context) {
    const { url, document: result } = await fetchTransformed(source, context);
    if (!isObject(result) || result['lines'] === undefined) {
      throw SourceError.at(url, `transform: expected lines; got ${showValue(result)}`);
    }
    return readLines(url, [result['lines']].flat(), LineOfPhases);
  },
};

/* Reads JSON documents at a URL or in a file of the index. The JSONata expression of the source then transforms them. */

interface JsonSource {
  url?: string | undefined;
  /** The path of a file in the index, instead of `url`. */
  file?: string | undefined;
  /** A JSONata expression. It converts the document to `{"releases": […]}`, or to `{"lines": […]}` for a source of release lines. */
  transform?: string | undefined;
}

async function fetchTransformed(source: JsonSource, context: SourceContext) {
  const { transform } = source;
  const { url, document } = await fetchDocument(source, context);
  try {
    return { url, document: transform ? await transformJson({ transform, document }) : document };
  } catch (error) {
    throw SourceError.at(url, `transform: ${toLine((error as Error).message, 200)}`, error);
  }
}

async function fetchDocument({ url, file }: JsonSource, context: SourceContext) {
  if (file !== undefined) {
    return { url: file, document: readFile(file, context) };
  }
  // The schema of definitions requires either `url` or `file`.
  const response = await context.http.fetch({ url: url! });
  return { url: response.url, document: parseJson(response) };
}

/**
 * Reads a list from a file of the index. A workflow step that writes the file sets `writtenAt`. If this time is over a day ago, the step no
 * longer runs, so the file is rejected.
 */
function readFile(file: string, { root, day }: SourceContext): unknown {
  const path = join(root, file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    throw SourceError.at(file, 'is missing. The step that writes it failed or did not run');
  }
  const isLink = realpathSync(path) !== join(realpathSync(root), file);
  if (isLink || !stats.isFile() || stats.size > maxBytes) {
    throw SourceError.at(file, 'expected a file of at most 64 MB, and no link');
  }

  const document = parseJson({ url: file, text: () => decodeAnswer(file, readFileSync(path)) });
  const writtenAt = isObject(document) ? document['writtenAt'] : undefined;
  const time = parseTimestamp(toText(writtenAt));
  if (writtenAt !== undefined && (time === undefined || time < addDays(day, -1))) {
    throw SourceError.at(
      file,
      `writtenAt: expected a time of the last day; got ${showValue(writtenAt)}`,
    );
  }
  return document;
}

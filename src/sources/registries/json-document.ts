/** Documents in JSON at an address or in a file of the index, and what an expression makes of them. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { maxBytes } from '../../core/http-limits.ts';
import { addDays } from '../../core/day.ts';
import { isObject } from '../../core/objects.ts';
import { showValue } from '../../core/parse-document.ts';
import { toLine } from '../../core/text.ts';
import { parseJson } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { parseTimestamp } from '../timestamps.ts';
import { transformJson } from '../transform.ts';
import type { SourceContext } from '../types.ts';

export interface JsonSource {
  url?: string | undefined;
  /** Below the folder of the index, in place of an address. */
  file?: string | undefined;
  /** Makes `{"releases": […]}`, or `{"lines": […]}` for a source of release lines, of the document. */
  transform?: string | undefined;
}

export async function fetchTransformed(source: JsonSource, context: SourceContext) {
  const { transform } = source;
  const { url, document } = await fetchDocument(source, context);
  try {
    return { url, document: transform ? await transformJson({ transform, document }) : document };
  } catch (error) {
    throw SourceError.at(url, `transform: ${toLine((error as Error).message, 200)}`, error);
  }
}

export async function fetchDocument({ url, file }: JsonSource, context: SourceContext) {
  if (file !== undefined) {
    return { url: file, document: readFile(file, context) };
  }
  // The schema of definitions requires one of both.
  const response = await context.http.fetch({ url: url! });
  return { url: response.url, document: parseJson(response) };
}

/** A list that a step wrote. Where it is committed, `writtenAt` tells a list that nobody writes any more. */
function readFile(file: string, { root, day }: SourceContext): unknown {
  const path = join(root, file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    throw SourceError.at(file, 'is not there. The step that writes it failed or did not run');
  }
  const isLink = realpathSync(path) !== join(realpathSync(root), file);
  if (isLink || !stats.isFile() || stats.size > maxBytes) {
    throw SourceError.at(file, 'expected a file of at most 64 MB, and no link');
  }

  const document = parseJson({ url: file, text: () => readFileSync(path, 'utf8') });
  const writtenAt = isObject(document) ? document['writtenAt'] : undefined;
  const time = parseTimestamp(String(writtenAt));
  if (writtenAt !== undefined && (time === undefined || time < addDays(day, -1))) {
    throw SourceError.at(
      file,
      `writtenAt: expected a time of the last day; got ${showValue(writtenAt)}`,
    );
  }
  return document;
}

import * as z from 'zod';
import { isObject } from '../../core/objects.ts';
import { showValue } from '../../core/parse-document.ts';
import { SourceError } from '../http/failures.ts';
import { OrderedLine, readLines } from '../read-releases.ts';
import type { Datasource } from '../types.ts';
import { fetchTransformed, type JsonSource } from './json-document.ts';

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

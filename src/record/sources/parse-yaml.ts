import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { showUrl } from '../../io/http/error.ts';
import { toLine } from '../../core/text.ts';
import { expectFewParts } from './elements.ts';
import { SourceError } from './source.ts';

/**
 * A YAML document as objects in which every value is a text: with YAML's own types, the version 1.10 would be the number
 * 1.1. Aliases are refused, because a few of them can expand without end and no document we read needs one.
 */
export function parseYaml(url: string, text: string): unknown {
  expectFewParts(url, text, /[\n,[{]/g, 2_000_000);
  try {
    return load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark ? ` (line ${error.mark.line + 1})` : '';
    throw new SourceError(`${showUrl(url)}: cannot be read as YAML: ${toLine(error.reason, 200)}${line}`, {
      cause: error,
    });
  }
}

import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { showUrl } from '../http/error.ts';
import { SourceError } from './source.ts';

/**
 * A YAML document as objects, with every value a text: as YAML's own types, the version 1.10 would be the number 1.1.
 * Aliases are refused: a document we read needs none, and a few of them can unfold without end.
 */
export function parseYaml(url: string, text: string): unknown {
  try {
    return load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark ? ` (line ${error.mark.line + 1})` : '';
    throw new SourceError(`${showUrl(url)}: cannot be read as YAML: ${error.reason}${line}`, {
      cause: error,
    });
  }
}

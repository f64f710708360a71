import jsonata from 'jsonata';
import Range from 'semver/classes/range.js';
import coerce from 'semver/functions/coerce.js';

/** Why a text is no expression of JSONata, as in `transformTemplates` of Renovate's custom datasources; undefined if it is. */
export function findTransformProblem(text: string): string | undefined {
  try {
    jsonata(text);
    return undefined;
  } catch (error) {
    return `expected an expression of JSONata (${describeTransformError(error)})`;
  }
}

/** The message of what JSONata throws: objects, not errors, with the position in the expression from 1. */
export function describeTransformError(error: unknown): string {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const prefix = typeof position === 'number' ? `at character ${position}: ` : '';
  return `${prefix}${typeof message === 'string' ? message : String(error)}`;
}

/**
 * A semver range, read strictly as Renovate does: a loose reading of `>=1.0.0 <2.O.0` would admit every version from 1.0.0 on.
 * Versions are coerced first: `2025.3` is read as 2025.3.0.
 */
export function parseAllowedRange(text: string): ((version: string) => boolean) | undefined {
  let range: Range;
  try {
    range = new Range(text);
  } catch {
    return undefined;
  }
  return (version) => range.test(coerce(version, { loose: true }) ?? '');
}

import jsonata from 'jsonata';
import Range from 'semver/classes/range.js';
import { parseVersion } from './version.ts';

// The texts in a source that other packages read: expressions of JSONata and ranges of semver. They are not with
// the schemas because those import no package but zod.

/** The problem of an expression for `transformTemplates` of Renovate's custom datasources; undefined if JSONata can parse it. */
export function findTransformProblem(text: string): string | undefined {
  try {
    jsonata(text);
    return undefined;
  } catch (error) {
    return `expected an expression of JSONata (${describeTransformError(error)})`;
  }
}

/** The message of an error of JSONata: an object, not an `Error`, with the position in the expression from 1. */
export function describeTransformError(error: unknown): string {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const prefix = typeof position === 'number' ? `at character ${position}: ` : '';
  return `${prefix}${typeof message === 'string' ? message : String(error)}`;
}

/**
 * A range of semver; undefined if it is none. Read strictly, as Renovate does: a loose reading of `>=1.0.0 <2.O.0` would admit every
 * version from 1.0.0 on.
 */
export function parseAllowedRange(text: string): Range | undefined {
  try {
    return new Range(text);
  } catch {
    // The reason of semver is only that the text is invalid.
    return undefined;
  }
}

/**
 * Three digit groups are compared: `2025.3` is read as 2025.3.0. Unlike in Renovate, `>=1.0.0` admits the prerelease `2.0.0-rc.1`, since
 * `prereleases` decides about it, and `2025.03`, whose zero `loose` accepts. No range admits a number that is too large for semver.
 */
export function isInAllowedRange(range: Range, version: string): boolean {
  const parsed = parseVersion(version);
  if (!parsed) {
    return false;
  }

  const [major, minor = 0, patch = 0] = parsed.groups;
  return range.test(`${major}.${minor}.${patch}`);
}

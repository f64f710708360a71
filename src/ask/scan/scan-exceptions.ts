import type { Day } from '../../core/model/dates.ts';
import { pick } from '../../core/model/objects.ts';
import { formatPackage, normalisePackageText } from '../../core/model/package-names.ts';
import { createVersionTest } from '../../core/model/version-range.ts';
import type { ScanException } from '../../core/schemas/definition/scan-rules.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { ScannedItem } from './scan-results.ts';

/**
 * Excepts results that do not satisfy a policy or are unknown, until the last day of an exception. The warnings are about exceptions
 * that have ended or match no result.
 */
export function applyExceptions(
  scanned: readonly ScannedItem[],
  exceptions: readonly ScanException[],
  day: Day,
) {
  const tests = exceptions.map((exception) => ({ exception, matches: createTest(exception) }));
  const used = new Set<ScanException>();
  const results: ScannedItem[] = [];

  for (const result of scanned) {
    const matching: ScanException[] = [];
    for (const { exception, matches } of tests) {
      if (matches(result)) {
        matching.push(exception);
        used.add(exception);
      }
    }
    results.push(applyFirst(matching, result, day));
  }

  return { scanned: results, warnings: listWarnings(exceptions, used, day) };
}

function listWarnings(
  exceptions: readonly ScanException[],
  used: ReadonlySet<ScanException>,
  day: Day,
): string[] {
  const warnings: string[] = [];
  for (const exception of exceptions) {
    const { package: name, versions, policy, reason, until } = exception;
    const subject = `${quote(name)} ${[versions].flat().join(', ')} (${policy})`;
    if (!used.has(exception)) {
      warnings.push(`${subject}: matches no failure; remove the exception or correct it`);
    } else if (until < day) {
      warnings.push(
        `${subject}: ended on ${until} and no longer applies; upgrade, or extend it. Its reason was: ${reason}`,
      );
    }
  }
  return warnings;
}

/** Applies the first exception that has not ended. An ended one is only named in the result. */
function applyFirst(
  matching: readonly ScanException[],
  result: ScannedItem,
  day: Day,
): ScannedItem {
  const valid = matching.find(({ until }) => day <= until);
  const exception = valid ?? matching[0];
  if (!exception) {
    return result;
  }

  const { scan } = result;
  const details = { ...scan.details, exception: pick(exception, ['reason', 'until']) };
  return { ...result, scan: { ...scan, status: valid ? 'excepted' : scan.status, details } };
}

/** A test whether an exception is about a result: about its package, version and policy, and the result is unsatisfied or unknown. */
function createTest(exception: ScanException): (scanned: ScannedItem) => boolean {
  const name = normalisePackageText(exception.package);
  const isOfVersions = createVersionTest(exception.versions);
  return (result) =>
    ['unsatisfied', 'unknown'].includes(result.scan.status) &&
    listExceptionNames(result).includes(name) &&
    result.policy.name === exception.policy &&
    isOfVersions(result.scan.details.version ?? '');
}

/** The names by which an exception may be about a result: the component, also as a package URL, and the package. */
function listExceptionNames({ item: { purl }, scan }: ScannedItem): string[] {
  const { component } = scan.details;
  const names = component === undefined ? [] : [component, `pkg:generic/${component}`];
  return purl ? [...names, formatPackage(purl)] : names;
}

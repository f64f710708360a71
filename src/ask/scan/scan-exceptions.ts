import type { Day } from '../../core/model/dates.ts';
import { pick } from '../../core/model/objects.ts';
import { formatPackage, normalisePackageText } from '../../core/model/package-names.ts';
import { createVersionTest } from '../../core/model/version-range.ts';
import type { ScanException } from '../../core/schemas/definition/scan-rules.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { ScannedItem } from './scan-results.ts';

/** An exception, and whether it is about a result. */
interface ExceptionTest {
  readonly exception: ScanException;
  readonly matches: (result: ScannedItem) => boolean;
}

/**
 * Excepts results that do not satisfy a policy or are unknown, until the last day of an exception. The warnings name the exceptions
 * that have ended, and those that match no such result.
 */
export function applyExceptions(
  scanned: readonly ScannedItem[],
  exceptions: readonly ScanException[],
  day: Day,
) {
  const tests = exceptions.map((exception) => ({ exception, matches: createTest(exception) }));
  return {
    scanned: scanned.map((result) => applyFirst(tests, result, day)),
    warnings: listWarnings(tests, scanned, day),
  };
}

function listWarnings(
  tests: readonly ExceptionTest[],
  scanned: readonly ScannedItem[],
  day: Day,
): string[] {
  const warnings: string[] = [];
  for (const { exception, matches } of tests) {
    const { package: name, versions, policy, reason, until } = exception;
    const subject = `${quote(name)} ${[versions].flat().join(', ')} (${policy})`;
    if (!scanned.some(matches)) {
      warnings.push(`${subject}: matches no failure; remove the exception or correct it`);
    } else if (until < day) {
      warnings.push(
        `${subject}: ended on ${until} and no longer applies; upgrade, or extend it. Its reason was: ${reason}`,
      );
    }
  }
  return warnings;
}

/** Applies the first exception about a result that has not ended. An ended one is only named in the result. */
function applyFirst(tests: readonly ExceptionTest[], result: ScannedItem, day: Day): ScannedItem {
  const matching = tests.filter(({ matches }) => matches(result));
  const valid = matching.find(({ exception }) => day <= exception.until);
  const applied = valid ?? matching[0];
  if (!applied) {
    return result;
  }

  const { scan } = result;
  const details = { ...scan.details, exception: pick(applied.exception, ['reason', 'until']) };
  return { ...result, scan: { ...scan, status: valid ? 'excepted' : scan.status, details } };
}

const exceptedStatuses: readonly string[] = ['unsatisfied', 'unknown'];

/** Makes a test whether an exception names the package, the version and the policy of a result that may be excepted. */
function createTest(exception: ScanException): ExceptionTest['matches'] {
  const { versions } = exception;
  const name = normalisePackageText(exception.package);
  const isOfVersions = createVersionTest(versions);
  return (result) => {
    const { status, details } = result.scan;
    return (
      exceptedStatuses.includes(status) &&
      listItemNames(result).includes(name) &&
      result.policy.name === exception.policy &&
      // An item may have no version, or only a range.
      (details.version === undefined ? versions === '*' : isOfVersions(details.version))
    );
  };
}

/** The names that an exception may have for an item: as written, its component, also as a package URL, and its package. */
function listItemNames({ item: { name, purl }, scan }: ScannedItem): (string | undefined)[] {
  const { component } = scan.details;
  const componentUrl = component && `pkg:generic/${component}`;
  return [name, component, componentUrl, purl && formatPackage(purl)];
}

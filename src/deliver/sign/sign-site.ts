import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import type { ReleaseFile } from '../../core/schemas/published/release-documents.ts';
import {
  predicatePath,
  statementType,
  type ReleaseStatement,
  type StatementBundle,
} from '../../core/schemas/published/statement.ts';
import { countEvents } from '../../io/files/recorded-files.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { saveIfChanged } from '../../io/files/save.ts';
import { readStatements } from '../../record/journal/record-statements.ts';
import { readDefinition } from '../../record/read-definition.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { fillPath, statementsPath } from '../../site/render/paths.ts';
import { signStatement } from './dsse.ts';
import { signFile, type SigningKey } from './minisign.ts';

interface SignInput {
  root: Root;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** The day that the site was built for. */
  asOf: Day;
  /** The folder of the site. The caller has built it from the files of the root, or compared the digest of those. */
  out: string;
  key: SigningKey;
}

/** Signs the recorded statements about releases, then the list of digests. */
export function signSite(input: SignInput): void {
  const { root, baseUrl, asOf, out, key } = input;

  for (const component of listComponents(root).names) {
    const { renamedFrom = [] } = unwrapResult(readDefinition(root, component));
    const names = [...renamedFrom, component];
    const bundles = signReleases(input, component, names);
    for (const name of names) {
      const path = join(out, fillPath(statementsPath, name));
      if (bundles.length === 0) {
        rmSync(path, { force: true });
      } else {
        saveIfChanged(path, bundles.map((bundle) => `${JSON.stringify(bundle)}\n`).join(''));
      }
    }
  }

  const list = readFileSync(join(out, digestsFile));
  const events = countEvents(root, asOf);
  const comment = formatComment(baseUrl, asOf, events);
  saveIfChanged(join(out, signatureFile), signFile(list, key, comment));
}

/** Signs the recorded statements about listed releases, oldest first. `names`: of the component, oldest first. */
function signReleases(
  { root, out, baseUrl, key }: SignInput,
  component: string,
  names: readonly string[],
): StatementBundle[] {
  const recorded = names.flatMap((name) => unwrapResult(readStatements(root, name)).values);
  if (recorded.length === 0) {
    return [];
  }

  const file = readFileSync(join(out, `${component}.json`), 'utf8');
  const { releases } = JSON.parse(file) as ReleaseFile;
  const versions = new Set(releases.map(({ version }) => version));
  const predicateType = `${baseUrl}/${predicatePath}`;
  const listed = recorded.filter(({ predicate }) => versions.has(predicate.version));
  return listed.map(({ subject, predicate }) => {
    const statement: ReleaseStatement = { _type: statementType, subject, predicateType, predicate };
    return signStatement(statement, key);
  });
}

/**
 * The trusted comment of a signature, with the number of events in all journals. The signature covers it, so neither an old list nor
 * the list of another index passes as this one.
 */
function formatComment(baseUrl: string, asOf: Day, events: number): string {
  return `SHA256SUMS of ${baseUrl} as of ${asOf} with ${events} events`;
}

/** The facts with which such a comment begins; undefined for any other comment. */
export function readComment(comment: string) {
  const [, baseUrl, asOf, events] =
    /^SHA256SUMS of (\S+) as of (\d{4}-\d{2}-\d{2}) with (\d+) events\b/.exec(comment) ?? [];
  return baseUrl === undefined || asOf === undefined
    ? undefined
    : { baseUrl, asOf, events: Number(events) };
}

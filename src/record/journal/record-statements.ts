import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import { isCommitId } from '../../core/model/digest.ts';
import { dropEmpty, dropUndefined } from '../../core/model/objects.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { RecordedStatement } from '../../core/schemas/published/statement.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import type { Component } from '../../decide/component.ts';
import type { JudgedLine, JudgedRelease } from '../../decide/judge.ts';
import type { ReadResult } from '../../io/files/read-documents.ts';
import { readLines, type Lines } from '../../io/files/read-lines.ts';
import { statementsFile, type Root } from '../../io/files/root.ts';
import { appendLines } from '../../io/files/save.ts';

/** The index's recorded statements about a component's releases. */
export function readStatements(
  root: Root,
  component: string,
): ReadResult<Lines<RecordedStatement>> {
  const file = statementsFile(component);
  return readLines(join(root.dir, file), file, RecordedStatement);
}

/**
 * Appends a statement for each release with digests, unless its last statement under the component's name has the same facts or
 * is of the same day.
 */
export function recordStatements(root: Root, component: Component, day: Day): Finding[] {
  const { name } = component;
  const { value, findings } = readStatements(root, name);
  if (!value) {
    return findings;
  }

  const lastByVersion = new Map(value.values.map((each) => [each.predicate.version, each]));
  const statements: RecordedStatement[] = [];
  for (const line of component.judgement.lines) {
    for (const release of line.releases) {
      const statement = createStatement(component, line, release, day);
      if (statement && !isRepeated(statement, lastByVersion.get(release.version))) {
        statements.push(statement);
      }
    }
  }

  if (statements.length > 0) {
    appendLines(join(root.dir, statementsFile(name)), value, statements);
  }

  return findings;
}

function createStatement(
  { name }: Component,
  line: JudgedLine,
  release: JudgedRelease,
  on: Day,
): RecordedStatement | undefined {
  const subject = listSubjects(release.recorded);
  if (subject.length === 0) {
    return undefined;
  }

  const end = findLastFreePhase(line.phases);
  const { version } = release;
  const sources = listSourcesListing(release.recorded);

  return {
    subject,
    predicate: dropUndefined({
      id: `${name}/${version}/${on}`,
      component: name,
      version,
      on,
      line: line.name,
      releaseTimestamp: release.releaseTimestamp,
      timestampKind: release.timestampKind,
      state: release.state,
      supportedUntil: end?.until,
      supportedUntilAtMost: end?.untilAtMost,
      inferred: line.inferred,
      sources: dropEmpty(sources),
    }),
  };
}

/** The recorded artifacts of a release, each with its digests in hexadecimal digits, by algorithm. */
function listSubjects({ digests = {} }: RecordedRelease): RecordedStatement['subject'] {
  const subjects: RecordedStatement['subject'] = [];

  for (const [source, artifacts] of Object.entries(digests)) {
    for (const [name, text] of Object.entries(artifacts)) {
      const digest = text.split(' ').map((each) => {
        const [algorithm, value] = each.split(':');
        return [isCommitId(source, each) ? 'gitCommit' : algorithm, value] as [string, string];
      });
      subjects.push({ name, digest: Object.fromEntries(digest) });
    }
  }

  return subjects;
}

/** Whether the last statement on the release has the same facts, or is of the same day: one a day is enough. */
function isRepeated(
  { subject, predicate }: RecordedStatement,
  last: RecordedStatement | undefined,
): boolean {
  if (!last) {
    return false;
  }

  const { id, on } = last.predicate;
  return (
    predicate.id === id || isDeepStrictEqual({ subject, predicate: { ...predicate, id, on } }, last)
  );
}

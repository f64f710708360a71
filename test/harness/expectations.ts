import { expect } from 'vitest';
import { news, today, type Outcome } from './gathering.ts';

/** Nothing of the answer was taken, nothing recorded was lost, and the message says whose it is, why, and what was kept. */
export function expectFailed(outcome: Outcome, reason: RegExp): void {
  const id = outcome.sources[0]!.id;
  expect(outcome.releases).toEqual(outcome.before);
  expect(outcome.changes).toEqual([]);
  expect(outcome.sources).toMatchObject([
    { id, kind: 'failed', reason: expect.stringMatching(reason) },
  ]);
  expect(outcome.messages).toHaveLength(1);
  expect(outcome.messages[0]).toMatch(reason);
  expectSubject(outcome.messages[0]!, id);
  expect(outcome.messages[0]).toMatch(/ Recorded data stays\.$/);
  expect(outcome.messages[0]).not.toMatch(/\n|Error:|undefined|\[object/);
}

/** A message begins with the component and the source; an address that a source is named by follows in the message itself. */
function expectSubject(message: string, id: string): void {
  const subjects = [id, id.replace(/:https?:.*/, '')];
  expect(subjects.map((subject) => `svc (${subject}): `)).toContain(
    /^svc \(\S+\): /.exec(message)?.[0],
  );
}

/** The recorded releases as they were, and the new one with the day that upstream states, if it states any. */
export function expectUpdated(outcome: Outcome): void {
  expect(outcome.messages).toEqual([]);
  expect(outcome.releases).toEqual([...outcome.before, { ...outcome.added, firstSeen: today }]);
  expect(outcome.changes).toEqual([{ kind: 'new', version: news.version, detail: '' }]);
}

export function versionsOf({ releases }: { releases: readonly { version: string }[] }): string[] {
  return releases.map(({ version }) => version);
}

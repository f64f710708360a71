import { expect, it } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import type { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import { formatFinding } from '../../../../src/core/schemas/finding.ts';
import type { PublishedChange } from '../../../../src/core/schemas/published/changes-file.ts';
import type { Run } from '../../../../src/core/schemas/recorded/runs.ts';
import {
  openChangeLog,
  renderBuildFiles,
} from '../../../../src/site/render/documents/change-log.ts';
import { changeLogOf, componentOf, recordedBy } from '../sites.ts';

/** A release a day, recorded seventy at a time. */
function journalOf(name: string): JournalEvent[] {
  const releases = Array.from({ length: 700 }, (_, index) => ({
    version: `1.${index}`,
    firstSeen: addDays('2024-06-01', index),
  }));
  let journal: JournalEvent[] = [];
  for (let count = 1; count <= releases.length; count += 70) {
    const day = releases[count - 1]!.firstSeen;
    journal = recordedBy(componentOf(releases.slice(0, count), {}, { name, day }), journal);
  }
  return journal;
}

it('changes.json has the newest 1,000 changes, and the files of years have all, newest first', () => {
  const journals = ['b', 'c', 'a'].map(journalOf);
  const log = changeLogOf(...journals);

  const files = Array.from(log.yearFiles(), ({ path, body }) => ({
    path,
    changes: (JSON.parse(String(body)) as { changes: PublishedChange[] }).changes,
  }));
  files.sort((a, b) => (a.path < b.path ? 1 : -1));
  const told = files.flatMap(({ changes }) => changes);
  expect(files.map(({ path }) => path)).toEqual([
    'changes/2026.json',
    'changes/2025.json',
    'changes/2024.json',
  ]);
  expect(told).toHaveLength(journals.flat().length);
  const places = told.map(
    ({ at, id }) => `${at} ${id.split('/')[0]} ${id.split('/')[1]!.padStart(5)}`,
  );
  expect(places).toEqual(places.toSorted().reverse());
  expect(log.newest().changes).toEqual(told.slice(0, 1000));
});

it('warns of the changes and the runs that do not fit into the file of their year', () => {
  const text = 'x'.repeat(2 ** 20);
  const at = '2026-06-30T00:00:00.000Z';
  const entries = Array.from({ length: 22 }, (_, index) => ({ id: `svc/${index + 1}`, at, text }));
  const log = openChangeLog();
  log.add(entries as unknown as PublishedChange[], []);

  const [changesFile] = log.yearFiles();
  const [buildsFile] = renderBuildFiles(entries as unknown as Run[]);

  const { changes } = JSON.parse(String(changesFile!.body)) as { changes: PublishedChange[] };
  expect(changes.map(({ id }) => id)).toEqual(
    Array.from({ length: 19 }, (_, index) => `svc/${22 - index}`),
  );
  expect(changesFile!.findings.map(formatFinding)).toEqual([
    'changes/2026.json: leaves out the oldest 3 of 22 changes, because they exceed 20 MiB',
  ]);
  expect(buildsFile!.findings.map(formatFinding)).toEqual([
    'builds/2026.json: leaves out the oldest 3 of 22 builds, because they exceed 20 MiB',
  ]);
  expect(renderBuildFiles(entries.slice(0, 19) as unknown as Run[])[0]!.findings).toEqual([]);
});

it('says from which day on every change is listed, even if entries are joined', () => {
  const listChanges = (count: number) => {
    const log = openChangeLog();
    const entries = Array.from({ length: count }, (_, index) => ({
      id: `svc/${count - index}`,
      component: 'svc',
      at: `${addDays('2026-03-01', -Math.floor(index / 2))}T00:00:00.000Z`,
      type: index < 2 ? ('added' as const) : ('released' as const),
      text: '',
      headline: '',
    }));
    log.add([], entries);
    const { entries: listed, entriesFrom } = log.newest();
    return { count: listed.length, from: entriesFrom };
  };

  expect(listChanges(999)).toEqual({ count: 998, from: undefined });
  expect(listChanges(1100)).toEqual({ count: 999, from: addDays('2026-03-01', -498) });
});

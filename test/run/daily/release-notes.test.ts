import { expect, onTestFinished, test } from 'vitest';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition, readJsonIn } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

const hostile =
  '## Changes\n\n<b onclick="alert(1)">Faster</b> \u202e[starts](javascript:alert).\n\nMore.';
const listed = [
  { tag_name: '1.0.0', published_at: '2026-05-01T08:00:00Z', body: 'First release.' },
];

test('the first words of release notes are recorded once, and Changes shows them as text', async () => {
  const server = await startUpstream(
    () => (request, response) =>
      serve(new Map([['/repos/example/agent/releases?per_page=100', json(listed)]]))(
        request,
        response,
      ),
  );
  onTestFinished(() => server.close());
  const index = openIndexInGit();
  const source = {
    datasource: 'github-releases',
    packageName: 'example/agent',
    registryUrl: server.url,
  };
  index.root.write('components/agent.json', definition({ title: 'Agent', sources: [source] }));
  index.commit();
  const readNotes = () =>
    readJsonIn<DetailsFile>(index.served, 'details/agent.json').releases.map(
      ({ version, notes }) => [version, notes],
    );

  await index.run('daily', '2026-06-01');
  listed.push({ tag_name: '1.1.0', published_at: '2026-06-02T02:00:00Z', body: hostile });
  await index.run('daily', '2026-06-02');
  const notes = readNotes();
  listed[1]!.body = 'Other words.';
  await index.run('daily', '2026-06-03');

  expect(notes).toEqual([
    ['1.0.0', 'First release.'],
    ['1.1.0', 'Faster starts.'],
  ]);
  expect(readNotes()).toEqual(notes);
  expect(index.live('changes.html')).toMatch(/1\.1\.0<\/a>.*<bdi>Faster starts\.<\/bdi>/);
  expect(index.live('changes.html')).not.toContain('alert');
});

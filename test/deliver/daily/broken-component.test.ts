import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

test('a broken definition keeps the day from publishing, but not from recording what the others found', async () => {
  const registry = await npmRegistry({ agent: { '1.0.0': {} } });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({
    'components/svc.json': definition({ sources: [source] }),
    'components/broken.json': '{ "title": }',
    '.gitignore': 'dist/\n.cache/\n',
  });
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');

  const day = await run(['daily', '--skip-publish', '--root', root]);

  expect(day.status).toBe(1);
  expect(day.stderr).toContain('error: components/broken.json: not JSON: ');
  expect(git('show', 'HEAD:data/svc.json')).toContain('"1.0.0"');
  expect(readJsonIn(root, '.cache/daily.json')).toMatchObject({
    isBuilt: false,
    attention: [{ kind: 'input', subject: 'components/broken.json' }],
  });
});

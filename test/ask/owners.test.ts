import { expect, test } from 'vitest';
import { findOwners, listOwners } from '../../src/ask/owners.ts';
import { readQuestion } from '../../src/ask/question.ts';
import { judgeComponents, renderFiles } from '../harness/components.ts';

test('an alias for a Maven group matches each artifact of the group, except artifacts that another component names', () => {
  const agent = { datasource: 'maven', packageName: 'com.example:agent' };
  const files = renderFiles(
    judgeComponents({
      platform: { definition: { aliases: ['pkg:maven/Com.Example/*'] } },
      agent: { definition: { sources: [agent] } },
    }),
  );
  const names = listOwners(JSON.parse(files.get('status.json')!));
  const find = (text: string) =>
    findOwners({ name: text }, names).map(({ component }) => component);

  expect(find('pkg:maven/com.example/core@1.0')).toEqual(['platform']);
  expect(find('pkg:maven/com.example/agent@1.0')).toEqual(['agent']);
  expect(find('pkg:maven/com.example.other/core@1.0')).toEqual([]);
  expect(find('pkg:npm/com.example/core@1.0')).toEqual([]);
  expect(JSON.parse(files.get('details/platform.json')!)).toMatchObject({ packages: [] });
  expect(files.get('renovate.json')).not.toMatch(/example[/:]\*/i);
});

test.each([
  ['cache.example.com/hub/team/worker:3.1', 'worker'],
  ['localhost:5000/hub/library/nginx:1.24.0', 'nginx'],
  ['hub/worker:3.1', undefined],
  [`hub${'/a'.repeat(9)}/team/worker:3.1`, 'worker'],
  // Each part of the path costs time. No real mirror adds more than ten parts.
  [`hub${'/a'.repeat(10)}/team/worker:3.1`, undefined],
  ['WORKER of ours@3.1', 'worker'],
  ['the NGINX 1.24.0', 'nginx'],
  // Terms of a query are not names of components.
  ['repository:https://git.example.com/team/worker', undefined],
  ['package:hub/team/worker isLatest', undefined],
])('reads %j as a question about the component %s', (text, component) => {
  const packages = { worker: 'docker/team/worker', nginx: 'docker/nginx' };
  const components = Object.entries(packages).map(([name, purl]) => [
    name,
    { title: `The ${name}`, aliases: [`${name} of Ours`], packages: [{ purl: `pkg:${purl}` }] },
  ]);
  const names = listOwners({ components: Object.fromEntries(components) });
  const item = readQuestion(text, names);

  expect(item && findOwners(item, names)[0]?.component).toBe(component);
});

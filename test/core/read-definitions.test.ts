import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  readDefinitions,
  readSettings,
  requireDefinitions,
} from '../../src/core/read-definitions.ts';
import { joinSubject } from '../../src/core/text.ts';
import { writeFiles } from '../harness/components.ts';
import { program } from '../harness/example.ts';
import { createFolder, links, usualSettings } from '../harness/index-folder.ts';

const definition = { title: 'Agent', ...links, sources: [] };

const makeIndex = (files: Readonly<Record<string, string | object>>) =>
  writeFiles({ 'site/site.json': usualSettings, ...files });

test('a folder without site/site.json is rejected', () => {
  expect(() => readSettings(createFolder())).toThrow(
    'site/site.json is missing. Is this the folder of an index? Name another by --root',
  );
  expect(() => readSettings(join(program, 'test'))).toThrow(
    `site/site.json is missing. The index is in ${program}. Change to this folder, or add: --root ${program}`,
  );
});

test('reads definitions in the order of their names, and fills in the defaults from the settings', () => {
  const { homepage, changelogUrl, ...short } = definition;
  const defaults = {
    homepage: `${homepage}/{component}`,
    changelogUrl,
    support: { policy: 'term', months: 18 },
  };
  const root = makeIndex({
    'site/site.json': { ...usualSettings, defaults },
    'components/svc.json': { ...definition, support: { policy: 'none' } },
    'components/agent.json': short,
    'components/README.md': 'not a definition',
  });

  const definitions = requireDefinitions(root, readSettings(root));

  expect([...definitions]).toEqual([
    ['agent', { ...definition, homepage: `${homepage}/agent`, support: defaults.support }],
    ['svc', { ...definition, support: { policy: 'none' } }],
  ]);
});

test.each([
  ['components', '/'],
  ['data/journal', '/'],
  ['data/._svc.json', '/proc/self/environ'],
  ['site/statements/config', '../../.git/config'],
  ['site/._x', '../../.git/config'],
  ['program/release-index-1.0.0.tgz', '../.git/config'],
  ['.cache', '../victim'],
  ['.cache/http', '../../victim'],
  ['.cache/http/._x', '/proc/self/environ'],
  ['.cache/lock', '../../x'],
  ['.access', '../outside'],
  ['.access/keys.json', '../../outside'],
])('readSettings rejects a symbolic link at the path %s, and names the path', (path, target) => {
  const root = makeIndex({});
  mkdirSync(join(root, path, '..'), { recursive: true });
  symlinkSync(target, join(root, path));

  expect(() => readSettings(root)).toThrow(`${path} is a symbolic link. Put the file itself there`);
});

test('readDefinitions reports each symbolic link in components/, and still reads the other definitions', () => {
  const root = makeIndex({ 'components/svc.json': definition });
  for (const name of ['x.json', '._y.json', 'notes', 'svc.bak']) {
    symlinkSync('/proc/self/environ', join(root, 'components', name));
  }

  const { definitions, problems } = readDefinitions(root, readSettings(root));

  expect(problems).toEqual(
    ['x.json', '._y.json', 'notes', 'svc.bak'].map((name) => {
      return {
        subject: `components/${name}`,
        message: 'is a symbolic link. Put the file itself there',
      };
    }),
  );
  expect([...definitions.keys()]).toEqual(['svc']);
});

test('readDefinitions reports the problems of all definitions at once, and reads the valid definitions', () => {
  const root = makeIndex({
    'components/svc.json': definition,
    'components/Agent.json': definition,
    'components/mine.json': definition,
    'components/a.json': '{',
    'components/b.json': { ...definition, titel: 'B', title: '' },
    'components/f.json/x': '',
    'components/c.json': { ...definition, replacedBy: 'nobody', renamedFrom: ['svc', 'status'] },
    'components/d.json': { ...definition, replacedBy: 'd' },
    'components/e.json': { ...definition, replacedBy: 'svc', renamedFrom: ['former'] },
    'components/h.json': { ...definition, aliases: ['Former', 'E'] },
    'components/i.json': { ...definition, splitInto: ['e', 'i', 'nobody', 'e'] },
    'components/j.json': { ...definition, splitInto: ['e', 'i'], replacedBy: 'e' },
  });

  const { definitions, problems } = readDefinitions(root, readSettings(root));

  expect(problems.map(({ subject, message }) => joinSubject(subject, message))).toEqual([
    'components/Agent.json: expected a name of lower-case letters, digits and hyphens; got "Agent"',
    expect.stringContaining('components/a.json is not JSON: '),
    'components/b.json: title: expected one line of text; got ""',
    'components/b.json: unknown key "titel"; did you mean title?',
    'components/f.json: expected a file; got a folder',
    'components/mine.json: the name "mine" belongs to a published path',
    'components/c.json: renamedFrom: the name "status" belongs to a published path; got "status"',
    'components/c.json: replacedBy: expected another component; got "nobody"',
    'components/d.json: replacedBy: expected another component; got "d"',
    'components/i.json: splitInto[1]: expected another component, each once; got "i"',
    'components/i.json: splitInto[2]: expected another component, each once; got "nobody"',
    'components/i.json: splitInto[3]: expected another component, each once; got "e"',
    'components/j.json: expected either replacedBy or splitInto, not both',
    'components/c.json: several components share the name "svc": c, svc',
    'components/h.json: several components share the name "e": e, h',
    'components/h.json: several components share the name "former": e, h',
  ]);
  expect(definitions.has('svc') && definitions.has('e')).toBe(true);
  expect(() => requireDefinitions(root, readSettings(root))).toThrow(
    'components/a.json is not JSON',
  );
});

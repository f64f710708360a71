import { expect, it } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { readDefinition } from '../../src/record/read-definition.ts';
import { createRoot, definition, readJsonIn } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';

const defaults = {
  homepage: 'https://docs.example.com/{component}/',
  changelogUrl: 'https://git.example.com/{component}/-/releases',
  support: { policy: 'term', months: 12 },
};

function rootWithDefaults(changes: object = {}) {
  const root = createRoot({ defaults: { ...defaults, ...changes } });
  root.write('components/lib.json', { title: 'Library', sources: [] });
  root.write('data/lib.json', { releases: [{ version: '1.0', releaseTimestamp: '2026-01-10' }] });
  root.write('components/own.json', definition({ support: { policy: 'none' } }));
  return root;
}

it('reads a definition with inherited defaults of the site, and keeps stated values', () => {
  const root = openRoot(rootWithDefaults().dir, checkout);

  expect(readDefinition(root, 'lib')).toEqual({
    value: {
      title: 'Library',
      sources: [],
      homepage: 'https://docs.example.com/lib/',
      changelogUrl: 'https://git.example.com/lib/-/releases',
      support: { policy: 'term', months: 12 },
    },
    inherited: ['homepage', 'changelogUrl', 'support'],
    findings: [],
  });
  expect(readDefinition(root, 'own')).toMatchObject({
    value: { homepage: 'https://example.com/', support: { policy: 'none' } },
    inherited: [],
  });
});

it('accepts plain http for the hosts that the site names, and no others', async () => {
  const registries = ['http://nexus.corp.example/npm/', 'http://other.corp.example/npm/'];
  const sources = registries.map((registryUrl) => ({
    datasource: 'npm',
    packageName: 'a',
    registryUrl,
  }));
  const root = createRoot({ plainHttpHosts: ['nexus.corp.example'] });
  root.write('components/own.json', definition({ sources }));

  const { status, stderr } = await runHere(['check', '--root', root.dir]);

  expect(status).toBe(1);
  expect(stderr).toContain(
    'components/own.json: sources[1].registryUrl: expected an https: address (plain http: for loopback, and for plainHttpHosts of site/site.json); got "http://other.corp.example/npm/"',
  );
  expect(stderr).not.toContain('sources[0]');
});

it('builds, checks and explains inherited values like stated ones', async () => {
  const root = rootWithDefaults();
  const verb = (...args: string[]) => runHere([...args, '--root', root.dir]);

  const checked = await verb('check', '--as-of', '2026-06-01');
  const explained = await verb('explain', 'lib', '--as-of', '2026-06-01');
  const built = await verb('build', '--as-of', '2026-06-01');

  expect(explained.stdout).toContain(
    'Inherited from site/site.json: homepage, changelogUrl, support.\n',
  );
  expect([checked.status, built.status]).toEqual([0, 0]);
  expect(readJsonIn(root.out, 'lib.json')).toMatchObject({
    homepage: 'https://docs.example.com/lib/',
    releases: [{ version: '1.0', isDeprecated: false }],
  });
});

it('reports values missing in the definition and the site, and a default that fits no component', async () => {
  const root = rootWithDefaults({ homepage: undefined });

  const missing = await runHere(['check', '--root', root.dir]);
  root.configure({
    defaults: {
      changelogUrl: 'https://git.example.com/{name}',
      support: { policy: 'dated', lines: { '1': '2026-01-01' } },
    },
  });
  const wrong = await runHere(['check', '--root', root.dir]);
  root.configure({
    defaults: { support: { policy: 'term', months: 18, lines: { '1': '2026-01-01' } } },
  });
  const withLines = await runHere(['check', '--root', root.dir]);

  expect(missing.stderr).toContain(
    'error: components/lib.json: homepage: expected string; got nothing, and it is required\n',
  );
  expect(wrong.stderr).toContain(
    'site/site.json: defaults.changelogUrl: expected no placeholder but {component}',
  );
  expect(wrong.stderr).toContain(
    'site/site.json: defaults.support: expected none, term or latest-lines, without days of single lines; got {"policy":"dated"',
  );
  expect(withLines.stderr).toContain(
    'site/site.json: defaults.support: expected none, term or latest-lines, without days of single lines; got {"policy":"term"',
  );
});

it('rejects a coordinate of any form', () => {
  const root = createRoot();
  const packageName = { toString: 1 };
  root.write('components/own.json', definition({ sources: [{ datasource: 'npm', packageName }] }));

  const { findings } = readDefinition(openRoot(root.dir, checkout), 'own');

  expect(findings).toMatchObject([
    { message: expect.stringMatching(/^sources\[0\]\.packageName: expected/) as string },
  ]);
});

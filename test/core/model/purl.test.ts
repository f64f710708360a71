import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildEntry, uniqueEntries } from '../../../src/ask/texts/items.ts';
import { formatPurl, joinPackage, parsePurl } from '../../../src/core/model/purl.ts';

test.each([
  ['pkg:npm/%40Example/edge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:npm/%40example%2Fedge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:npm/@example/edge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:npm/@example/edge-node', 'pkg:npm/%40example/edge-node', undefined],
  [
    'pkg:maven/com.Example/build-agent@3.9?type=jar#META-INF',
    'pkg:maven/com.Example/build-agent',
    '3.9',
  ],
  ['pkg:pypi/My_Kit..Tools@2.0', 'pkg:pypi/my-kit-tools', '2.0'],
  ['pkg:docker/library/nginx@1.29', 'pkg:docker/nginx', '1.29'],
  ['pkg:docker/example/svcctl@sha256%3Aab12', 'pkg:docker/example/svcctl', 'sha256:ab12'],
  ['pkg:helm/server@2026.1', 'pkg:helm/server', '2026.1'],
  ['pkg:github/Example/Edge-Node@v1.0', 'pkg:github/example/edge-node', 'v1.0'],
  ['pkg:gitlab/Group/Sub/Project@v1.0', 'pkg:gitlab/group/sub/project', 'v1.0'],
  ['pkg:golang/github.com/Example/kit/v2@v2.1.0', 'pkg:golang/github.com/example/kit/v2', 'v2.1.0'],
  ['pkg:nuget/Example.Kit@1.0.0', 'pkg:nuget/example.kit', '1.0.0'],
  ['pkg:cargo/kit_core@1.0.0', 'pkg:cargo/kit_core', '1.0.0'],
  ['pkg:generic/svc@2025.1', 'pkg:generic/svc', '2025.1'],
  ['PKG://NPM//kit//@1.0%2Bbuild', 'pkg:npm/kit', '1.0+build'],
  ['pkg:generic/__proto__@1.0', 'pkg:generic/__proto__', '1.0'],
])('the reader of package URLs reads %s', (text, name, version) => {
  const purl = parsePurl(text)!;

  expect(joinPackage(purl)).toBe(name);
  expect(purl.version).toBe(version);
});

test.each([
  'npm/kit@1.0',
  'pkg:npm',
  'pkg:npm/',
  'pkg:/kit@1.0',
  'pkg:n_m/kit@1.0',
  'pkg:npm/kit@%zz',
  'pkg:npm/a%2Fb/c@1.0',
  'pkg:npm/kit @1.0',
  'pkg:npm/kit@1.0\u0000',
  'pkg:npm/\ud800@1',
  '',
])('the reader of package URLs refuses %j', (text) => {
  expect(parsePurl(text)).toBeUndefined();
});

const texts = fc.string({
  unit: fc.constantFrom('\ud800', '\udfff', '%', '@', '/', 'a', '1', '.', '?', '😀'),
});

test('any text is a package URL that can be written, or none', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const purl = parsePurl(`pkg:npm/${text}`);
      if (!purl) {
        return;
      }
      expect(joinPackage(purl)).toMatch(/^pkg:npm\//);
      expect(parsePurl(formatPurl(purl))).toEqual(purl);
    }),
    { numRuns: 2000 },
  );
});

test('any name, version and package URLs are an entry', () => {
  const purls = fc.array(texts.map((text) => `pkg:npm/${text}`));
  fc.assert(
    fc.property(texts, fc.option(texts, { nil: undefined }), purls, (name, version, purls) => {
      const entry = buildEntry({ name, version, purls });
      expect(uniqueEntries([entry, entry])).toEqual([entry]);
    }),
    { numRuns: 2000 },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { pageScripts, readPageScript } from '../../src/site/page-scripts.ts';
import { definition } from '../harness/root.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../harness/site.ts';

const names = Object.keys(pageScripts);
const scriptOf = (name: string) => readFileSync(join(siteOfFixtureIndex(), 'assets', name));

it.each(names)('%s runs no code from texts, and names no other host', (name) => {
  const script = scriptOf(name).toString();

  // The names of the forms that documents have; and a method of the engine, with the address in its licence.
  const named = script
    .replaceAll(/https?:[^'"`]*(?:json-schema|spdx)/g, (text) =>
      /more|plan/.test(name) ? '' : text,
    )
    .replaceAll(/[.}]eval\(|https:\/\/github\.com\/le0pard\/re2js/g, (text) =>
      name === 'expressions.js' ? '' : text,
    );
  expect(named).not.toMatch(
    /\beval\b|\bFunction\(|\binnerHTML\b|https?:\/\/(?!www\.w3\.org\/2000\/svg)\w/,
  );
  expect(script).toBe(Buffer.from(readPageScript(pageScripts[name]!)).toString());
});

it.each(names)('%s imports only scripts of the pages', (name) => {
  const imported = Array.from(
    scriptOf(name)
      .toString()
      .matchAll(/\bimport(?:\(|[^"'()]*from)"([^"]+)"/g),
    ([, path]) => path,
  );

  expect(imported.filter((path) => !names.includes(path!.replace('./', '')))).toEqual([]);
});

it.each([
  ['site.js', 5_100],
  ['ask.js', 22_600],
  ['more.js', 43_500],
  ['plan.js', 32_800],
  ['expressions.js', 47_000],
])('%s has at most %i bytes, compressed', (name, most) => {
  const { length } = gzipSync(scriptOf(name));

  expect(length).toBeGreaterThan(500);
  expect(length).toBeLessThanOrEqual(most);
});

it('the stylesheet has at most 35,700 bytes', () => {
  const bytes = scriptOf('site.css').length;

  expect(bytes).toBeGreaterThan(5000);
  expect(bytes, 'cut a rule of site/styles, or raise the limit and say why').toBeLessThanOrEqual(
    35_700,
  );
});

it('a site has the engine of regular expressions only for a source with an expression', () => {
  const listAssets = (source: object) => {
    const about = definition({ sources: [{ datasource: 'npm', packageName: 'svc', ...source }] });
    return readdirSync(join(siteOf(rootOf({ svc: { definition: about } })), 'assets'));
  };

  expect(listAssets({})).not.toContain('expressions.js');
  expect(listAssets({ extractVersion: '^v(?<version>.+)$' })).toContain('expressions.js');
});

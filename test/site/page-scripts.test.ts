import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { pageScripts, readPageScript } from '../../src/site/page-scripts.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';

const names = Object.keys(pageScripts);
const scriptOf = (name: string) => readFileSync(join(siteOfFixtureIndex(), 'assets', name));

it.each(names)('%s runs no code from texts, and names no other host', (name) => {
  const script = scriptOf(name).toString();

  // The names of the forms that documents have.
  const named = /more|plan/.test(name)
    ? script.replaceAll(/https?:[^'"`]*(?:json-schema|spdx)/g, '')
    : script;
  expect(named).not.toMatch(
    /\beval\b|\bFunction\(|\binnerHTML\b|https?:\/\/(?!www\.w3\.org\/2000\/svg)\w/,
  );
  expect(script).toBe(Buffer.from(readPageScript(pageScripts[name]!)).toString());
});

it.each([
  ['site.js', 5_100],
  ['ask.js', 22_500],
  ['more.js', 43_000],
  ['plan.js', 32_700],
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

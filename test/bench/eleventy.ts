import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreignPackages } from '../harness/install.ts';

/** A generator of static sites that many people use. */
const programs = foreignPackages('eleventy');
const eleventy = programs.add('@11ty/eleventy', '3.1.8');

const data = `const { readdirSync, readFileSync } = require('node:fs');
const folder = process.env.BENCH_DATA;
module.exports = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    name: file.slice(0, -5),
    releases: JSON.parse(readFileSync(folder + '/' + file, 'utf8')).releases,
  }));
`;

const head = (ending: string) => `---
pagination: { data: components, size: 1, alias: component }
permalink: "/{{ component.name }}.${ending}"
---
`;

const page = `${head('html')}<!doctype html>
<html lang="en"><head><title>{{ component.name }}</title></head><body><h1>{{ component.name }}</h1>
<table>{% for release in component.releases %}
<tr id="v{{ release.version }}"><th scope="row">{{ release.version }}</th><td><time datetime="{{ release.releaseTimestamp }}">{{ release.releaseTimestamp }}</time></td></tr>{% endfor %}
</table></body></html>
`;

/**
 * Writes the input of a site that has a page and a JSON document for each component, and nothing else. Returns the program that
 * builds it in `folder`, or undefined if Eleventy cannot be fetched.
 */
export async function writeEleventySite(folder: string): Promise<string | undefined> {
  try {
    await programs.install();
  } catch (error) {
    console.log(`Eleventy is not measured: ${(error as Error).message}`);
    return undefined;
  }

  mkdirSync(join(folder, '_data'), { recursive: true });
  writeFileSync(join(folder, '_data/components.cjs'), data);
  writeFileSync(join(folder, 'page.njk'), page);
  writeFileSync(
    join(folder, 'json.njk'),
    `${head('json')}{{ component.releases | dump | safe }}\n`,
  );

  return join(eleventy.dir, 'cmd.cjs');
}

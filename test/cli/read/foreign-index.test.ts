/** Reads documents that another version of the program wrote, or that are damaged. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/files.ts';
import { parsePublished } from '../../../src/core/schema/documents.ts';
import { runCli } from '../../harness/cli.ts';
import { writeFiles } from '../../harness/components.ts';
import { buildExample } from '../../harness/site.ts';

const others = ['{}', 'null', '[]', '<html>', '{"asOf": "2026-'];

test.each([
  ...['status.json', 'details/svc.json', 'search/0.json', 'policies.json', 'changes/2026.json'],
  'builds/2026.json',
])(
  'parsePublished accepts the file %s with unknown JSON keys, but rejects an invalid file',
  (path) => {
    const addKey = (_: string, value: object) =>
      value?.constructor === Object &&
      (('version' in value && typeof value.version === 'string') ||
        'values' in value ||
        'asOf' in value ||
        'at' in value)
        ? { ...value, keyOfTomorrow: {} }
        : value;
    const newer: unknown = JSON.parse(readFileSync(join(buildExample(), path), 'utf8'), addKey);

    expect(newer).toMatchObject(parsePublished(JSON.stringify(newer), path) as object);
    for (const body of others) {
      expect(() => parsePublished(body, path)).toThrow(/^\S+ (?:cannot be read|is not JSON): .*$/);
    }
  },
);

test.each([
  ['explain svc', 3],
  ['search isLatest', 3],
  ['scan -', 3],
  ['verify --digests-only', 1],
])('"%s" reports in one sentence that status.json cannot be read', async (verb, expected) => {
  const body = '{}';
  const out = writeFiles({ 'status.json': body, SHA256SUMS: `${sha256(body)}  status.json\n` });

  const { status, stderr } = await runCli([...verb.split(' '), '--out', out]);

  expect(stderr).toMatch(/^error: status\.json cannot be read: .*\n$/);
  expect(status).toBe(expected);
});

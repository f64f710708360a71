import { afterEach, expect, it } from 'vitest';
import { evaluateTransform } from '../../../../src/record/sources/shared/evaluate-transform.ts';

const url = 'https://example.com/';
const { execPath } = process;

afterEach(() => {
  process.execPath = execPath;
});

it.each([
  ['calls itself for ever', '($f := function() {$f()}; $f())'],
  [
    'tries every way to match',
    '$contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)',
  ],
])('an endless expression is ended when it %s', async (_, transform) => {
  const task = { document: {}, transform };

  await expect(evaluateTransform(url, task, 300)).rejects.toThrow(
    `${url}: transform: gives no result of at most 50 MB within 0.3 s and 256 MB of memory`,
  );
});

it('a result of more than 50 MB is a problem of its expression', async () => {
  const transform = `$join([1..600000].("${'x'.repeat(100)}"))`;

  await expect(evaluateTransform(url, { document: {}, transform })).rejects.toThrow(
    `${url}: transform: gives no result of at most 50 MB`,
  );
});

it('a document that is nested too deeply is a problem of its source', async () => {
  const depth = 50_000;
  const document: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));

  await expect(evaluateTransform(url, { document, transform: '$' })).rejects.toThrow(
    `${url}: transform: the document is nested too deeply`,
  );
});

it('a process that cannot start is no problem of the expression', async () => {
  process.execPath = '/absent/node';

  await expect(evaluateTransform(url, { document: {}, transform: '1' })).rejects.toThrow('ENOENT');
});

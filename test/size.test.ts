import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';

/** Lines of `src` after the last cut. Lower it when code goes. */
const mostLines = 46_487;

test('the program grows only where somebody decides that it may', () => {
  const folder = join(checkout, 'src');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);

  const remedy = `src has ${lines} lines. Cut something that nobody would miss, or raise the limit in the same commit and say why.`;
  expect(lines, remedy).toBeLessThanOrEqual(mostLines);
});

import { expect, test } from 'vitest';
import { runCli } from '../harness/cli.ts';
import { copyOfFixtureIndex } from '../harness/root.ts';

test('a check during which another site takes the place of this one finds nothing wrong with either', async () => {
  const root = copyOfFixtureIndex();
  const build = (day: string) => runCli(['build', '--root', root, '--as-of', day]);
  await build('2026-11-01');
  let isChecking = true;
  const building = (async () => {
    for (let day = 2; isChecking; day = (day % 28) + 1)
      await build(`2026-11-${String(day).padStart(2, '0')}`);
  })();

  const found: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const { stdout, stderr } = await runCli(['check', '--root', root]);
    found.push(stderr, stdout.replace(/^check: 7 components, 0 errors, 0 warnings\.\n$/, ''));
  }
  isChecking = false;
  await building;

  expect(found.filter((text) => text !== '')).toEqual([]);
});

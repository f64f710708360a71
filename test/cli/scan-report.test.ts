import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fixtureDay } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { removeTemporaryFolders } from '../harness/root.ts';
import { exception, folderWith, scan } from '../harness/scanning.ts';

afterAll(removeTemporaryFolders);

describe('SARIF', () => {
  interface Sarif {
    runs: { results: SarifResult[]; tool: { driver: { rules: { id: string }[] } } }[];
  }
  interface SarifResult {
    ruleId: string;
    ruleIndex: number;
    message: { text: string };
    locations: {
      physicalLocation?: { artifactLocation: { uri: string }; region: { startLine: number } };
    }[];
    suppressions?: object[];
  }

  // https://docs.github.com/en/code-security/reference/code-scanning/sarif-support
  test('of a list, a document and the command line is what GitHub accepts', async () => {
    const bom = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ name: 'svc', version: '2024.1' }],
    };
    const folder = folderWith({ 'list.txt': '# ours\nsvc=2025.1\n', 'bom.json': bom });
    const files = ['list.txt', 'bom.json'].map((name) => join(folder, name));

    const { stdout } = await scan(folder, [...files, 'edge-node@1.0.0', '--sarif']);

    const [{ results, tool }] = (JSON.parse(stdout) as Sarif).runs as [Sarif['runs'][0]];
    expect(results).toHaveLength(3);
    for (const { ruleId, ruleIndex, message, locations } of results) {
      expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
      expect(message.text).not.toBe('');
      expect(locations).toHaveLength(1);
      const { artifactLocation, region } = locations[0]!.physicalLocation!;
      expect(artifactLocation.uri).toMatch(/^(?!\/|[a-z]+:)[^\s\\]+$/);
      expect(region.startLine).toBeGreaterThanOrEqual(1);
    }
    const placed = results.map(({ locations }) => locations[0]!.physicalLocation!);
    expect(placed.map(({ region }) => region.startLine)).toEqual([2, 6, 1]);
    expect(placed[2]!.artifactLocation.uri).toBe('package.json');
    expect(existsSync(placed[2]!.artifactLocation.uri)).toBe(true);
  });

  test('holds an exception as a suppression', async () => {
    const folder = folderWith({ 'own.json': [exception] });

    const { stdout, status } = await scan(folder, [
      ...['svc@2025.1', '--sarif', '--exceptions', join(folder, 'own.json')],
    ]);

    expect(status).toBe(0);
    expect((JSON.parse(stdout) as Sarif).runs[0]!.results).toMatchObject([
      { suppressions: [{ kind: 'external', status: 'accepted', justification: exception.reason }] },
    ]);
  });
});

test('--report says what is used, until when, and what ends next', async () => {
  const folder = folderWith({
    'list.txt': 'svc=2026.3\nsvc=2025.1\nsvc=2025.2\nx=1\nsvcctl=1.20\nsvc=2026.1\nsvc=2024.3|<b>\n',
  });
  const ask = (name: string) => scan(folder, [join(folder, 'list.txt'), '--report', join(folder, name)]);

  await ask('report.md');

  const markdown = readFileSync(join(folder, 'report.md'), 'utf8');
  expect(linesOf(markdown).filter((line) => line.startsWith('#'))).toEqual([
    `# Releases in use on ${fixtureDay}`,
    '## Support has ended',
    '## Support ends within 90 days',
    '## Support ends later',
    '## No end of support is stated',
  ]);
  expect(markdown).toContain(
    '| svc 2025.1 | 2026-10-08 | 7 releases |  | unsatisfied \\(supported\\) | svc 2026.3 |',
  );
  expect(markdown).toContain('7 entries: ');
  expect(markdown).not.toContain('<b>');
});

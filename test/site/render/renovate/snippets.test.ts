import { describe, expect, it } from 'vitest';
import { summarise, type ComponentSummary } from '../../../../src/decide/component-summary.ts';
import type { Definition } from '../../../../src/core/schemas/definition/definition.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import {
  fileSnippetNames,
  renderSiteSnippets,
  renderSnippet,
} from '../../../../src/site/render/renovate/snippets.ts';
import { snippetsOf } from '../../../harness/snippets.ts';
import { componentOf, site } from '../sites.ts';

function summaryOf(...versions: string[]): ComponentSummary {
  return summarise(componentOf(versions.map((version) => ({ version }))));
}

function textOf(id: string, version: string, name = 'edge-node'): string {
  const snippets = snippetsOf(site, summarise(componentOf([{ version }], {}, { name })));
  return snippets.find((snippet) => snippet.id === id)!.text;
}

describe('a snippet', () => {
  it('is only the preset if there is no version to use', () => {
    for (const [releases, definition] of [
      [[], {}],
      [[{ version: '13.1', deprecated: 'Broken' }], {}],
      [[{ version: '14.0-rc1' }], { prereleases: true }],
    ] satisfies [RecordedRelease[], Partial<Definition>][]) {
      const component = summarise(componentOf(releases, definition));

      expect(snippetsOf(site, component).map(({ id }) => id)).toEqual(['renovate-preset']);
      expect(renderSiteSnippets(site, [component]).map(({ id }) => id)).toEqual([
        'renovate-preset',
        'renovate-own',
      ]);
    }
  });

  it('has no version that a shell or a file would misread', () => {
    for (const version of ['1.0 $(touch x)', '1.0"\nRUN x', '1.0`x`', '1.0;x', '2402 CU4']) {
      const snippets = snippetsOf(site, summaryOf(version));

      expect(snippets.filter(({ id }) => fileSnippetNames.includes(id))).toEqual([]);
      expect(snippets.map(({ text }) => text).join('')).not.toContain(version.slice(3));
    }
  });

  it('has the title, the file and the note from its head', () => {
    const snippets = snippetsOf(site, summaryOf('1.0'));

    expect(snippets.find(({ id }) => id === 'workflow')).toMatchObject({
      title: 'GitHub Actions',
      file: '.github/workflows/build.yml',
      note: 'The quotes keep 2026.10 from becoming 2026.1.',
    });
  });

  it('without the line of three hyphens is rejected, not published without its text', () => {
    const snippets = new Map([
      ...site.theme.snippets,
      ['renovate-preset', 'title: Preset\nextends\n'],
    ]);
    const broken = { ...site, theme: { ...site.theme, snippets } };

    expect(() => snippetsOf(broken, summaryOf('1.0'))).toThrow(
      'site/snippets/renovate-preset.hbs: expected lines such as "title: Docker", then the line "---"',
    );
  });

  it('may have line ends of Windows', () => {
    const windows = 'title: Preset\r\nfile: renovate.json\r\n---\r\nextends\r\n---\r\n';
    const snippets = new Map([...site.theme.snippets, ['renovate-preset', windows]]);

    expect(
      renderSnippet({ ...site, theme: { ...site.theme, snippets } }, 'renovate-preset'),
    ).toMatchObject({ title: 'Preset', file: 'renovate.json', text: 'extends\r\n---\r\n' });
  });

  it('has a valid variable for a name that begins with a digit', () => {
    expect(textOf('script', '1.0', '7zip-cli')).toContain('\n_7ZIP_CLI_VERSION=1.0\n');
  });
});

describe('the snippets of a site', () => {
  const image = {
    datasource: 'docker',
    packageName: 'kit',
    registryUrl: 'https://ghcr.io',
  } as const;
  const first = summarise(componentOf([]));
  const second = summarise(componentOf([{ version: '1.7' }], { sources: [image] }));

  it('show a component with a version, and days only for images that need them', () => {
    const snippets = renderSiteSnippets(site, [first, second]);

    expect(snippets.map(({ id }) => id)).toEqual([
      ...['renovate-preset', 'dockerfile', 'workflow', 'renovate-days', 'renovate-own'],
    ]);
    expect(snippets[1]!.text).toContain('1.7');
    expect(renderSiteSnippets(site, [summaryOf('1.7')]).map(({ id }) => id)).not.toContain(
      'renovate-days',
    );
  });
});

describe('a snippet for packages of the index', () => {
  it('exempts each npm package from the waiting time of package managers', () => {
    const sources = ['b', '@example/a'].map((packageName) => ({
      datasource: 'npm' as const,
      packageName,
    }));
    const component = summarise(componentOf([{ version: '1.0' }], { sources }));
    const lists = renderSiteSnippets(site, [component]).filter(({ id }) => id.startsWith('own-'));

    expect(lists.map(({ file }) => file)).toEqual([
      '.npmrc',
      'pnpm-workspace.yaml',
      '.yarnrc.yml',
      '.github/dependabot.yml',
    ]);
    expect(lists[0]!.text).toBe(
      'min-release-age-exclude[]=@example/a\nmin-release-age-exclude[]=b\n',
    );
    expect(lists[1]!.text).toBe("minimumReleaseAgeExclude:\n  - '@example/a'\n  - 'b'\n");
    expect(lists[2]!.text).toBe("npmPreapprovedPackages:\n  - '@example/a'\n  - 'b'\n");
    expect(lists[3]!.text).toContain("      exclude:\n        - '@example/a'\n        - 'b'\n");
  });

  it('has a host rule if the index needs a credential', () => {
    const closed = { ...site, access: { protect: 'everything' } as never };
    const isShown = (each: typeof site) =>
      snippetsOf(each, summaryOf('1.0')).some(({ id }) => id === 'renovate-host');

    expect([closed, site].map(isShown)).toEqual([true, false]);
  });
});

describe('a snippet for a release line', () => {
  const rangeOf = (...versions: string[]) => {
    const text = snippetsOf(site, summaryOf(...versions)).find(
      ({ id }) => id === 'renovate-line',
    )?.text;
    return text === undefined
      ? undefined
      : (JSON.parse(text) as { packageRules: { allowedVersions: string }[] }).packageRules[0]!
          .allowedVersions;
  };

  it('admits the versions of the newest line, and no other', () => {
    const range = new RegExp(rangeOf('2026.1', '2026.1.2')!.slice(1, -1));

    expect(
      ['2026.1', '2026.1.3', '2026.1-rc1', 'v2026.1'].filter((version) => !range.test(version)),
    ).toEqual([]);
    expect(
      ['2026.10', '2026.2', '12026.1', '202601'].filter((version) => range.test(version)),
    ).toEqual([]);
  });

  it('is missing if the versions do not begin with the name of their line', () => {
    expect(rangeOf('2026.01')).toBeUndefined();
    expect(rangeOf()).toBeUndefined();
  });
});

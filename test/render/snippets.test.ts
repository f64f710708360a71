import { describe, expect, it } from 'vitest';
import { componentSnippets, siteSnippets } from '../../src/render/snippets.ts';
import { componentOf, site, summariesOf } from './sites.ts';

function textOf(id: string, versions: readonly string[], name = 'edge-node'): string {
  const [component] = summariesOf(
    componentOf(
      versions.map((version) => ({ version })),
      {},
      { name },
    ),
  );
  const snippets = componentSnippets(site, component!);
  return snippets.find((snippet) => snippet.id === id)!.text;
}

describe('a snippet', () => {
  it('names the datasource, the component and its latest supported version above a variable', () => {
    expect(textOf('dockerfile', ['2025.10', '2025.9'])).toBe(
      '# renovate: datasource=custom.release-index depName=edge-node\nARG EDGE_NODE_VERSION=2025.10\n',
    );
    expect(textOf('workflow', ['2025.10'])).toBe(
      'env:\n  # renovate: datasource=custom.release-index depName=edge-node\n  EDGE_NODE_VERSION: "2025.10"\n',
    );
    expect(textOf('makefile', ['2025.10'])).toBe(
      '# renovate: datasource=custom.release-index depName=edge-node\nEDGE_NODE_VERSION := 2025.10\n',
    );
  });

  it('never carries a version that a shell or a file would take for something else', () => {
    for (const version of ['1.0 $(touch x)', '1.0"\nRUN x', '1.0`x`', '1.0;x']) {
      for (const id of ['dockerfile', 'workflow', 'makefile']) {
        expect(textOf(id, [version])).toMatch(/_VERSION\W+1\.0\.0"?\n$/);
      }
    }
  });

  it('makes a variable that shells take of a name that begins with a digit', () => {
    expect(textOf('makefile', ['1.0'], '7zip-cli')).toContain('\n_7ZIP_CLI_VERSION := 1.0\n');
  });

  it('is unique by id on each page', () => {
    const [component] = summariesOf(componentOf([]));
    for (const snippets of [
      componentSnippets(site, component!),
      siteSnippets(site, [component!], component!),
    ]) {
      const ids = snippets.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('is valid JSON where it is a configuration of Renovate', () => {
    expect(JSON.parse(textOf('renovate-preset', []))).toMatchObject({
      extends: ['https://releases.example.com/renovate.json'],
    });
    expect(JSON.parse(textOf('renovate-inline', []))).toMatchObject({
      customDatasources: {
        'release-index': { defaultRegistryUrlTemplate: 'https://releases.example.com/{{packageName}}.json' },
      },
    });
  });
});

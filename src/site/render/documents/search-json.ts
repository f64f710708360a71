import type { SearchedComponent } from '../../../core/schemas/published/release-documents.ts';

/** The entry of a component in `search.json`, with one line per release: a diff shows single releases. */
export function renderSearchedComponent({ lines, ...ofComponent }: SearchedComponent): string {
  const fields = JSON.stringify(ofComponent).slice(0, -1);
  return `${fields},"lines":[${lines.map(renderLine).join(',')}]}\n`;
}

function renderLine({ releases, ...ofLine }: SearchedComponent['lines'][number]): string {
  const rows = releases.map((release) => `\n${JSON.stringify(release)}`);
  return `\n${JSON.stringify(ofLine).slice(0, -1)},"releases":[${rows.join(',')}]}`;
}

import type { Snippet } from '../snippets.ts';
import { escapeHtml } from './escape.ts';

/** `{{> snippet-sections}}` in a template; every page has nine. */
export function renderSnippetSections(snippets: readonly Snippet[]): string {
  return snippets.map(renderSection).join('');
}

function renderSection({ id, title, note, file, isLong, text }: Snippet): string {
  const name = escapeHtml(title);
  const fileName = file === undefined ? '' : `<p class="file-name"><code>${escapeHtml(file)}</code></p>\n`;
  const code = `<pre data-copy="${name}" tabindex="0" role="region" aria-label="${name}"><code>${escapeHtml(text)}</code></pre>\n`;
  const shown = isLong ? `<details>\n<summary>Show all of it</summary>\n${code}</details>\n` : code;
  return (
    `<section class="snippet" id="snippet-${id}">\n<h3>${name}</h3>\n<p>${escapeHtml(note)}</p>\n` +
    `${fileName}${shown}</section>\n`
  );
}

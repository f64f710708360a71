/** Texts to copy, with the comment that Renovate reads. */

export interface Snippet {
  title: string;
  file?: string;
  note?: string;
  text: string;
}

/** The comment that names the component of the version below it, without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=custom.${datasource} depName=${component}`;
}

export function renderSnippets(
  { releasesUrl: baseUrl, datasource }: Settings,
  name: string,
  latest: string | undefined,
) {
  const preset: Snippet = {
    title: 'Renovate, by preset',
    file: 'renovate.json',
    note: 'Renovate offers every newer version that is not deprecated.',
    text: `{\n  "extends": ["${baseUrl}/renovate.json"]\n}\n`,
  };
  if (latest === undefined) {
    return { preset, places: [], others: [] };
  }

  const comment = `# ${writeComment(datasource, name)}`;
  // A shell accepts no name that begins with a digit.
  const variable = `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`.toUpperCase();
  const places: Snippet[] = [
    { title: 'Docker', file: 'Dockerfile', text: `${comment}\nARG ${variable}=${latest}\n` },
    {
      title: 'GitHub Actions',
      file: '.github/workflows/build.yml',
      note: 'The quotes keep 2026.10 from becoming 2026.1.',
      text: `env:\n  ${comment}\n  ${variable}: "${latest}"\n`,
    },
    {
      title: 'GitLab CI',
      file: '.gitlab-ci.yml',
      text: `variables:\n  ${comment}\n  ${variable}: "${latest}"\n`,
    },
    { title: 'Shell', file: 'install.sh', text: `${comment}\n${variable}=${latest}\n` },
  ];
  const others: Snippet[] = [
    {
      title: 'The latest version in a shell',
      text: `curl -fsS ${baseUrl}/${name}.json | jq -er '.tags.latest'\n`,
    },
  ];
  return { preset, places, others };
}
import type { Settings } from '../core/schema/settings.ts';

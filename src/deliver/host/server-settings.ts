import { digestsFile, signatureFile } from '../../site/digests.ts';
import { everywhere, headersFor, kinds, matches, type HeaderRule } from '../../site/render/headers.ts';
import { isOfComponent, publishedPaths } from '../../site/render/paths.ts';

/** The servers whose settings `headers` prints. */
export const servers = {
  nginx: renderNginx,
  caddy: renderCaddy,
  s3: renderS3,
} satisfies Record<string, (out: string) => string>;

/** They prove the integrity of all other files. */
const digestFiles: readonly string[] = [digestsFile, signatureFile];

/** Documents about the whole index, in which others are named. */
const indexDocuments: readonly string[] = publishedPaths
  .filter((path) => !isOfComponent(path) && !/[{/]/.test(path.path) && !digestFiles.includes(path.path))
  .map(({ path }) => path);

/** The stages in which files are copied to where they are served: no document is there before the files that it names. */
export function uploadStages(paths: Iterable<string>): string[][] {
  const stages: [string[], string[], string[]] = [[], [], []];
  for (const path of paths)
    stages[digestFiles.includes(path) ? 2 : indexDocuments.includes(path) ? 1 : 0].push(path);
  return stages;
}

/** The headers of a page for a missing address. It is not cached, as the file may be there soon. */
const headersOfMissing: readonly (readonly [string, string])[] = [
  ...headersFor('404.html')!,
  ['Cache-Control', 'no-store'] as const,
];

function headersOf({ pattern, headers }: HeaderRule) {
  const { 'Content-Type': type, ...others } = headers;
  return { pattern: pattern.slice(1), type: type!, others };
}

/** Settings for a `server` block of nginx. A `location` with a header of its own has none of those around it. */
function renderNginx(): string {
  const location = (place: string, type: string, headers: Iterable<readonly [string, string]>, end = '') =>
    `location ${place} {\n  types { }\n  default_type "${type}";\n` +
    Array.from(headers, ([name, value]) =>
      name === 'Content-Type' ? '' : `  add_header ${name} "${value}"${end === '' ? '' : ' always'};\n`,
    ).join('') +
    `${end}}\n`;
  const files = kinds.map((kind) => {
    const { pattern, type, others } = headersOf(kind);
    const place = pattern.startsWith('*')
      ? `~ ${pattern.slice(1).replaceAll('.', String.raw`\.`)}$`
      : pattern.endsWith('*')
        ? `^~ /${pattern.slice(0, -1)}`
        : `= /${pattern}`;
    return location(place, type, Object.entries({ ...everywhere.headers, ...others }));
  });
  const missing = new Map(headersOfMissing);
  return [
    '# For a server block whose root is the folder of the site.\n',
    'index index.html;\nerror_page 404 @missing;\n',
    location('@missing', missing.get('Content-Type')!, missing, '  try_files /404.html =404;\n'),
    ...files,
  ].join('\n');
}

/** A site block of a Caddyfile. */
function renderCaddy(out: string): string {
  const block = (head: string, headers: Iterable<readonly [string, string]>) =>
    `  ${head} {\n${Array.from(headers, ([name, value]) => `    ${name} "${value}"\n`).join('')}  }\n`;
  const files = kinds.map((kind, index) => {
    const path = kind.pattern === '/*.html' ? '/ *.html' : kind.pattern.replace(/^\/\*/, '*');
    return `  @kind${index} path ${path}\n${block(`header @kind${index}`, Object.entries(kind.headers))}`;
  });
  return [
    `releases.example.com {\n  root * ${out}\n  encode gzip\n`,
    block('header', Object.entries(everywhere.headers)),
    ...files,
    '  file_server\n  handle_errors {\n    @missing expression {http.error.status_code} == 404\n',
    block('header @missing', headersOfMissing),
    '    rewrite @missing /404.html\n    file_server\n  }\n}\n',
  ].join('');
}

/**
 * Commands that copy a site to a bucket: files, then documents that name them, then their digests; what is gone goes last. The
 * bucket sends no security headers, so that a distribution of CloudFront has to.
 */
function renderS3(out: string): string {
  const quoted = (text: string) => `'${text}'`;
  const filters = (option: string, paths: readonly string[]) =>
    paths.map((path) => ` --${option} ${quoted(path)}`).join('');
  const stage = (paths: readonly string[]) =>
    kinds.flatMap((kind) => {
      const of = paths.filter((path) => matches(kind.pattern, `/${path}`));
      return of.length === 0 ? [] : [`put ${quoted(kind.headers['Content-Type']!)}${filters('include', of)}`];
    });
  const cors = {
    CORSRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD'], ExposeHeaders: ['ETag'] }],
  };
  return [
    '# bash, with the command of AWS. It needs a bucket of its own: the last command removes what is not of the site.',
    'set -eu',
    `site=${quoted(out)} bucket="\${BUCKET:?is the name of the bucket}"`,
    `put() { local type=$1; shift; aws s3 cp "$site" "s3://$bucket/" --recursive --only-show-errors --cache-control ${quoted(everywhere.headers['Cache-Control']!)} --content-type "$type" --exclude '*' "$@"; }`,
    '',
    '# Files that others name.',
    `others=(${filters('exclude', [...indexDocuments, ...digestFiles]).trim()})`,
    ...kinds.map((kind) => {
      const { pattern, type } = headersOf(kind);
      return `put ${quoted(type)} --include ${quoted(pattern)} "\${others[@]}"`;
    }),
    '# Documents that name them, then the digests.',
    ...stage(indexDocuments),
    ...stage(digestFiles),
    '# What is gone.',
    `aws s3 sync "$site" "s3://$bucket/" --delete --size-only --only-show-errors`,
    '',
    '# Once: scripts of every origin may read.',
    `# aws s3api put-bucket-cors --bucket "$bucket" --cors-configuration '${JSON.stringify(cors)}'`,
    '# Once, in the response headers policy of CloudFront, for these paths:',
    ...kinds.flatMap(({ pattern, headers: { 'Content-Type': _, ...others } }) =>
      Object.entries({
        ...(pattern === '/*.html' && { 'X-Content-Type-Options': 'nosniff' }),
        ...others,
      }).map(([name, value]) => `#   ${pattern}  ${name}: ${value}`),
    ),
    '',
  ].join('\n');
}

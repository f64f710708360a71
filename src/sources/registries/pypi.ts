import * as z from 'zod';
import { normaliseName } from '../../core/purl.ts';
import { escapePattern } from '../../core/text.ts';
import type { HttpResponse } from '../http/client.ts';
import { isAbsent, SourceError } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { anyObject, anyText, anyTime, readJson, fetchJson, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource, SourceContext } from '../types.ts';

const Hashes = z.object({ sha256: z.string().optional() }).optional().catch(undefined);

const Named = z.object({ filename: anyText });

/** A file, with the keys of the Index API and of the older JSON API. */
const File = Named.extend({
  url: anyText,
  hashes: Hashes,
  digests: Hashes,
  yanked: z.union([z.boolean(), z.string()]).nullish().catch(undefined),
  yanked_reason: anyText,
  // PEP 740: a URL, or null.
  provenance: z.string().nullish().catch(undefined),
  'upload-time': anyTime,
  upload_time_iso_8601: anyTime,
});

/** Reads from a project's status why no version of the project should be used. For example, PyPI quarantines malware. */
const Status = z
  .object({ status: z.enum(['quarantined', 'deprecated']), reason: z.string().nullish() })
  .transform(({ status, reason }) => {
    const end = reason ? `: ${reason}` : '.';
    return {
      deprecated: `The project is ${status}${end}`,
      isQuarantined: status === 'quarantined' || undefined,
    };
  })
  .optional()
  .catch(undefined);

/** A project in the Index API (packaging.python.org/specifications/simple-repository-api), with its status (PEP 792). */
const Index = z.object({
  'project-status': Status,
  versions: z.array(z.string()).optional(),
  files: z.array(z.unknown()),
});

/** A project in the older JSON API, see docs.pypi.org/api/json. */
const Project = z.object({
  info: z
    .object({
      name: anyText,
      summary: anyText,
      home_page: anyText,
      project_urls: z.record(z.string(), anyText).nullish().catch(undefined),
    })
    .prefault({}),
  releases: anyObject.optional(),
});

export const pypi: Datasource<PackageSource> = {
  async list(source, context) {
    const index = await fetchIndex(source, context).catch((error: unknown) => {
      // A status below 500 means that the registry has no Index API.
      if (error instanceof SourceError && error.status && error.status < 500) {
        return error;
      }
      throw error;
    });
    const hasFailed = index instanceof SourceError;
    if (!hasFailed && !/html/i.test(index.headers.get('content-type') ?? '')) {
      return readIndex(index, source);
    }

    // The registry may have the older JSON API, whose document contains dates.
    return listByDocument(source, context).catch(() => {
      if (hasFailed) {
        throw index;
      }
      return readPage(index, source);
    });
  },
  async describe(source, context) {
    const { info } = await fetchProject(source, context).catch(async (error: unknown) => {
      if (!isAbsent(error)) {
        throw error;
      }
      // A registry that has only the Index API gives no description. If it does not have the project, this request fails.
      await fetchIndex(source, context);
      return Project.parse({});
    });
    // The labels of links are normalised as in packaging.python.org/specifications/well-known-project-urls
    const links = Object.entries(info.project_urls ?? {}).map(
      ([label, url]) => [label.toLowerCase().replaceAll(/[\p{P}\p{S}\s]/gu, ''), url] as const,
    );
    const find = (labels: RegExp) => links.find(([label]) => labels.test(label))?.[1];
    return {
      title: info.name,
      description: info.summary,
      homepage: find(/^homepage$/) ?? info.home_page,
      changelogUrl: find(/^(changelog|changes|whatsnew|history|releasenotes)$/),
      repository: find(/^(source|repository|sourcecode|github)$/),
    };
  },
};

/** Returns `https://host/pypi/` and `https://host/simple/` (devpi: `https://host/+simple/`). Registries have both below the same URL. */
function locate({ packageName, registryUrl = 'https://pypi.org/pypi/' }: PackageSource) {
  const [, base = registryUrl, folder] = /^(.*\/)(pypi|\+?simple)\/?$/.exec(registryUrl) ?? [];
  const index = folder?.endsWith('simple') ? registryUrl : joinUrl(base, ['simple']);
  const documents = folder === undefined ? registryUrl : joinUrl(base, ['pypi']);
  return {
    index: `${joinUrl(index, [normaliseName('pypi', packageName)])}/`,
    document: joinUrl(documents, [packageName, 'json']),
  };
}

function readIndex(response: HttpResponse, { packageName }: PackageSource) {
  const { 'project-status': status, ...index } = readJson(response, Index);
  const { versions = [] } = index;
  const files = nameFiles(index, packageName);
  // PyPI lists no files of a quarantined project. The recorded releases of the project are still not withdrawn.
  if (status && versions.length + files.length === 0) {
    return { ...status, releases: [], notes: [], isPartial: true };
  }
  return { ...readFiles(response.url, versions, files), ...status };
}

function fetchIndex(source: PackageSource, { http }: SourceContext) {
  const accept = 'application/vnd.pypi.simple.v1+json, text/html;q=0.1';
  return http.fetch({ url: locate(source).index, accept });
}

/** Reads the Index API in HTML (PEP 503), which has no dates. Each link is a file. The URL of the link may end with `#` and a digest. */
function readPage({ url, text }: HttpResponse, { packageName }: PackageSource) {
  const links = text().matchAll(/<a\s((?:(?!<a\s)[^>])*)>([^<]*)<\/a>/gi);
  const files = Array.from(links, ([, attributes = '', name = '']) => {
    const address = readAttribute(attributes, 'href') ?? '';
    const [, sha256] = /#sha256=([\da-f]{64})$/i.exec(address) ?? [];
    const reason = readAttribute(attributes, 'data-yanked');
    return {
      filename: name.trim(),
      url: URL.parse(address.replace(/#.*/, ''), url)?.href,
      hashes: { sha256: sha256?.toLowerCase() },
      yanked: reason === undefined ? false : reason || true,
    };
  });
  const named = nameFiles({ files }, packageName);
  if (named.length === 0) {
    const problem =
      'is a web page without a file of the project, maybe not the address of a repository';
    throw SourceError.at(url, problem);
  }
  return readFiles(url, [], named);
}

/** Reads an HTML attribute. The result is empty if the attribute has no value. */
function readAttribute(attributes: string, name: string): string | undefined {
  const form = new RegExp(`(?:^|\\s)${name}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)')|(?=\\s|$))`, 'i');
  const match = form.exec(attributes);
  return match ? (match[1] ?? match[2] ?? '') : undefined;
}

async function listByDocument(source: PackageSource, context: SourceContext) {
  const { releases = {} } = await fetchProject(source, context);
  const files = Object.entries(releases).flatMap(([version, own]) =>
    [own].flat().map((file) => ({ version, file })),
  );
  return readFiles(locate(source).document, Object.keys(releases), files);
}

function fetchProject(source: PackageSource, { http }: SourceContext) {
  return fetchJson(http, { url: locate(source).document }, Project);
}

/**
 * Finds the version of each file. In the Index API, only the file name contains it (PEP 691). If the index lists versions (PEP 700), a file
 * with any other version is left out.
 */
function nameFiles(
  { versions, files }: Omit<z.infer<typeof Index>, 'project-status'>,
  packageName: string,
) {
  const bySpelling = new Map(versions?.map((version) => [spellInName(version), version]));
  // A file name may have any spelling of the project.
  const name = escapePattern(normaliseName('pypi', packageName));
  const anySpelling = name.replaceAll('-', '[-_.]+');
  // The flag `s` keeps the search linear. Without it, `.+` would stop at a line break. The search would then begin again at each hyphen
  // before that line break.
  const form = new RegExp(`^${anySpelling}-(.+)$`, 'is');
  return files.flatMap((file) => {
    const { filename = '' } = Named.safeParse(file).data ?? {};
    const [, rest = ''] = form.exec(filename) ?? [];
    const packed = packedForm.exec(rest)?.groups?.['version'];
    const spelled = builtForm.exec(rest)?.groups?.['version'] ?? packed?.replace(platformForm, '');
    const version = versions && spelled ? bySpelling.get(spellInName(spelled)) : spelled;
    return version ? { version, file } : [];
  });
}

/** Returns a version as it is spelt in file names, where some characters are replaced. */
function spellInName(version: string): string {
  return version.toLowerCase().replaceAll(/[-_+]/g, '.');
}

/** Matches the end of a built file, `1.0-py3-none-any.whl`: packaging.python.org/specifications/binary-distribution-format */
const builtForm = /^(?<version>[^-]+)-.*\.(?:whl|egg)$/i;
/** Matches the end of an archive, `1.0.tar.gz` or the older `1.0.linux-x86_64.tar.gz`: packaging.python.org/specifications/source-distribution-format */
const packedForm = /^(?<version>.+?)\.(?:tar\.\w+|tgz|zip)$/i;
const platformForm = /(?<=.)\.(?:linux|macosx|win).*/i;

/**
 * Converts files to releases. A version has the date of its first file. It is deprecated if all its files are yanked. Some versions have no
 * files.
 */
function readFiles(
  url: string,
  versions: readonly string[],
  files: readonly { version: string; file: unknown }[],
) {
  const others = new Set(versions).difference(new Set(files.map(({ version }) => version)));
  const entries = [...files, ...Array.from(others, (version) => ({ version, file: {} }))];
  return readReleases(url, entries, Release);
}

const Release = z
  .object({ version: z.string().min(1), file: File })
  .transform(({ version, file }) => {
    const { yanked, yanked_reason: reason } = file;
    const stated = typeof yanked === 'string' ? yanked : '';
    const hashes = file.digests ?? file.hashes;
    return {
      version,
      releaseTimestamp: file['upload-time'] ?? file.upload_time_iso_8601,
      deprecated: yanked ? (reason ?? stated) : undefined,
      hasProvenance: file.provenance === undefined ? undefined : file.provenance !== null,
      digests: [hashes?.sha256],
      assets: [{ name: file.filename, digest: hashes?.sha256, url: file.url }],
    };
  });

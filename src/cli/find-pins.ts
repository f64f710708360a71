import { nearest } from '../core/text/nearest.ts';
import { parseVersion } from '../core/model/version.ts';
import { lineCounter, withShortLines } from '../core/text/text.ts';
import type { PresetFile } from '../core/schemas/published/small-files.ts';
import { selects } from './renovate-patterns.ts';

/** A comment for Renovate in a file, and the version below it. */
export interface FoundPin {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly component: string;
  /** As written in the file. */
  readonly version: string;
}

/** A comment that Renovate does not read, or cannot use. */
export interface NearMiss {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** How Renovate reads a kind of file. */
interface Reader {
  readonly files: readonly string[];
  readonly pin: RegExp;
  /** The reason why Renovate does not read the lines below a comment. */
  whyNot(below: readonly string[]): string | undefined;
}

interface PinContext {
  /** `custom.<name>` */
  readonly datasource: string;
  readonly components: ReadonlySet<string>;
  /** The managers of the preset. */
  readonly managers: PresetFile['customManagers'];
}

/** Finds the pins of an index in the text of a file, like the managers of Renovate in the preset. */
export function pinFinder(context: PinContext) {
  const readers = [...context.managers.map(ownReader), ...renovateReaders()];

  return (file: string, whole: string): { pins: FoundPin[]; misses: NearMiss[] } => {
    if (!/renovate\s*:/i.test(whole)) {
      return { pins: [], misses: [] };
    }

    const text = withShortLines(whole);
    const reading = readers.filter(({ files }) => selects(files, file));
    const lines = text.split('\n');
    const lineAt = lineCounter(text);
    const pins = new Map<number, FoundPin>();
    const misses: NearMiss[] = [];
    const read = new Set<number>();

    for (const match of reading.flatMap(({ pin }) => Array.from(text.matchAll(pin)))) {
      const {
        datasource,
        depName = '',
        packageName = depName,
        currentValue = '',
      } = match.groups ?? {};

      const at = lineAt(match.index);

      read.add(at);

      if (datasource !== context.datasource) {
        read.delete(at);
      } else {
        const version = (match.groups?.['version'] ?? currentValue).trim();
        const pin: FoundPin = { file, line: at, component: packageName, version };
        const reason = whyUnused(pin, context);

        if (reason === undefined) {
          pins.set(at, pin);
        } else {
          misses.push({ file, line: at, text: lines[at - 1]!.trim(), reason });
        }
      }
    }

    for (const [index, line] of lines.entries()) {
      if (read.has(index + 1) || !/renovate\s*:/i.test(line)) {
        continue;
      }

      const reason = whyNotRead(line, lines.slice(index + 1), reading, context);
      if (reason !== undefined) {
        misses.push({ file, line: index + 1, text: line.trim(), reason });
      }
    }

    return { pins: [...pins.values()], misses: misses.sort((a, b) => a.line - b.line) };
  };
}

function whyUnused(
  { component, version }: FoundPin,
  { components }: PinContext,
): string | undefined {
  if (!components.has(component)) {
    return unknownComponent(component, components);
  }

  if (version.includes('@')) {
    return withDigest;
  }

  return parseVersion(version) ? undefined : `"${version}" is not a version`;
}

function unknownComponent(name: string, components: ReadonlySet<string>): string {
  const near = nearest(name, components);
  return `the index has no component "${name}"${near === undefined ? '' : `; the nearest is "${near}"`}`;
}

/** Undefined where the comment is not about this index. */
function whyNotRead(
  line: string,
  below: readonly string[],
  readers: readonly Reader[],
  { datasource, components }: PinContext,
): string | undefined {
  const option = (name: string) =>
    new RegExp(`${name}\\s*[=:]\\s*["']?([^\\s"']+)`, 'i').exec(line)?.[1];
  const named = option('datasource');
  const component = option('packageName') ?? option('depName');
  const isNear =
    named !== undefined && nearest(named, [datasource, datasource.replace('custom.', '')]);

  if (
    named !== datasource &&
    !isNear &&
    !(component !== undefined && named === undefined && components.has(component))
  ) {
    return undefined;
  }

  if (named === undefined) {
    return `the comment must name datasource=${datasource}`;
  }

  if (named !== datasource) {
    return `the datasource must be ${datasource}, not ${named}`;
  }

  if (component === undefined) {
    return 'the comment must name depName=<component>';
  }

  if (readers.length === 0) {
    return 'Renovate reads no comments in files of this name';
  }

  if (!components.has(component)) {
    return unknownComponent(component, components);
  }

  if (!/renovate: datasource=\S+ depName=\S+/.test(line)) {
    return 'the comment must be "renovate: datasource=… depName=…", with these words in this order and single spaces';
  }

  return readers.map((reader) => reader.whyNot(below)).find((reason) => reason !== undefined);
}

const withDigest = 'Renovate leaves a version with a digest alone';

const blankLine = 'a blank line is between the comment and the version';

function ownReader({ managerFilePatterns, matchStrings }: PinContext['managers'][number]): Reader {
  return {
    files: managerFilePatterns,
    pin: new RegExp(matchStrings.join('|'), 'g'),
    whyNot: ([next = '']) => {
      if (next.trim() === '') {
        return blankLine;
      }

      if (next.includes('@sha256:')) {
        return withDigest;
      }

      if (next.includes('@')) {
        return 'the line with the version must not contain @';
      }

      return 'the line below has no version after a space, =, : or a quote';
    },
  };
}

/** The reason why the line below names no variable for Renovate. `form`: of a right line. */
function whyNoVariable(assigned: RegExp, form: string): Reader['whyNot'] {
  return (below) => {
    const next = below.find((line) => line.trim() !== '') ?? '';
    const name = /([A-Za-z_][\w.-]*)["']?\s*(?:\?|:)*[=: ]/.exec(
      next.replace(/^[\s-]*(?:ENV|ARG|export)\s+/, ''),
    )?.[1];
    if (name !== undefined && !name.endsWith('_VERSION')) {
      return `the name ${name} must end in _VERSION`;
    }

    if (!assigned.test(next)) {
      return `the line below must have the form ${form}`;
    }

    return 'the line with the version must end with a line break';
  };
}

function whyNotInDockerfile(below: readonly string[]): string | undefined {
  const [next = ''] = below;
  if (next.trim() === '') {
    return blankLine;
  }

  if (!/^(?:ENV|ARG)\s/.test(next)) {
    return 'the line below must begin with ENV or ARG';
  }

  return whyNoVariable(/_VERSION[ =]\S/, 'ARG NAME_VERSION=1.0')(below);
}

/** `customManagers:*` of Renovate (lib/config/presets/internal/custom-managers.preset.ts). */
function renovateReaders(): Reader[] {
  const options =
    '(?: packageName=(?<packageName>\\S+?))?(?: versioning=\\S+?)?(?: extractVersion=\\S+?)?';
  const comment = `# renovate: datasource=(?<datasource>[\\w.-]+?) depName=(?<depName>\\S+?)${options}(?: registryUrl=\\S+?)?`;
  const value = `["']?(?<version>.+?)["']?\\s`;

  const yaml = whyNoVariable(/^\s*\w+_VERSION\s*:\s*\S/, 'NAME_VERSION: 1.0');
  const assignment = { pin: `${comment}\\s+\\w+?_VERSION\\s*:\\s*${value}`, whyNot: yaml };

  const table: { files: string[]; pin: string; whyNot: Reader['whyNot'] }[] = [
    {
      files: ['**/{[Dd]ocker,[Cc]ontainer}file*', '**/*.{[Dd]ocker,[Cc]ontainer}file*'],
      pin: `${comment}\\s(?:ENV|ARG)\\s+\\w+?_VERSION[ =]${value}`,
      whyNot: whyNotInDockerfile,
    },
    {
      files: [
        '**/{workflow-templates,.{github,gitea,forgejo}/{workflows,actions}}/**/*.{yml,yaml}',
        '**/action.{yml,yaml}',
        '**/*.gitlab-ci.{yml,yaml}',
        '**/.azuredevops/**/*.{yml,yaml}',
        'azure*pipeline*.{yml,yaml}',
      ],
      ...assignment,
    },
    {
      files: ['**/{[Mm],GNUM}akefile', '**/*.mk'],
      pin: `${comment}\\s+\\w+?_VERSION\\s*:*\\??=\\s*${value}`,
      whyNot: whyNoVariable(/^\s*\w+_VERSION\s*:*\??=\s*\S/, 'NAME_VERSION = 1.0'),
    },
    {
      files: ['**/*-pipelines.yml'],
      pin: `${comment}\\s+.*\\s+\\w+?_VERSION[ =:]\\s?${value}`,
      whyNot: whyNoVariable(/_VERSION[ =:]\s?\S/, '- export NAME_VERSION=1.0'),
    },
    {
      files: ['**/pom.xml'],
      pin: `<!--\\s?renovate: datasource=(?<datasource>[\\w.-]+?) depName=(?<depName>\\S+?)${options}\\s+-->\\s+<.+\\.version>(?<version>.+)<\\/.+\\.version>`,
      whyNot: () => 'the element below must have the form <name.version>1.0</name.version>',
    },
    {
      files: ['**/*.tfvars'],
      pin: `#\\s*renovate: datasource=(?<datasource>\\S+?) depName=(?<depName>\\S+?)(?: versioning=\\S+?)?\\s.*?_version\\s*=\\s*"(?<version>.*)"`,
      whyNot: () => 'the line below must have the form name_version = "1.0"',
    },
  ];

  return table.map(({ files, pin, whyNot }) => ({
    files,
    pin: new RegExp(pin, 'g'),
    whyNot,
  }));
}

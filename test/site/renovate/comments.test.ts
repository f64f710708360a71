import { expect, test } from 'vitest';
import { createCommentManagers } from '../../../src/site/renovate/comments.ts';

const [others, own] = createCommentManagers('index') as { matchStrings: string[] }[];
const hex = '0f'.repeat(32);

/**
 * Returns the packages that a Renovate manager finds in a text, as `svc 1.2 checksum`. In the text, `~` is the comment, and `#` is a
 * checksum.
 */
function find({ matchStrings }: { matchStrings: string[] }, text: string): string[] {
  const content = text
    .replaceAll('~', 'renovate: datasource=custom.index depName=')
    .replaceAll(/#(?! )/g, hex);
  return matchStrings.flatMap((pattern) =>
    Array.from(content.matchAll(new RegExp(pattern, 'g')), ({ groups = {} }) => {
      const { depName, packageName = depName, currentValue, currentDigest } = groups;
      return [packageName, currentValue, currentDigest && 'checksum'].filter(Boolean).join(' ');
    }),
  );
}

/**
 * Texts, with the packages that this program's custom managers find in them:
 * - `inOthers`: the packages that are found in most files
 * - `inOwn`: the packages that are found in a file such as a Dockerfile. One of Renovate's own presets also reads this file, so the custom
 *   manager skips the versions that the preset finds.
 */
const texts: [title: string, text: string, inOthers: string, inOwn: string][] = [
  ['a version', '# ~svc\nA_VERSION=1.2', 'svc 1.2', ''],
  ['a version with words and blanks', '# ~svc do not touch \n  a: "1.2"', 'svc 1.2', ''],
  ['a version with a short variable name', '# ~svc\nARG VERSION=1.2\n', 'svc 1.2', 'svc 1.2'],
  ['a quoted version in a list', '# ~svc\n  - VERSION: "v1.2"', 'svc v1.2', 'svc v1.2'],
  ['a checksum and a version', '# ~svc\nA=#\nB=1.2\nC=3', 'svc 1.2 checksum', 'svc 1.2 checksum'],
  ['an image', '# ~svc\nimage: a/svc:1.2@sha256:#', 'svc 1.2 checksum', 'svc 1.2 checksum'],
  [
    'a checksum with its version',
    '# ~svc packageName=svc/a digestVersion=1.2\nA=#\nB=3.4',
    'svc/a 1.2 checksum',
    'svc/a 1.2 checksum',
  ],
  [
    'a checksum in JSON',
    '"//": "~svc digestVersion=1.2",\n"a": "#",',
    'svc 1.2 checksum',
    'svc 1.2 checksum',
  ],
  [
    'a checksum in XML',
    '<!-- ~svc digestVersion=1.2 -->\n<a>#</a>',
    'svc 1.2 checksum',
    'svc 1.2 checksum',
  ],
  [
    'comments without a line between them',
    '# ~a\nA=1.1\n# ~b digestVersion=2.2\nB=#\n# ~c\nC=#\nD=3.3\n# ~d\nD=4.4',
    'a 1.1; d 4.4; c 3.3 checksum; b 2.2 checksum',
    'c 3.3 checksum; b 2.2 checksum',
  ],
  [
    'a comment below a checksum',
    '# ~a\nA=#\n# ~b digestVersion=2.2\nB=#',
    'b 2.2 checksum',
    'b 2.2 checksum',
  ],
  ['a comment below a comment', '// ~a\n// ~b\nb = 2.2', 'b 2.2', ''],
  ['no line that is a shell comment', '# ~a\n# A=2.2', '', ''],
  ['no line that is a C comment', '// ~a\n/* a=2.2 */', '', ''],
  ['no line that is an XML comment', '<!-- ~a -->\n<!-- a=2.2 -->', '', ''],
  ['no line that is a JSON comment', '"//": "~a",\n"//": "2.2",', '', ''],
  ['a line with a path and a tag, which is not a comment', '# ~a\n/a/<b> =2.2', 'a 2.2', ''],
  [
    'an image after a name with parts of "@sha"',
    '# ~a\nimage: @s@sh@x/svc:1.2@sha256:#',
    'a 1.2 checksum',
    'a 1.2 checksum',
  ],
  [
    'no checksum if its keys are in the wrong order',
    '# ~a digestVersion=1.2 packageName=b\nA=#',
    '',
    '',
  ],
  ['no checksum of an unknown length', `# ~a\nA=#${hex}`, '', ''],
];

test.each(texts)(
  'a Renovate comment applies to the next version or checksum: %s',
  (_, text, inOthers, inOwn) => {
    expect([find(others!, text).join('; '), find(own!, text).join('; ')]).toEqual([
      inOthers,
      inOwn,
    ]);
  },
);

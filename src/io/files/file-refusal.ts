import { linkToNowhere } from './entry.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than this process may write',
  EIO: 'the device failed',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in the system',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is in the way',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EBUSY: 'it is in use, or a mount point',
  EXDEV: 'it lies on another file system',
  ENOENT: 'no such file or folder',
  ENOTREG: 'it is no regular file but a device, a pipe or a socket',
  ELOCKED: 'another run keeps it locked',
};

/** What the file system refused, in words; undefined for every other error. */
export function fileRefusal(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path !== undefined && (code === 'ENOENT' || code === 'EEXIST')) {
    const broken = linkToNowhere(path);
    if (broken) {
      const what = broken.link === path ? 'it' : broken.link;
      return `${what} is a link to ${broken.target}, which does not exist`;
    }
  }
  return typeof code === 'string' ? reasons[code] : undefined;
}

/** The same with the path it is about. */
export function describeFileRefusal(error: unknown): string | undefined {
  const reason = fileRefusal(error);
  if (reason === undefined) return undefined;
  const { path, message } = error as NodeJS.ErrnoException;
  return `${path ?? message}: ${reason}`;
}

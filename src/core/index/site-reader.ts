/** The files of an index: in a folder, at an address, or the assets of the Worker. */
export interface SiteReader {
  /** Undefined if there is no such file. Throws if it cannot be read now. */
  read(path: string): Promise<Buffer | undefined>;
  /** The paths of all files; an address cannot list them. */
  list?(): string[];
}

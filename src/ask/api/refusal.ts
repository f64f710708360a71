/** A request that cannot be answered, with what helps. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** More members of the problem document. */
  readonly members: Readonly<Record<string, string | number>>;

  constructor(status: number, detail: string, members: Refusal['members'] = {}) {
    super(detail);
    this.status = status;
    this.members = members;
  }
}

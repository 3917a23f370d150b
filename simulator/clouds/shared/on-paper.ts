import type { Properties } from "../../plugins/protocol/serve";

/** What a cloud returns in a dry run, by the tokens of resource types and functions. */
export interface OnPaper {
    /** Outputs of a created resource in addition to its inputs, of those that our stacks read. @default none */
    readonly created: Readonly<Record<string, (resource: Created) => Properties>>;
    /** Outputs that differ from the inputs of an updated resource. @default none */
    readonly updated?: Readonly<Record<string, (inputs: Properties) => Properties>>;
    /** Answers about existing resources. */
    readonly found: Readonly<Record<string, (args: Properties) => Properties>>;
}

interface Created {
    readonly name: string;
    /** At the end of its name. Controllers of a cluster are numbered, and no two share an address. */
    readonly number: number;
    readonly inputs: Properties;
}

/** A lookup that finds nothing. */
export const missing = (message: string) => () => {
    throw new Error(message);
};

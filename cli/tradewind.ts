import { UsageError } from "../command-line/parse";

interface Command {
    /** In a few words, for the list of commands. */
    readonly summary: string;
    /** Loaded only when it is called: each command starts with no more than it needs. */
    readonly load: () => { readonly help: string; run(args: readonly string[]): Promise<number> };
}

const isPackage = __filename.endsWith(".js");

/** Every command, by its name; each is a file of `commands/`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
    drill: {
        summary: "loses all controllers, restores them, and compares every object",
        load: () => require("./drill/command"),
    },
    graph: {
        summary: "a picture of a cluster: network, nodes, control plane",
        load: () => require("./graph/command"),
    },
    preview: {
        summary: "what a change does to stacks, as a comment for its pull request",
        load: () => require("./preview/command"),
    },
    recover: {
        summary: "brings back a control plane that is gone",
        load: () => require("./recover/command"),
    },
    snapshot: {
        summary: "takes a snapshot of etcd now, or lists those that there are",
        load: () => require("./snapshot/command"),
    },
    status: {
        summary: "what runs where, and what is wrong with it",
        load: () => require("./status/command"),
    },
    "support-bundle": {
        summary: "what helps to find out what is wrong, in one file without secrets",
        load: () => require("./support-bundle/command"),
    },
    timeline: {
        summary: "a picture of how long what took: the boot and the last change",
        load: () => require("./timeline/command"),
    },
    updates: {
        summary: "which newer Kubernetes a stack may have, as a change to be reviewed",
        load: () => require("./updates/command"),
    },
};

/** `tradewind <command>`: what is done with a cluster after it was made, beside `pulumi`. */
export async function main([name, ...args]: readonly string[]): Promise<number> {
    if (name === undefined || ["help", "--help", "-h"].includes(name)) {
        process.stdout.write(overview());
        return name === undefined ? 2 : 0;
    }
    if (!Object.hasOwn(COMMANDS, name)) {
        throw new UsageError(
            `command must be one of ${Object.keys(COMMANDS).join(", ")}, got ${name}; see tradewind --help`,
        );
    }
    if (isPackage && OF_CHECKOUT.includes(name)) {
        throw new UsageError(`tradewind ${name} must be called in a checkout of Tradewind, got the npm package`);
    }
    return COMMANDS[name]!.load().run(args);
}

/** Every command in a line. */
export function overview(): string {
    const shown = Object.entries(COMMANDS).filter(([name]) => !(isPackage && OF_CHECKOUT.includes(name)));
    const width = Math.max(...shown.map(([name]) => name.length));
    const lines = shown.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
    return `Looks after clusters that Tradewind made.

Usage: tradewind COMMAND [options]        with the npm package: npx --no-install tradewind COMMAND [options]
                                          in a checkout: npm run tradewind -- COMMAND [options]

${lines.join("\n")}

tradewind COMMAND --help tells more.
`;
}

/** Commands of `tradewind` that the package is without: they need the simulator, or the program of local clusters. */
export const OF_CHECKOUT: readonly string[] = ["drill"];

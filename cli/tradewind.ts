import { UsageError } from "../command-line/parse";

interface Command {
    /** Shown in the list of commands. */
    readonly summary: string;
    /** Loads the command on demand, to keep startup fast. */
    readonly load: () => { readonly help: string; run(args: readonly string[]): Promise<number> };
}

const isPackage = __filename.endsWith(".js");

/** Every command by name; each has a folder of its own. */
export const COMMANDS: Readonly<Record<string, Command>> = {
    drill: {
        summary: "test disaster recovery: destroy all controllers, restore them, compare every object",
        load: () => require("./drill/command"),
    },
    graph: {
        summary: "draw a cluster: network, nodes, control plane",
        load: () => require("./graph/command"),
    },
    preview: {
        summary: "preview the changes to stacks as a pull request comment",
        load: () => require("./preview/command"),
    },
    recover: {
        summary: "recover a lost control plane",
        load: () => require("./recover/command"),
    },
    snapshot: {
        summary: "take an etcd snapshot, or list the existing ones",
        load: () => require("./snapshot/command"),
    },
    status: {
        summary: "show what runs where, what is wrong and how to fix it",
        load: () => require("./status/command"),
    },
    "support-bundle": {
        summary: "collect logs and diagnostics into one file without secrets",
        load: () => require("./support-bundle/command"),
    },
    timeline: {
        summary: "draw how long each step of the boot and the last change took",
        load: () => require("./timeline/command"),
    },
    updates: {
        summary: "list or write newer Kubernetes versions for a stack",
        load: () => require("./updates/command"),
    },
};

/** `tradewind <command>`: operates existing clusters, alongside `pulumi`. */
export async function main([name, ...args]: readonly string[]): Promise<number> {
    if (name === undefined || ["help", "--help", "-h"].includes(name)) {
        process.stdout.write(overview());
        return name === undefined ? 2 : 0;
    }
    if (!Object.hasOwn(COMMANDS, name)) {
        throw new UsageError(
            `unknown command ${name}; commands: ${Object.keys(COMMANDS).join(", ")} (see tradewind --help)`,
        );
    }
    if (isPackage && OF_CHECKOUT.includes(name)) {
        throw new UsageError(`tradewind ${name} is not part of the npm package; run it in a checkout of Tradewind`);
    }
    return COMMANDS[name]!.load().run(args);
}

/** One line per command. */
export function overview(): string {
    const shown = Object.entries(COMMANDS).filter(([name]) => !(isPackage && OF_CHECKOUT.includes(name)));
    const width = Math.max(...shown.map(([name]) => name.length));
    const lines = shown.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
    return `Operates clusters created by Tradewind.

Usage: tradewind COMMAND [options]        with the npm package: npx --no-install tradewind COMMAND [options]
                                          in a checkout: npm run tradewind -- COMMAND [options]

${lines.join("\n")}

Run tradewind COMMAND --help for the options of a command.
`;
}

/** Commands missing from the npm package because they need the simulator or the Pulumi program of local clusters. */
export const OF_CHECKOUT: readonly string[] = ["drill"];

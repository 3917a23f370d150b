import { withPrintableOutput } from "../clients/printable";
import { type Commands, commandGroup } from "../command-line/command";
import { UsageError } from "../command-line/parse";

/** Commands missing from the npm package because they need the simulator or the Pulumi program of local clusters. */
export const OF_CHECKOUT: readonly string[] = ["drill", "rehearse", "verify-cloud"];

/** Every command by name; each has a folder of its own. */
export const COMMANDS: Commands = {
    accept: {
        summary: "take over what someone changed with kubectl into a stack's configuration",
        load: () => require("./accept/command").program,
    },
    "break-glass": {
        summary: "write a kubeconfig with unlimited permissions for a few hours",
        load: () => require("./break-glass/command").program,
    },
    bundle: {
        summary: "write images and files for a site without internet into one file, verify or serve it",
        load: () => require("./bundle/command").program,
    },
    demote: {
        summary: "make a controller a candidate for controllers again",
        load: () => require("./demote/command").program,
    },
    drill: {
        summary: "test disaster recovery: destroy all controllers, restore them, compare all objects",
        load: () => require("./drill/command").program,
    },
    graph: {
        summary: "draw a cluster: network, nodes, control plane",
        load: () => require("./graph/command").program,
    },
    "join-token": {
        summary: "let a machine that the stack did not create join a pool, and print its config",
        load: () => require("./join-token/command").program,
    },
    manifests: {
        summary: "print the manifests of a stack, or what the cluster has of them",
        load: () => require("./manifests/command").program,
    },
    phase: {
        summary: "list the phases of a cluster's life and their steps, and how to run each by hand",
        load: () => require("./phase/command").program,
    },
    preview: {
        summary: "preview the changes to stacks as a pull request comment",
        load: () => require("./preview/command").program,
    },
    promote: {
        summary: "make a candidate a controller",
        load: () => require("./promote/command").program,
    },
    recover: {
        summary: "recover a lost control plane",
        load: () => require("./recover/command").program,
    },
    rehearse: {
        summary: "rehearse an upgrade on a copy of a cluster's data",
        load: () => require("./rehearse/command").program,
    },
    reset: {
        summary: "remove a machine that joined by a token, and clean it",
        load: () => require("./reset/command").program,
    },
    snapshot: {
        summary: "take an etcd snapshot, or list the existing ones",
        load: () => require("./snapshot/command").program,
    },
    status: {
        summary: "show what runs where, what is wrong and how to fix it",
        load: () => require("./status/command").program,
    },
    "support-bundle": {
        summary: "collect logs and diagnostics into one file without secrets",
        load: () => require("./support-bundle/command").program,
    },
    updates: {
        summary: "list or write newer Kubernetes versions for a stack",
        load: () => require("./updates/command").program,
    },
    "upgrade-guard": {
        summary: "show what the upgrade guard did, end or extend its soak",
        load: () => require("./upgrade-guard/command").program,
    },
    usage: {
        summary: "show requested and used CPU and memory per pool and namespace, and their share of the price",
        load: () => require("./usage/command").program,
    },
    "verify-cloud": {
        summary: "verify a cloud account: create the smallest cluster, check it, destroy it",
        load: () => require("./verify-cloud/command").program,
    },
};

const isPackage = __filename.endsWith(".js");
const isHere = (name: string) => !(isPackage && OF_CHECKOUT.includes(name));

/** `tradewind <command>`: operates existing clusters, alongside `pulumi`. */
export const tradewind = commandGroup({
    name: "tradewind",
    about: "Operates clusters created by Tradewind.",
    commands: Object.fromEntries(Object.entries(COMMANDS).filter(([name]) => isHere(name))),
    notes: `Run tradewind COMMAND --help for the options of a command. With the npm package, tradewind is
npx --no-install tradewind; in a checkout, it is npm run tradewind --.

Exit codes:
  0  done
  1  failed; the error says why
  2  invalid command line`,
});

export async function main(args: readonly string[]): Promise<number> {
    const [name = ""] = args;
    if (Object.hasOwn(COMMANDS, name) && !isHere(name)) {
        throw new UsageError(`tradewind ${name} is not part of the npm package; run it in a checkout of Tradewind`);
    }
    return withPrintableOutput(() => tradewind.run(args));
}

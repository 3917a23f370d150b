import { parseDocument } from "yaml";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { command } from "../../command-line/command";
import { flag, UsageError, type Values } from "../../command-line/parse";
import { replaceFile } from "../../command-line/replace-file";
import { requireLocalCluster } from "../../local/state";
import { plannedManifests } from "../manifests/command";
import { appliedManifests, liveManifests } from "../manifests/manifests";
import { clusterOptions, reachCluster } from "../reach/cluster";
import { readStackFile, stackFilesIn } from "../updates/stack-file";
import { type Accepted, type Changes, foreignChanges } from "./changes";

const { name, stack, context } = clusterOptions;
const options = {
    write: flag("write the values into the stack's configuration; without it, they are only shown"),
    ...{ name, stack, context },
};

export const program = command(
    {
        name: "tradewind accept",
        about: "Takes over what someone changed with kubectl: flags and images of the control plane and add-ons become values of the stack's configuration. Anything else stays as the stack has it, and is listed.",
        options,
        notes: `Runs pulumi preview, and changes no cluster. What the stack itself changes, by an edit of its configuration or a newer
release, is left out; so is what pulumi refresh has recorded. Without accepting a change, pulumi up --refresh reverts it.

Examples:
  tradewind accept --stack prod           what would be written, and what cannot be
  tradewind accept --stack prod --write   then review the file, and run pulumi preview

Exit codes:
  0  every change can be accepted, or there is none
  1  some cannot: the output lists them`,
    },
    accept,
);

/** `tradewind accept`: 1 if there are changes that the configuration cannot express. */
async function accept({ write, ...choice }: Values<typeof options>): Promise<number> {
    const reached = await reachCluster(choice);
    if (reached.state === undefined) throw new UsageError("changes are compared with a stack; use --name or --stack");
    const { connection, local } = reached.access;
    if (connection === undefined) throw new Error(`${reached.access.name} has no kubeconfig yet`);
    const planned = (await plannedManifests(reached, choice.stack)).filter(({ kind }) => kind !== "Secret");
    const live = await clientOf(connection, "tradewind-accept").closeAfter((api) => liveManifests(api, planned));
    const file = local === undefined ? fileOf(choice.stack!) : requireLocalCluster(local).config;
    const { text } = readStackFile(file);
    const applied = await appliedManifests(reached.state);
    const changes = foreignChanges({ planned, applied, live }, (path) =>
        parseDocument(text).hasIn(["config", ...path]),
    );
    if (write && changes.accepted.length > 0) replaceFile(file, withAccepted(text, changes.accepted));
    console.log(describe(changes, file, write));
    return changes.others.length > 0 ? 1 : 0;
}

/** The file in this folder's project. */
function fileOf(stack: string): string {
    // A stack of an organization has its name last.
    const own = `Pulumi.${stack.split("/").at(-1)}.yaml`;
    const found = stackFilesIn(process.cwd()).find((path) => path.endsWith(own));
    if (found === undefined) throw new UsageError(`the project in this folder has no ${own}`);
    return found;
}

/** Sets and removes values; comments and all other lines stay. */
export function withAccepted(text: string, accepted: readonly Accepted[]): string {
    const document = parseDocument(text);
    for (const { path, value } of accepted) {
        const at = ["config", ...path];
        if (value === undefined) document.deleteIn(at);
        else document.setIn(at, value);
    }
    return document.toString({ lineWidth: 0 });
}

export function describe({ accepted, others, pending }: Changes, file: string, isWritten: boolean): string {
    if (accepted.length + others.length + pending.length === 0) {
        return "the cluster has everything as the stack declares it";
    }
    const values = accepted.map(({ path, value }) => `  ${path.join(".")}: ${value ?? "(removed)"}`);
    const wrote = isWritten
        ? [`${file} now has:`, ...values, "Review it, then run pulumi preview: flags and images are checked there."]
        : [`${file} would have, with --write:`, ...values];
    return [
        ...(accepted.length + others.length === 0
            ? ["the cluster has everything as the last pulumi up applied it"]
            : []),
        ...(accepted.length > 0 ? wrote : []),
        ...(others.length > 0
            ? ["Not an option of the configuration; pulumi up --refresh reverts:", ...others.map((line) => `  ${line}`)]
            : []),
        ...(pending.length > 0
            ? [
                  "Changed by the stack's own configuration or release since the last pulumi up, and left out:",
                  ...pending.map((line) => `  ${line}`),
              ]
            : []),
    ].join("\n");
}

import { clientOf } from "../../clients/kubernetes/kubeconfig";
import type { Fields } from "../../clients/kubernetes/objects";
import { command } from "../../command-line/command";
import { flag, UsageError, type Values } from "../../command-line/parse";
import { replaceFile } from "../../command-line/replace-file";
import { requireLocalCluster } from "../../local/state";
import { withValue } from "../../local/updated-yaml";
import { plannedManifests } from "../manifests/command";
import { appliedManifests, liveManifests } from "../manifests/manifests";
import { clusterOptions, reachCluster } from "../reach/cluster";
import { readStackConfig, stackFilesIn, valueAt } from "../updates/stack-file";
import { type Accepted, type Changes, foreignChanges } from "./changes";

const { name, stack, context } = clusterOptions;
const options = {
    write: flag("write the values into the stack's configuration; without it, they are only shown"),
    ...{ name, stack, context },
};

export const program = command(
    {
        name: "tradewind accept",
        about: "Takes over what someone changed with kubectl: flags and images of the control plane and add-ons become values of the stack's configuration. Other changes are listed.",
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
    const stored = readStackConfig(file);
    const applied = await appliedManifests(reached.state);
    const isConfigured = (path: readonly string[]) => valueAt(stored.config, path) !== undefined;
    const changes = foreignChanges({ planned, applied, live }, isConfigured);
    if (write && changes.accepted.length > 0) replaceFile(file, withAccepted(stored, changes.accepted));
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

/** Sets and removes values; comments and other values stay. */
export function withAccepted(
    { text, config }: ReturnType<typeof readStackConfig>,
    accepted: readonly Accepted[],
): string {
    const changed = accepted.reduce<Fields>((all, { path, value }) => withValueAt(all, path, value), config);
    return withValue(text, "config", changed);
}

function withValueAt(all: unknown, [key, ...path]: readonly string[], value: string | undefined): Fields {
    const { [key!]: before, ...others } = (all ?? {}) as Fields;
    if (path.length > 0) return { ...others, [key!]: withValueAt(before, path, value) };
    return { ...others, ...(value !== undefined && { [key!]: value }) };
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

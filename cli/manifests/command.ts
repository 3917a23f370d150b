import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { command } from "../../command-line/command";
import { flag, UsageError, type Values } from "../../command-line/parse";
import { previewStack } from "../preview/engine";
import { engineOnPath, localEngine } from "../preview/engines";
import { clusterOptions, type ReachedCluster, reachCluster } from "../reach/cluster";
import { plain } from "../reach/stack-record";
import { liveManifests, type Manifest, manifestsOf, missingFrom, render } from "./manifests";

const { name, stack, context } = clusterOptions;
const options = {
    live: flag("print the objects of the stack as the cluster has them, instead of what pulumi up would apply"),
    name,
    stack,
    context: { ...context, needs: "--live" },
};

type ManifestsOptions = Values<typeof options>;

export const program = command(
    {
        name: "tradewind manifests",
        about: "Prints the Kubernetes manifests of a stack as YAML, without Secrets: those that pulumi up would apply, or what the cluster has.",
        options,
        notes: `Read-only: it runs pulumi preview. Secrets are left out; standard error names them.

Examples:
  tradewind manifests --stack prod > prod.yaml           to read, or for a GitOps repository
  tradewind manifests --stack prod | kubectl diff -f -   what up would change
  tradewind manifests --stack prod --live                with defaults, and changes by others`,
    },
    manifests,
);

/** `tradewind manifests`: 0 if all were printed. */
async function manifests(chosen: ManifestsOptions): Promise<number> {
    const reached = await reachCluster(chosen);
    if (reached.state === undefined) {
        throw new UsageError("manifests are in a cluster's stack; use --name or --stack");
    }
    const shown = chosen.live
        ? await live(reached)
        : { all: await plannedManifests(reached, chosen.stack), missing: [] };
    const { yaml, notes } = render(shown.all);
    for (const note of [...notes, ...shown.missing]) process.stderr.write(`${note}\n`);
    process.stdout.write(yaml);
    return 0;
}

async function live({ access: { connection, name }, state }: ReachedCluster) {
    if (connection === undefined) throw new Error(`${name} has no kubeconfig yet`);
    const resources = (await state!()).deployment?.resources ?? [];
    const current = resources.filter((resource) => resource.delete !== true);
    const applied = manifestsOf(current.map(({ type, outputs }) => ({ type, values: plain(outputs) })));
    const readable = applied.filter(({ kind }) => kind !== "Secret");
    const all = await clientOf(connection, "tradewind-manifests").closeAfter((api) => liveManifests(api, readable));
    return { all, missing: missingFrom(all, readable) };
}

/** What `up` would apply. @param stack - a cloud cluster's. @default - a local cluster's */
export async function plannedManifests({ access }: ReachedCluster, stack: string | undefined): Promise<Manifest[]> {
    const engine = stack === undefined ? await localEngine(access.local!) : engineOnPath(stack, process.cwd());
    const { preview, failure } = await previewStack(stack ?? access.local!, engine);
    if (failure !== undefined || preview === undefined) {
        const errors = preview?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
        const reasons = [...errors.map(({ message }) => message), failure ?? ""].filter(Boolean);
        throw new Error(`pulumi preview failed: ${reasons.join("\n")}`);
    }
    return manifestsOf(preview.steps.map(({ type, new: values }) => ({ type, values })));
}

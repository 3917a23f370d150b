import type { Manifest } from "../../cluster/manifest";
import type { Container, PodSpec } from "../../cluster/manifests/pod";

/** Access of pods to their nodes: a row for each workload. */
export function podPermissions(manifests: readonly Manifest[]): string[][] {
    return manifests.flatMap((manifest) => {
        const spec = podSpecOf(manifest);
        return spec ? [[`\`${manifest.metadata.name}\``, users(spec), host(spec), paths(spec)]] : [];
    });
}

function podSpecOf({ kind, spec }: Manifest): PodSpec | undefined {
    const template = (of: unknown) => (of as { template: { spec: PodSpec } }).template.spec;
    switch (kind) {
        case "Pod":
            return spec as PodSpec;
        case "DaemonSet":
        case "Deployment":
        case "Job":
            return template(spec);
        case "CronJob":
            return template((spec as { jobTemplate: { spec: unknown } }).jobTemplate.spec);
        default:
            return undefined;
    }
}

function containersOf({ containers, initContainers = [] }: PodSpec): Container[] {
    return [...(initContainers as Container[]), ...(containers as Container[])];
}

interface Security {
    readonly runAsUser?: number;
    readonly privileged?: boolean;
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
}

/** The user of its containers, and their capabilities. */
function users(spec: PodSpec): string {
    const own = spec.securityContext as Security | undefined;
    const each = containersOf(spec).map(({ securityContext }) => {
        const security = { ...own, ...(securityContext as Security | undefined) };
        return [userName(security.runAsUser), ...permissions(security)].join(", ");
    });
    return [...new Set(each)].join("; ");
}

function userName(id: number | undefined): string {
    return id === undefined ? "the image's user" : ({ 0: "root", 65534: "nobody" }[id] ?? String(id));
}

function permissions({ privileged, capabilities }: Security): string[] {
    if (privileged) return ["**privileged**"];
    const added = capabilities?.add ?? [];
    const dropsAll = capabilities?.drop?.includes("ALL");
    if (added.length === 0) return [dropsAll ? "no capabilities" : "the runtime's capabilities"];
    return [`${dropsAll ? "" : "the runtime's capabilities and "}${added.map((name) => `\`${name}\``).join(", ")}`];
}

function host({ hostNetwork, hostPID }: PodSpec): string {
    return [...(hostNetwork ? ["network"] : []), ...(hostPID ? ["**processes**"] : [])].join(", ") || "nothing";
}

/** Host paths, writable ones first. */
function paths(spec: PodSpec): string {
    const isPrivileged = containersOf(spec).some(({ securityContext }) => (securityContext as Security)?.privileged);
    // Through host processes: each exposes its files in /proc.
    if (spec.hostPID && isPrivileged) return "writes **all**";
    const mounts = containersOf(spec).flatMap(({ volumeMounts = [] }) => volumeMounts as Mount[]);
    const volumes = (spec.volumes ?? []) as { name: string; hostPath?: { path: string } }[];
    const shown = volumes.flatMap(({ name, hostPath }) => {
        const uses = mounts.filter((mount) => mount.name === name);
        return hostPath ? [{ path: hostPath.path, isWritable: uses.some(({ readOnly }) => !readOnly) }] : [];
    });
    const list = (isWritable: boolean) =>
        shown.filter((each) => each.isWritable === isWritable).map(({ path }) => `\`${path}\``);
    return (
        [["writes", list(true)] as const, ["reads", list(false)] as const]
            .filter(([, all]) => all.length > 0)
            .map(([how, all]) => `${how} ${all.join(", ")}`)
            .join("; ") || "none"
    );
}

interface Mount {
    readonly name: string;
    readonly readOnly?: boolean;
}

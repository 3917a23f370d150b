import {
    cniPluginsAnnotation,
    containerRuntimeAnnotation,
    versionAnnotation,
} from "../../agents/nodes/node-agent/plan";
import { versionOfImage } from "../../cluster/upgrades/version";
import { isObject } from "./differences";
import type { Diagnostic } from "./model";
import { at, templateOf, type Workload } from "./workloads";

/** A version change and the components it affects. */
export interface VersionChange {
    readonly what: readonly string[];
    readonly from: string;
    readonly to: string;
}

/** Version changes, one line for all components with the same old and new version. */
export function versionChanges(workloads: readonly Workload[], diagnostics: readonly Diagnostic[]): VersionChange[] {
    const changes = [
        ...diagnostics.flatMap(({ message }) => etcdChange(message)),
        ...workloads.flatMap((workload) => [
            ...imageChanges(workload),
            ...kubeletChange(workload),
            ...cniPluginsChange(workload),
            ...runtimeChange(workload),
        ]),
    ];
    const groups = new Map<string, { from: string; to: string; what: Set<string> }>();
    for (const { what, from, to } of changes) {
        const key = `${from} ${to}`;
        const group = groups.get(key) ?? { from, to, what: new Set() };
        groups.set(key, group);
        group.what.add(what);
    }
    return [...groups.values()].map(({ from, to, what }) => ({ from, to, what: [...what].sort() }));
}

interface Change {
    readonly what: string;
    readonly from: string;
    readonly to: string;
}

/** etcd members are not resources of the stack, which reports their changes as messages: components/upgrade/etcd-changes.ts. */
function etcdChange(message: string): Change[] {
    const [, node, from = "", to = ""] = /^etcd of (\S+): (\d\S*) becomes (\d[^\s,]*)/.exec(message) ?? [];
    return node === undefined ? [] : [{ what: `etcd of ${node}`, from, to }];
}

function imageChanges({ step }: Workload): Change[] {
    const before = imagesOf(templateOf(step.old));
    return Object.entries(imagesOf(templateOf(step.new))).flatMap(([container, image]) => {
        const from = before[container];
        if (from === undefined || from === image) return [];
        return [{ what: nameOf(image), from: shown(from), to: shown(image) }];
    });
}

/** The kubelet version set by a pool's node-agent. */
export function kubeletChange(workload: Workload): Change[] {
    return annotationChange(workload, versionAnnotation, "kubelets");
}

/** The same for its CNI plugins, by the first digits of the archive's SHA-256. */
export function cniPluginsChange(workload: Workload): Change[] {
    return annotationChange(workload, cniPluginsAnnotation, "CNI plugins");
}

/** The same for its container runtime: the archive of containerd, and runc. */
export function runtimeChange(workload: Workload): Change[] {
    return annotationChange(workload, containerRuntimeAnnotation, "containerd and runc");
}

function annotationChange({ step, name }: Workload, annotation: string, what: string): Change[] {
    const value = (values: typeof step.old) =>
        at(templateOf(values), "metadata", "annotations", annotation) as string | undefined;
    const [from, to] = [value(step.old), value(step.new)];
    if (from === undefined || to === undefined || from === to) return [];
    return [{ what: `${what} of ${name.replace(/^node-agent-/, "")}`, from, to }];
}

/** Images by container name. */
function imagesOf(template: unknown): Record<string, string> {
    const lists = ["initContainers", "containers"].map((list) => at(template, "spec", list));
    const containers = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter(isObject);
    return Object.fromEntries(containers.map(({ name, image }) => [String(name), String(image)]));
}

/** `registry.k8s.io/kube-proxy:v1.36.3@sha256:…` is `kube-proxy`. */
function nameOf(image: string): string {
    return /([^/:@]+)(?::[^/@]*)?(?:@.*)?$/.exec(image)?.[1] ?? image;
}

function shown(image: string): string {
    return versionOfImage(image) ?? image.split("/").at(-1)!;
}

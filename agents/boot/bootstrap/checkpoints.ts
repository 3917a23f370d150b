import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import type { DaemonSet, Volume } from "../../../clients/kubernetes/objects";
import { draftWith } from "../../checkpointer/draft";
import { copyFileName } from "../../checkpointer/plan";
import type { SavedFile } from "../../checkpointer/saved-files";
import { startCopy } from "../../checkpointer/static-pods";
import { type Checkpoint, Store } from "../../checkpointer/store";
import { writeDurably } from "../../harness/durable";
import { type KubernetesObject, readManifests } from "./manifests";
import type { BootstrapPlan, SelfHostedComponent } from "./plan";

/** A component as the checkpointer names it. */
export function parentOf({ namespace, name }: Pick<SelfHostedComponent, "namespace" | "name">): string {
    return `${namespace}/${name}`;
}

/** The component that all others depend on. */
export function apiserverOf({ selfHosted }: BootstrapPlan): SelfHostedComponent {
    return selfHosted.find(isApiserver)!;
}

/** The components that work through the API. */
export function controllersOf({ selfHosted }: BootstrapPlan): SelfHostedComponent[] {
    return selfHosted.filter((component) => !isApiserver(component));
}

function isApiserver({ name }: SelfHostedComponent): boolean {
    return name === "kube-apiserver";
}

/**
 * Writes a component's checkpoint from the manifests, as the checkpointer would save it from the running pod.
 *
 * @returns whether it wrote one: not if a pod of this machine has proved itself, unless this is a recovery
 */
export function writeCheckpoint(plan: BootstrapPlan, component: SelfHostedComponent): boolean {
    const store = new Store(plan.directories.checkpoints);
    const parent = parentOf(component);
    store.verify();
    if (!plan.recovery && store.current(parent)?.uid) {
        return false;
    }
    const groups = readManifests(join(plan.directories.assets, "manifests"));
    const objects = groups.flatMap((group) => group.objects.map(({ object }) => object));
    const pod = podOf(find(objects, "DaemonSet", component) as unknown as DaemonSet, component);
    const draft = draftWith(pod, parent, ({ name }) =>
        filesOf(pod.spec.volumes!.find((volume) => volume.name === name)!, component, objects),
    );
    store.save(draft, new Date());
    return true;
}

/** The pod that a DaemonSet would have here. It has no UID, since it does not exist. */
function podOf({ metadata, spec }: DaemonSet, { namespace, priority }: SelfHostedComponent): NodePod {
    const { template } = spec!;
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...template.metadata, name: metadata.name, namespace, uid: "" },
        // The admission plugin that resolves priority classes is not running yet.
        spec: { ...template.spec, priority },
    } as NodePod;
}

/** The files of a pod's Secret or ConfigMap. */
function filesOf(
    { secret, configMap }: Volume,
    { namespace }: SelfHostedComponent,
    objects: readonly KubernetesObject[],
): SavedFile[] {
    const { defaultMode: mode = 0o644 } = (secret ?? configMap) as { readonly defaultMode?: number };
    const [kind, name, encoding] = secret
        ? (["Secret", (secret as { secretName: string }).secretName, "base64"] as const)
        : (["ConfigMap", (configMap as { name: string }).name, "utf8"] as const);
    const { data = {} } = find(objects, kind, { namespace, name });
    return Object.keys(data)
        .sort()
        .map((path) => ({ path, mode, uid: 0, gid: 0, content: Buffer.from(data[path]!, encoding) }));
}

function find(
    objects: readonly KubernetesObject[],
    kind: string,
    { namespace, name }: Pick<SelfHostedComponent, "namespace" | "name">,
): KubernetesObject {
    const found = objects.find(
        ({ kind: own, metadata }) => own === kind && metadata.namespace === namespace && metadata.name === name,
    );
    if (found === undefined) {
        throw new Error(`the manifests must contain ${kind} ${namespace}/${name}`);
    }
    return found;
}

/** A component's checkpoint, which `writeCheckpoint` has written or left. */
export function checkpointOf({ directories }: BootstrapPlan, component: SelfHostedComponent): Checkpoint {
    const checkpoint = new Store(directories.checkpoints).current(parentOf(component));
    if (checkpoint === undefined) {
        throw new Error(`${directories.checkpoints} must contain a checkpoint of ${parentOf(component)}`);
    }
    return checkpoint;
}

/** Makes the kubelet run a component from its checkpoint. Returns whether anything changed. */
export function startFromCheckpoint(plan: BootstrapPlan, component: SelfHostedComponent): boolean {
    const { checkpoints, staticPods } = plan.directories;
    const parent = parentOf(component);
    const isOther = existsSync(join(staticPods, copyFileName(parent)));
    const isWritten = startCopy(staticPods, parent, new Store(checkpoints).manifest(parent));
    // A kubelet that has not reached the API since its start replaces no static pod.
    if (isWritten && isOther) restartKubelet(plan);
    return isWritten;
}

/** Asks the host to restart the kubelet, which leaves its containers alone. */
export function restartKubelet({ kubeletRestart }: Pick<BootstrapPlan, "kubeletRestart">): void {
    writeDurably(kubeletRestart, "");
}

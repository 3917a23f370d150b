import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import type { DaemonSet, Volume } from "../../../clients/kubernetes/objects";
import { type Draft, draftWith } from "../../checkpointer/draft";
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
 * Writes the components' checkpoints from the manifests, as the checkpointer would save them from running pods.
 *
 * @returns those it wrote: none of which a pod of this machine has proved itself, unless this is a recovery
 */
export function writeCheckpoints({ directories, selfHosted, recovery }: BootstrapPlan): SelfHostedComponent[] {
    const store = new Store(directories.checkpoints);
    store.verify();
    const groups = readManifests(join(directories.assets, "manifests"));
    const objects = groups.flatMap((group) => group.objects.map(({ object }) => object));
    const written = selfHosted.filter((component) => recovery || !store.current(parentOf(component))?.uid);
    for (const component of written) store.save(draftFrom(objects, component), new Date());
    return written;
}

function draftFrom(objects: readonly KubernetesObject[], component: SelfHostedComponent): Draft {
    const pod = podOf(find(objects, "DaemonSet", component) as unknown as DaemonSet, component);
    return draftWith(pod, parentOf(component), ({ name }) =>
        filesOf(pod.spec.volumes!.find((volume) => volume.name === name)!, component, objects),
    );
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

/** A component's checkpoint, which `writeCheckpoints` has written or left. */
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

/** Whether the kubelet is to run a component from its checkpoint: nothing has stopped this copy. */
export function isStarted({ directories }: BootstrapPlan, component: SelfHostedComponent): boolean {
    return existsSync(join(directories.staticPods, copyFileName(parentOf(component))));
}

/** Asks the host to restart the kubelet, which leaves its containers alone. */
export function restartKubelet({ kubeletRestart }: Pick<BootstrapPlan, "kubeletRestart">): void {
    writeDurably(kubeletRestart, "");
}

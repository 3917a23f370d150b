import { ValidatingAdmissionPolicy } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicy";
import { ValidatingAdmissionPolicyBinding } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicyBinding";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { CustomResourceDefinition } from "@pulumi/kubernetes/apiextensions/v1/customResourceDefinition";
import { APIService } from "@pulumi/kubernetes/apiregistration/v1/apiservice";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { CronJob } from "@pulumi/kubernetes/batch/v1/cronJob";
import { Job } from "@pulumi/kubernetes/batch/v1/job";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { Node } from "@pulumi/kubernetes/core/v1/node";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget";
import type { Provider } from "@pulumi/kubernetes/provider";
import { ClusterRole } from "@pulumi/kubernetes/rbac/v1/clusterRole";
import { ClusterRoleBinding } from "@pulumi/kubernetes/rbac/v1/clusterRoleBinding";
import { Role } from "@pulumi/kubernetes/rbac/v1/role";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding";
import { CSIDriver } from "@pulumi/kubernetes/storage/v1/csidriver";
import { StorageClass } from "@pulumi/kubernetes/storage/v1/storageClass";
import * as pulumi from "@pulumi/pulumi";
import { type Manifest, manifestKey, owned } from "../../cluster/manifest";
import type { Cluster } from "../../cluster/model";
import { forSelinux } from "../../cluster/selinux";
import { objectHooks } from "../rollout/cluster-provider";

type ResourceClass = new (name: string, args: never, opts?: pulumi.CustomResourceOptions) => pulumi.CustomResource;

// Imported individually: the whole SDK takes a second to load, in every preview.
const classes: Record<string, ResourceClass> = {
    APIService,
    CSIDriver,
    ClusterRole,
    ClusterRoleBinding,
    ConfigMap,
    CronJob,
    CustomResourceDefinition,
    DaemonSet,
    Deployment,
    Job,
    Node,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    Role,
    RoleBinding,
    Secret,
    Service,
    ServiceAccount,
    StorageClass,
    ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding,
    VolumeSnapshotClass: CustomResource,
};

/** How long Pulumi waits for the pods of an object. @param waves - how many sequential rollouts a change takes */
export function rollout(
    { rolloutSeconds }: Pick<Cluster, "rolloutSeconds">,
    waves = 1,
): { readonly customTimeouts: pulumi.CustomTimeouts } {
    const update = rolloutSeconds * Math.max(1, waves);
    return { customTimeouts: { create: `${rolloutSeconds}s`, update: `${update}s` } };
}

/** Adds a manifest to Pulumi's resources. `fields` replaces fields whose values are known later. */
export function kubernetesObject(
    cluster: string,
    manifest: Manifest,
    opts: pulumi.CustomResourceOptions,
    fields: Record<string, pulumi.Input<unknown>> = {},
): pulumi.CustomResource {
    const resourceClass = classes[manifest.kind];
    if (!resourceClass) {
        throw new Error(`a manifest's kind must be one of ${Object.keys(classes).join(", ")} (got ${manifest.kind})`);
    }
    const all = { ...opts, hooks: objectHooks(opts) };
    const args = manifest.kind === definition ? forSdk(owned(manifest)) : owned(manifest);
    return new resourceClass(`${cluster}/${manifestKey(manifest)}`, { ...args, ...fields } as never, all);
}

const definition = "CustomResourceDefinition";

/** The SDK has `x_kubernetes_validations` for `x-kubernetes-validations`. */
export function forSdk<T>(value: T): T {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(forSdk) as T;
    const entries = Object.entries(value).map(([key, each]) => [
        key.startsWith("x-kubernetes-") ? key.replaceAll("-", "_") : key,
        forSdk(each),
    ]);
    return Object.fromEntries(entries);
}

/** An object of the stack and its resource. */
export interface CreatedObject {
    readonly manifest: Manifest;
    readonly resource: pulumi.Resource;
}

/** What every component in the cluster needs. */
export interface InCluster {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
    /** Collects what the component creates. @default - nothing reads it */
    readonly created?: CreatedObject[];
}

/** A component that waits for another one. */
export interface InClusterAfter extends InCluster {
    /** What must be healthy first. */
    readonly after: Resources;
}

/** Resources that may only be known later: their order depends on what runs. */
type Resources = readonly pulumi.Resource[] | Promise<readonly pulumi.Resource[]>;

/** The option `dependsOn` for both, in one type. */
export async function waitFor(first: Resources, others: readonly pulumi.Resource[] = []): Promise<pulumi.Resource[]> {
    return [...(await first), ...others];
}

/** Adds an object to a component: see `kubernetesObject`. `opts` is in addition to the component's own. */
export type Put = (
    manifest: Manifest,
    opts?: pulumi.CustomResourceOptions,
    fields?: Record<string, pulumi.Input<unknown>>,
) => pulumi.CustomResource;

type ComponentClass<Args, Created> = new (
    name: string,
    args: Args,
    opts?: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource & {
    /** What the component gives to others. */
    readonly created: Created;
};

/** A class of components with objects in the cluster. @param create - creates them */
export function inCluster<Args extends InCluster, Created = void>(
    type: string,
    create: (args: Args, put: Put, component: pulumi.Resource, name: string) => Created,
): ComponentClass<Args, Created> {
    return class extends pulumi.ComponentResource {
        readonly created: Created;

        constructor(name: string, args: Args, opts?: pulumi.ComponentResourceOptions) {
            super(type, name, {}, opts);
            this.created = create(args, putInto(name, { parent: this, ...args }), this, name);
            this.registerOutputs({});
        }
    };
}

/** Adds objects to the component that is their parent. */
export function putInto(
    name: string,
    { parent, cluster, provider, deletedWith, created }: InCluster & { readonly parent: pulumi.Resource },
): Put {
    return (manifest, opts, fields) => {
        const all = { parent, provider, deletedWith, ...opts };
        const resource = kubernetesObject(name, forSelinux(cluster, manifest), all, fields);
        created?.push({ manifest, resource });
        return resource;
    };
}

const workloads = ["DaemonSet", "Deployment", "Job"];

/**
 * Adds objects; those of kinds that others define wait for these, and those that run something come last. A definition
 * stays when its option is turned off, because Kubernetes would delete every object of its kind.
 * @param before - what those that run something also wait for
 */
export function putInOrder(
    put: Put,
    manifests: readonly Manifest[],
    opts: pulumi.CustomResourceOptions = {},
    before: Resources = [],
): void {
    const isWorkload = ({ kind }: Manifest) => workloads.includes(kind);
    const defined = manifests
        .filter(({ kind }) => kind === definition)
        .map((manifest) => put(manifest, { ...opts, retainOnDelete: true }));
    const needed = manifests
        .filter((manifest) => manifest.kind !== definition && !isWorkload(manifest))
        .map((manifest) =>
            put(manifest, classes[manifest.kind] === CustomResource ? { ...opts, dependsOn: defined } : opts),
        );
    const dependsOn = waitFor(before, [...defined, ...needed]);
    for (const manifest of manifests.filter(isWorkload)) put(manifest, { ...opts, dependsOn });
}

import { ValidatingAdmissionPolicy } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicy";
import { ValidatingAdmissionPolicyBinding } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicyBinding";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { CronJob } from "@pulumi/kubernetes/batch/v1/cronJob";
import { Job } from "@pulumi/kubernetes/batch/v1/job";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { Node } from "@pulumi/kubernetes/core/v1/node";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget";
import { ClusterRole } from "@pulumi/kubernetes/rbac/v1/clusterRole";
import { ClusterRoleBinding } from "@pulumi/kubernetes/rbac/v1/clusterRoleBinding";
import { Role } from "@pulumi/kubernetes/rbac/v1/role";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding";
import { CSIDriver } from "@pulumi/kubernetes/storage/v1/csidriver";
import { StorageClass } from "@pulumi/kubernetes/storage/v1/storageClass";
import type * as pulumi from "@pulumi/pulumi";
import { type Manifest, manifestKey, owned } from "../../cluster/manifest";
import type { Cluster } from "../../cluster/model";
import { objectHooks } from "../rollout/cluster-provider";

type ResourceClass = new (name: string, args: never, opts?: pulumi.CustomResourceOptions) => pulumi.CustomResource;

// Imported individually: the whole SDK takes a second to load, in every preview.
const classes: Record<string, ResourceClass> = {
    CSIDriver,
    ClusterRole,
    ClusterRoleBinding,
    ConfigMap,
    CronJob,
    DaemonSet,
    Deployment,
    Job,
    Node,
    PodDisruptionBudget,
    Role,
    RoleBinding,
    Secret,
    Service,
    ServiceAccount,
    StorageClass,
    ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding,
};

/** How long Pulumi waits for the pods of an object. @param waves - how many sequential rollouts a change takes */
export function rolloutTimeouts({ rolloutSeconds }: Pick<Cluster, "rolloutSeconds">, waves = 1): pulumi.CustomTimeouts {
    return { create: `${rolloutSeconds}s`, update: `${rolloutSeconds * Math.max(1, waves)}s` };
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
        throw new Error(`a manifest's kind must be one of ${Object.keys(classes).join(", ")}, got ${manifest.kind}`);
    }
    const all = { ...opts, hooks: objectHooks(opts) };
    return new resourceClass(`${cluster}/${manifestKey(manifest)}`, { ...owned(manifest), ...fields } as never, all);
}

const workloads = ["DaemonSet", "Deployment", "Job"];

/** Objects of manifests; those that run something come last. @param before - what these also wait for */
export function kubernetesObjects(
    cluster: string,
    manifests: readonly Manifest[],
    opts: pulumi.CustomResourceOptions,
    before: readonly pulumi.Resource[] = [],
): void {
    const isWorkload = ({ kind }: Manifest) => workloads.includes(kind);
    const needed = manifests
        .filter((manifest) => !isWorkload(manifest))
        .map((manifest) => kubernetesObject(cluster, manifest, opts));
    const dependsOn = [...before, ...needed];
    for (const manifest of manifests.filter(isWorkload)) {
        kubernetesObject(cluster, manifest, { ...opts, dependsOn });
    }
}

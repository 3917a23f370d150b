import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import type { LastingCredentials } from "../../cluster/keys/credentials";
import { type Manifest, owned } from "../../cluster/manifest";
import { controlPlane, controlPlaneBase } from "../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import { secretsRewrite } from "../../cluster/manifests/control-plane/secrets-rewrite";
import { upgradeGuard } from "../../cluster/manifests/control-plane/upgrade-guard";
import { bootstrapTokenSecret, bootstrapTokenType } from "../../cluster/manifests/nodes/bootstrap-tokens";
import { controllersRecord } from "../../cluster/manifests/nodes/controllers-record";
import { stepOf, type UpgradeOrder } from "../../cluster/upgrades/order";
import type { IssuedToken } from "../pki/issued";
import { takesHooks } from "../pulumi/engine";
import { ClusterProvider } from "../rollout/cluster-provider";
import { endedLeaderHook } from "../upgrade/ended-leader";
import type { Upgradable } from "../upgrade/guard";
import { networkHolders, networkHook } from "../upgrade/network-guard";
import { versionHook } from "../upgrade/version-hook";
import { wayBackHook } from "../upgrade/walk";
import {
    type InCluster,
    type InClusterAfter,
    inCluster,
    type Put,
    putInOrder,
    putInto,
    rollout,
    waitFor,
} from "./kubernetes-object";
import { putJobsAfter } from "./upgrade-jobs";
import { keptHook, putSoak } from "./upgrade-soak";

interface SelfHostedArgs extends Omit<Upgradable, "goesBack" | "isNew">, Omit<InCluster, "provider"> {
    readonly credentials: pulumi.Output<LastingCredentials>;
    /**
     * Tokens that machines join with. They depend on no machine, so a replaced machine does not lose its own meanwhile.
     */
    readonly tokens: readonly IssuedToken[];
    /** Indicates that the control plane has pivoted: nothing is adopted before that. */
    readonly pivot: pulumi.Resource;
    readonly order: UpgradeOrder<pulumi.Resource>;
}

/**
 * The control plane, adopted from the bootstrap and then managed by the stack.
 *
 * A change is rolled out in the order of `upgradeSteps`, each step once the previous one is healthy; the way back to an
 * older minor version in that of `stepNamesBack`.
 */
export class SelfHosted extends pulumi.ComponentResource {
    readonly provider: ClusterProvider;
    /** Which nodes are controllers. Empty without candidates. */
    readonly record: readonly pulumi.Resource[];

    constructor(name: string, args: SelfHostedArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:SelfHosted", name, {}, opts);
        const { cluster, deletedWith, created, order } = args;
        this.provider = createProvider(name, args, this);
        const owner = { parent: this, provider: this.provider, deletedWith };
        const put = putInto(name, { cluster, created, ...owner });
        // Pods of the checkpointer are replaced one at a time, each ready after it has worked for a while.
        const timeouts = rollout(cluster, cluster.controllers.names.length);
        // Before the policy that reads it. Its data belongs to node-promoter and to administrators.
        const hasCandidates = cluster.controllers.candidates.length > 0;
        this.record = hasCandidates ? [put(controllersRecord(), { ignoreChanges: ["data"] })] : [];
        const first = { ...timeouts, dependsOn: [...this.record] };
        const base = controlPlaneBase(cluster, bundleAgent("checkpointer")).map((manifest) => put(manifest, first));
        order.add("checkpointer", ...base, ...putJobsAfter("checkpointer", { cluster, ...owner }, put, base));
        createSealed(args, put, this.provider);
        createTokens(name, args, { ...owner, ...rollout(cluster) });
        this.registerOutputs({});
    }
}

function createProvider(
    name: string,
    { cluster, kubeconfig, pivot }: SelfHostedArgs,
    parent: pulumi.Resource,
): ClusterProvider {
    return new ClusterProvider(
        name,
        {
            kubeconfig: pulumi.secret(kubeconfig),
            // A literal: an unknown or changed kubeconfig would otherwise replace every object.
            clusterIdentifier: cluster.name,
            upsertExistingObjects: true,
            // Changes by others are not a conflict. Each object's field manager also removes dropped fields.
            enablePatchForce: true,
            enableConfigMapMutable: true,
            enableSecretMutable: true,
        },
        { parent, dependsOn: pivot },
    );
}

/**
 * Creates the objects whose contents depend on the PKI: their names are known at preview, their contents later.
 *
 * Everything else is a literal. Before a machine is replaced, the engine determines what depends on it: a Secret whose
 * type might change would be deleted first.
 */
function createSealed(
    { cluster, credentials, kubeconfig, wasAsked, order }: SelfHostedArgs,
    put: Put,
    provider: Provider,
): void {
    const manifests = credentials.apply((secrets) => controlPlane(cluster, secrets));
    const secrets: pulumi.Resource[] = [];
    const controllers: pulumi.Resource[] = [];
    const networks = takesHooks() && networkHook(cluster);
    const wayBack = takesHooks() && wayBackHook(cluster, kubeconfig, order.isBack);
    const endedLeader = takesHooks() && endedLeaderHook(cluster, kubeconfig);
    const kept = keptHook({ cluster, provider });
    const hooksOf = (holder: string) => [
        ...(kept ? [kept] : []),
        ...(wayBack ? [wayBack] : []),
        ...(holder === "kube-apiserver" ? [versionHook(cluster, wasAsked)] : []),
        ...(endedLeader && holder === "kube-controller-manager" ? [endedLeader] : []),
        ...(networks && networkHolders.some((each) => each === holder) ? [networks] : []),
    ];
    controlPlane(cluster, placeholderCredentials(cluster)).forEach((shape, index) => {
        const field = (key: string) => {
            const value = manifests.apply((all) => all[index]?.[key]);
            return shape.kind === "Secret" && key === "data" ? value : pulumi.unsecret(value);
        };
        const fields = Object.fromEntries(contentKeys(shape).map((key) => [key, field(key)]));
        const step = shape.kind === "DaemonSet" ? stepOf("SelfHosted", shape.metadata.name) : undefined;
        // A pod of the new template must not start with the old Secret.
        const dependsOn = step ? waitFor(order.before(step), [...secrets]) : [];
        const hooks = takesHooks() && step ? hooksOf(shape.metadata.name) : [];
        const options = { ...rollout(cluster), dependsOn, ...(hooks.length > 0 && { hooks: { beforeUpdate: hooks } }) };
        const object = put(shape, options, fields);
        if (shape.kind === "Secret") secrets.push(object);
        if (step === "apiserver") order.add(step, object, ...putJobsAfter(step, { cluster, provider }, put, [object]));
        if (step === "controllers") controllers.push(object);
    });
    const jobs = putJobsAfter("controllers", { cluster, provider }, put, controllers);
    order.add("controllers", ...controllers, ...jobs, ...putSoak({ cluster, provider }, put, controllers));
}

function contentKeys({ apiVersion, kind, metadata, type, ...content }: Manifest): string[] {
    return Object.keys(content);
}

/** Makes bootstrap tokens valid: for a limited time, or, for groups, as long as their pools exist. */
function createTokens(name: string, { tokens }: SelfHostedArgs, opts: pulumi.CustomResourceOptions): void {
    for (const { pool, node, token, end } of tokens) {
        const secret = pulumi
            .all([token, end ?? ""])
            .apply(([text, expiration]) => owned(bootstrapTokenSecret({ pool, node }, text, { expiration })));
        new Secret(
            `${name}/bootstrap-token/${node ?? pool}`,
            {
                metadata: pulumi.unsecret(secret.apply(({ metadata }) => metadata)),
                type: bootstrapTokenType,
                data: pulumi.secret(secret.apply(({ data }) => data as Record<string, string>)),
            },
            { ...opts, replaceOnChanges: ["data"], deleteBeforeReplace: true },
        );
    }
}

/**
 * Rewrites all Secrets with the first of several keys, once every kube-apiserver has it.
 *
 * The Job is kept: a key may only be removed once the Job for the current keys is complete.
 */
export const SecretsEncryption = inCluster(
    "tradewind:index:SecretsEncryption",
    ({ cluster, after }: InClusterAfter, put) => {
        putInOrder(put, secretsRewrite(cluster, bundleAgent("secrets-rewrite")), {}, after);
    },
);

/** Takes an upgrade of the control plane back if it makes the API worse: docs/upgrades.md. */
export const ControlPlaneGuard = inCluster("tradewind:index:ControlPlaneGuard", ({ cluster }: InCluster, put) => {
    putInOrder(put, upgradeGuard(cluster, bundleAgent("upgrade-guard")), rollout(cluster));
});

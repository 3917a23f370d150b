import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import type { LastingCredentials } from "../../cluster/keys/credentials";
import { type Manifest, owned } from "../../cluster/manifest";
import { controlPlane, controlPlaneBase } from "../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import type { CredentialHolder } from "../../cluster/manifests/control-plane/secrets";
import { secretsRewrite } from "../../cluster/manifests/control-plane/secrets-rewrite";
import { bootstrapTokenSecret, bootstrapTokenType } from "../../cluster/manifests/nodes/bootstrap-tokens";
import type { Cluster } from "../../cluster/model";
import type { IssuedToken } from "../pki/pki";
import { takesHooks } from "../pulumi/engine";
import { ClusterProvider } from "../rollout/cluster-provider";
import type { Upgradable } from "../upgrade/guard";
import { networkHolders, networkHook } from "../upgrade/network-guard";
import { versionHook } from "../upgrade/version-hook";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

interface SelfHostedArgs extends Upgradable {
    readonly cluster: Cluster;
    readonly credentials: pulumi.Output<LastingCredentials>;
    /** By which machines join. They depend on no machine: one that is replaced does not take its own away meanwhile. */
    readonly tokens: readonly IssuedToken[];
    /** What tells that the control plane pivoted: nothing is adopted before. */
    readonly pivot: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * The control plane, adopted from the bootstrap and owned by the stack from then on.
 *
 * A change is rolled out in the order that Kubernetes asks for, each step when the one before is whole: the checkpointer
 * first, so that what it does for the others is what it will go on with, then kube-apiserver, then what asks it.
 */
export class SelfHosted extends pulumi.ComponentResource {
    readonly provider: Provider;

    constructor(name: string, args: SelfHostedArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:SelfHosted", name, {}, opts);
        const { cluster, credentials, wasAsked, deletedWith } = args;
        this.provider = createProvider(name, args, this);
        const owner = { parent: this, provider: this.provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        // The checkpointer's pods come one after another, each ready when it has worked for a while.
        const waves = rolloutTimeouts(cluster, cluster.controllers.names.length);
        const base = controlPlaneBase(cluster, bundleAgent("checkpointer")).map((manifest) =>
            kubernetesObject(name, manifest, { ...owner, customTimeouts: waves }),
        );
        createSealed(name, { cluster, credentials, wasAsked, base }, owner);
        createTokens(name, args, owner);
        this.registerOutputs({});
    }
}

function createProvider(
    name: string,
    { cluster, kubeconfig, pivot }: SelfHostedArgs,
    parent: pulumi.Resource,
): Provider {
    return new ClusterProvider(
        name,
        {
            kubeconfig: pulumi.secret(kubeconfig),
            // A literal: an unknown or changed kubeconfig would otherwise replace every object.
            clusterIdentifier: cluster.name,
            upsertExistingObjects: true,
            // What others changed is no conflict. The field manager of every object makes dropped fields go, too.
            enablePatchForce: true,
            enableConfigMapMutable: true,
            enableSecretMutable: true,
        },
        { parent, dependsOn: pivot },
    );
}

interface SealedArgs extends Pick<SelfHostedArgs, "cluster" | "credentials" | "wasAsked"> {
    /** What has to be whole before the first component changes. */
    readonly base: pulumi.Resource[];
}

/** No other component may be newer than it. */
const firstHolder: CredentialHolder = "kube-apiserver";

/**
 * Creates the objects whose contents depend on the PKI: their names are known in preview, their contents later.
 *
 * All else is a literal. Before a machine is replaced the engine asks what depends on it: a Secret whose type might
 * change is deleted first.
 */
function createSealed(
    name: string,
    { cluster, credentials, wasAsked, base }: SealedArgs,
    opts: pulumi.CustomResourceOptions,
): void {
    const manifests = credentials.apply((secrets) => controlPlane(cluster, secrets));
    const secrets: pulumi.Resource[] = [];
    const networks = takesHooks() && networkHook(cluster);
    const hooksOf = (holder: string) => [
        ...(holder === firstHolder ? [versionHook(cluster, wasAsked)] : []),
        ...(networks && networkHolders.some((each) => each === holder) ? [networks] : []),
    ];
    let before = base;
    controlPlane(cluster, placeholderCredentials(cluster)).forEach((shape, index) => {
        const field = (key: string) => {
            const value = manifests.apply((all) => all[index]?.[key]);
            return shape.kind === "Secret" && key === "data" ? value : pulumi.unsecret(value);
        };
        const fields = Object.fromEntries(contentKeys(shape).map((key) => [key, field(key)]));
        // A pod of the new template must not start with the old Secret.
        const dependsOn = shape.kind === "DaemonSet" ? [...secrets, ...before] : [];
        const isFirst = shape.metadata.name === firstHolder && shape.kind === "DaemonSet";
        const hooks = takesHooks() && shape.kind === "DaemonSet" ? hooksOf(shape.metadata.name) : [];
        const options = { ...opts, dependsOn, ...(hooks.length > 0 && { hooks: { beforeUpdate: hooks } }) };
        const object = kubernetesObject(name, shape, options, fields);
        if (shape.kind === "Secret") secrets.push(object);
        if (isFirst) before = [object];
    });
}

function contentKeys({ apiVersion, kind, metadata, type, ...content }: Manifest): string[] {
    return Object.keys(content);
}

/** Makes bootstrap tokens valid: for a time, or those of groups as long as their pools are there. */
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
            // Made anew, since the cluster's token cleaner takes away what has ended.
            { ...opts, replaceOnChanges: ["data"], deleteBeforeReplace: true },
        );
    }
}

interface SecretsEncryptionArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** What is to have its keys first: the control plane. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * All Secrets written with the first of several keys, when every kube-apiserver has that.
 *
 * The Job stays: a key may go when the one of these keys is complete.
 */
export class SecretsEncryption extends pulumi.ComponentResource {
    constructor(name: string, args: SecretsEncryptionArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:SecretsEncryption", name, {}, opts);
        const { cluster, provider, after, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        kubernetesObjects(name, secretsRewrite(cluster, bundleAgent("secrets-rewrite")), owner, [after]);
        this.registerOutputs({});
    }
}

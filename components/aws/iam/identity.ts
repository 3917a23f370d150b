import { setTimeout as sleep } from "node:timers/promises";
import { InstanceProfile } from "@pulumi/aws/iam/instanceProfile";
import { Role } from "@pulumi/aws/iam/role";
import { RolePolicy } from "@pulumi/aws/iam/rolePolicy";
import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "../../pulumi/engine";
import { type ConfigStore, poolFolder } from "../buckets";
import type { Tags } from "../tags";
import { attachPolicies } from "./managed-policies";
import { type Allowance, statement } from "./policy";

export interface PoolIdentity {
    readonly role: Role;
    readonly profile: InstanceProfile;
    /** An instance cannot read its config without it. */
    readonly policy: RolePolicy;
    /** Hooks for what launches instances: it is created once a new policy allows something. */
    readonly inEffect: pulumi.ResourceHookBinding;
}

/** IAM is eventually consistent: a machine that may not read its config yet fails its first boot. Unit: seconds. */
const effectSeconds = 10;

const ec2MayTakeIt = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
});

interface IdentityArgs {
    readonly pool: string;
    readonly store: ConfigStore;
    readonly tags: Tags;
    /** Additional permissions. @default none */
    readonly permissions?: readonly Allowance[];
    /** ARNs of managed policies. @default none */
    readonly policies?: readonly pulumi.Input<string>[];
    /** ARN of the policy that limits the role. @default none */
    readonly boundary?: pulumi.Input<string>;
}

/**
 * IAM role of a pool's instances: they may read their pool's configs, use the permissions given here, and nothing else.
 */
export function createIdentity(
    name: string,
    { pool, store, tags, permissions = [], policies = [], boundary }: IdentityArgs,
    opts: pulumi.CustomResourceOptions,
): PoolIdentity {
    const resource = `${name}-${pool}`;
    const role = new Role(
        resource,
        {
            description: "Nodes of a Tradewind cluster",
            assumeRolePolicy: ec2MayTakeIt,
            ...(boundary && { permissionsBoundary: boundary }),
            tags: tags(resource),
        },
        opts,
    );
    const effect = effectHooks(resource);
    const policy = new RolePolicy(
        resource,
        { role: role.id, policy: store.bucket.arn.apply((arn) => policyOf(arn, pool, permissions)) },
        { ...opts, hooks: effect.ofPolicy },
    );
    attachPolicies(resource, role, policies, opts);
    const profile = new InstanceProfile(resource, { role: role.name, tags: tags(resource) }, opts);
    return { role, profile, policy, inEffect: effect.ofInstances };
}

function effectHooks(resource: string): Record<"ofPolicy" | "ofInstances", pulumi.ResourceHookBinding> {
    if (pulumi.runtime.isDryRun() || !takesHooks()) return { ofPolicy: {}, ofInstances: {} };
    let created: number | undefined;
    const note = () => {
        created = Date.now();
    };
    const wait = async () => {
        if (created !== undefined) await sleep(created + effectSeconds * 1000 - Date.now());
    };
    return {
        ofPolicy: { afterCreate: [new pulumi.ResourceHook(`${resource}-policy-created`, note)] },
        ofInstances: { beforeCreate: [new pulumi.ResourceHook(`${resource}-policy-in-effect`, wait)] },
    };
}

function policyOf(bucketArn: string, pool: string, permissions: readonly Allowance[]): string {
    const mayRead = { Effect: "Allow", Action: "s3:GetObject", Resource: folderOf(bucketArn, pool) };
    return JSON.stringify({ Version: "2012-10-17", Statement: [mayRead, ...permissions.map(statement)] });
}

/** The configs that a pool's instances may read. */
export function ownConfigs(bucketArn: string, pool: string): Allowance {
    return { actions: ["s3:GetObject"], resources: [folderOf(bucketArn, pool)] };
}

function folderOf(bucketArn: string, pool: string): string {
    return `${bucketArn}/${poolFolder(pool)}/*`;
}

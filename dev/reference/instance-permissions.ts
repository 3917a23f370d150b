import { snapshotKeyPermissions, snapshotPermissions } from "../../components/aws/buckets";
import { cloudControllerPermissions } from "../../components/aws/iam/cloud-controller-permissions";
import {
    autoscalerPermissions,
    csiDriverPermissions,
    repairerPermissions,
    volumeKeyPermissions,
    volumeSnapshotPermissions,
} from "../../components/aws/iam/driver-permissions";
import { ownConfigs } from "../../components/aws/iam/identity";
import type { Allowance, permissionNames } from "../../components/aws/iam/policy";
import { instanceReads } from "../../components/aws/machines/instance-types";
import { releasePermissions } from "../../components/aws/machines/workers";
import { inRows } from "./markdown-table";

const key = "arn:aws:kms:<region>:<account>:key/<key>";
const scope = { cluster: "<cluster>", region: "<region>" };

/** Controllers only: by component in the cluster, and the option that enables it. */
const ofControllers: Readonly<Record<keyof typeof permissionNames, readonly [when: string, readonly Allowance[]]>> = {
    cloudController: ["`cloudController`", cloudControllerPermissions({ ...scope, vpcId: "<vpc>" })],
    csiDriver: ["`csiDriver`", csiDriverPermissions(scope)],
    clusterAutoscaler: ["`autoscaler`", autoscalerPermissions(scope)],
    nodeCleaner: ["`workerPools`, no `cloudController`", instanceReads],
    nodeRepairer: ["`repair`", repairerPermissions(scope)],
    nodeApprover: ["`workerPools`", instanceReads],
    servingApprover: ["`certificates.kubeletServing`", instanceReads],
    etcdKeeper: [
        "`snapshotBucket`, or S3 by role",
        snapshotPermissions("arn:aws:s3:::<bucket>", { prefix: "<cluster>" }),
    ],
};

/** AWS permissions of instances, from the policies of their roles: who, when, actions, resources, condition. */
export function instancePermissions(): string[][] {
    return [
        ...rows("every instance", "always", [ownConfigs("arn:aws:s3:::<own bucket>", "<pool>")]),
        ...rows("workers of pools", "`workerPools`", [releasePermissions({ ...scope, pool: "<pool>" })]),
        ...rows("controllers", "`csiDriver`, `kmsKeyId`", volumeKeyPermissions(key, scope.region)),
        ...rows("controllers", "`volumeSnapshots`", volumeSnapshotPermissions(scope)),
        ...rows("controllers", "`snapshotBucket`, `kmsKeyId`", snapshotKeyPermissions(key, scope.region)),
        ...Object.values(ofControllers).flatMap(([when, allowances]) => rows("controllers", when, allowances)),
    ];
}

function rows(who: string, when: string, allowances: readonly Allowance[]): string[][] {
    return allowances.flatMap(({ actions, resources = ["*"], condition }, index) => {
        const on = resources.map((arn) => inWords(arn.split(":").at(-1)!));
        const said = JSON.stringify(condition ?? {});
        const only = Object.keys(CONDITIONS).filter((part) => said.includes(part));
        if (only.length === 0 && condition !== undefined) throw new Error(`a condition without a description: ${said}`);
        const end = [on.join(", "), only.map((part) => CONDITIONS[part]).join(", ")];
        const start = index === 0 ? [who, when] : ["", ""];
        return inRows(actions).map((may, row) => (row === 0 ? [...start, may, ...end] : ["", "", may, "", ""]));
    });
}

function inWords(thing: string): string {
    return THINGS[thing] ?? `\`${thing}\``;
}

/** Ends of ARNs. */
const THINGS: Readonly<Record<string, string>> = {
    "*": "everything",
    "vpc/<vpc>": "the cluster's VPC",
    "security-group/*": "security groups",
    "loadbalancer/*": "load balancers",
    "targetgroup/*": "target groups",
    "listener/*": "listeners",
    "volume/*": "volumes",
    "snapshot/*": "snapshots",
    "key/<key>": "the key",
    "instance/*": "instances",
    "autoScalingGroupName/*": "Auto Scaling groups",
    "autoScalingGroupName/<cluster>-<pool>": "their own group",
};

/** Descriptions of conditions. */
const CONDITIONS: Readonly<Record<string, string>> = {
    '"aws:ResourceTag/k8s.io/cluster-autoscaler/<cluster>":"owned"': "has the tags of an autoscaled pool",
    '"aws:RequestTag/kubernetes.io/cluster/<cluster>":"owned"': "requested with the cluster's tag",
    '"aws:ResourceTag/kubernetes.io/cluster/<cluster>":"owned"': "has the cluster's tag",
    '"Null":{"aws:ResourceTag/tradewind.dev/cluster":"true"}': "not created by the stack",
    ':CreateAction":': "during creation",
    '"NumericGreaterThan":{"ec2:VolumeIops":"1000000"}': "more than any volume has: used to find out the limit",
    '"s3:prefix":': "under the prefix",
    '"kms:ViaService":': "through the service",
    '"kms:GrantIsForAWSResource":"true"': "for AWS services",
};

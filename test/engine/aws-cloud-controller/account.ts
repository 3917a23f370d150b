import { cloudControllerPermissions } from "../../../components/aws/iam/cloud-controller-permissions";
import { policy } from "../../../components/aws/iam/policy";
import { Account } from "../../../simulator/clouds/aws/account";
import { recordWhatIsMet } from "../../met";

const ofStack = { "kubernetes.io/cluster/c": "owned", "tradewind.dev/cluster": "c" };

/** An account with the resources of a stack with a controller and a worker, and the cloud controller's permissions. */
export function accountOf(path: string): Account {
    recordWhatIsMet();
    const accessKeys = { [owner.accessKeyId]: { secretAccessKey: owner.secretAccessKey, policy: owner.policy } };
    // As on AWS, calls may be too many, and interfaces outlive their load balancers.
    const hostile = { throttledEvery: 3, interfaceSeconds: 2 };
    const account = Account.open(path, { region: "eu-central-1", zones: {}, amis: {}, accessKeys, ...hostile });
    account.put("vpcs", "vpc-1", { name: "c", cidr: "10.9.0.0/24", tags: ofStack });
    account.put("gateways", "igw-1", { name: "c", vpc: "vpc-1" });
    for (const [id, cidr, letter] of [
        ["subnet-1", "10.9.0.0/28", "a"],
        ["subnet-2", "10.9.0.16/28", "b"],
    ] as const) {
        const zone = `eu-central-1${letter}`;
        account.put("subnets", id, { name: `c-${letter}`, vpc: "vpc-1", cidr, zone, tags: ofStack });
        account.put("associations", `rtbassoc-${letter}`, { name: id, table: "rtb-1", subnet: id });
    }
    account.put("routeTables", "rtb-1", { name: "c", vpc: "vpc-1", tags: ofStack });
    account.put("routes", "r-1", { name: "c", table: "rtb-1", gateway: "igw-1" });
    const { "kubernetes.io/cluster/c": _, ...withoutClusters } = ofStack;
    for (const [id, name, tags] of [
        ["sg-1", "nodes", withoutClusters],
        ["sg-2", "controllers", ofStack],
        ["sg-3", "workers", ofStack],
        ["sg-4", "somebody", {}],
    ] as const) {
        account.put("securityGroups", id, { name: `c-${name}`, vpc: "vpc-1", tags });
    }
    const permissions = cloudControllerPermissions({ cluster: "c", region: "eu-central-1", vpcId: "vpc-1" });
    account.put("roles", "c-controllers", { name: "c-controllers" });
    account.put("rolePolicies", "p", {
        name: "c-cloud-controller",
        role: "c-controllers",
        policy: policy(permissions),
    });
    account.put("instanceProfiles", "c-controllers", { name: "c-controllers", role: "c-controllers" });
    const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}" };
    const place = { vpc: "vpc-1", subnet: "subnet-1", tags: ofStack };
    account.put("instances", controller, {
        ...{
            ...place,
            name: "c-controller-0",
            machine: "c-controller-0",
            address: "10.9.0.4",
            address6: "2001:db8::4",
            groups: ["sg-1", "sg-2"],
        },
        spec: { ...spec, groups: ["sg-1", "sg-2"], profile: "c-controllers" },
    });
    account.put("instances", worker, {
        ...{ ...place, name: "c-default", machine: worker, groups: ["sg-1", "sg-3"] },
        ...{ address: "10.9.0.5", address6: "2001:db8::5" },
        spec: { ...spec, groups: ["sg-1", "sg-3"] },
    });
    return account;
}

/** The account's owner. */
export const owner = {
    accessKeyId: "AKIAOWNER0000000000",
    secretAccessKey: "owners-secret-access-key",
    policy: JSON.stringify({ Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] }),
};

export const controller = "i-00000000000000001";
export const worker = "i-00000000000000002";

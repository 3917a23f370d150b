import { listOf, oneOf, type Rule, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account } from "./account";
import { balanceAnew } from "./balancing";
import { launch, terminate } from "./instances";
import { has, ids, is, isTag, wholeNumber } from "./rules";

const isTargetGroup = /^arn:aws:elasticloadbalancing:[^:]+:\d+:targetgroup\//;

const size = (more: Partial<Rule> = {}) => wholeNumber(0, 1000, more);

/** An Auto Scaling group: it makes and ends instances when it is told to, and not by itself. */
export const autoScalingGroup: Simulated<Account> = {
    inputs: {
        rules: {
            name: text("a group's name", /^[^:]{1,255}$/, { isRequired: true, isFixed: true }),
            launchTemplate: {
                legal: "a template's id and version",
                isLegal: (value: unknown) =>
                    has(value, {
                        id: (each) => /^lt-/.test(String(each)),
                        version: (each) => /^\d+$/.test(String(each)),
                    }),
                isRequired: true,
            },
            vpcZoneIdentifiers: ids("subnet", { isRequired: true }),
            minSize: size({ isRequired: true }),
            maxSize: size({ isRequired: true }),
            desiredCapacity: size({ isRequired: true }),
            healthCheckType: oneOf(["EC2"]),
            targetGroupArns: listOf("ARNs of target groups", (value: unknown) => isTargetGroup.test(String(value))),
            waitForCapacityTimeout: oneOf(["0"], { isRequired: true }),
            tags: listOf("tags that instances take over", (value: unknown) =>
                has(value, {
                    key: (key) => isTag(key, ""),
                    value: (text) => isTag("key", text),
                    propagateAtLaunch: is(true),
                }),
            ),
        },
        notSimulated: [
            "availabilityZoneDistribution",
            "availabilityZones",
            "capacityRebalance",
            "capacityReservationSpecification",
            "context",
            "defaultCooldown",
            "defaultInstanceWarmup",
            "desiredCapacityType",
            "enabledMetrics",
            "forceDelete",
            "forceDeleteWarmPool",
            "healthCheckGracePeriod",
            "ignoreFailedScalingActivities",
            "initialLifecycleHooks",
            "instanceLifecyclePolicy",
            "instanceMaintenancePolicy",
            "instanceRefresh",
            "launchConfiguration",
            "loadBalancers",
            "maxInstanceLifetime",
            "metricsGranularity",
            "minElbCapacity",
            "mixedInstancesPolicy",
            "namePrefix",
            "placementGroup",
            "protectFromScaleIn",
            "region",
            "serviceLinkedRoleArn",
            "suspendedProcesses",
            "terminationPolicies",
            "trafficSources",
            "waitForElbCapacity",
            "warmPool",
        ],
    },
    outputs: ["arn", "predictedCapacity", "warmPoolSize"],
    async create(account, inputs) {
        const name = String(inputs.name);
        if (account.resources.autoScalingGroups[name]) {
            throw new Error(`AlreadyExists: AutoScalingGroup by this name already exists: ${name}`);
        }
        requireSizes(inputs);
        await change(account, name, inputs);
        return { id: name, outputs: { arn: account.arn("autoscaling", `autoScalingGroup:${name}`) } };
    },
    async update(account, name, inputs) {
        requireSizes(inputs);
        await change(account, name, inputs);
        return undefined;
    },
    async delete(account, name) {
        await Promise.all(membersOf(account, name).map((id) => terminate(account, id)));
        account.remove("autoScalingGroups", name);
    },
};

/** Its instances are balanced as they come and go; those that are there, when its target groups are others. */
async function change(account: Account, name: string, inputs: Properties): Promise<void> {
    const { targetGroupArns = [] } = inputs;
    const targetGroups = targetGroupArns as string[];
    for (const each of targetGroups) account.find("targetGroups", each);
    account.put("autoScalingGroups", name, { name, targetGroups });
    await scale(account, name, inputs);
    await balanceAnew(account);
}

function requireSizes({ minSize, maxSize, desiredCapacity }: Properties): void {
    const [least, most, wanted] = [minSize, maxSize, desiredCapacity].map(Number);
    if (least! > wanted! || wanted! > most!) {
        throw new Error(`ValidationError: Desired capacity:${wanted} must be between ${least} and ${most}`);
    }
}

/** Instances come to the zone that has the fewest; the oldest goes first. */
async function scale(account: Account, name: string, inputs: Properties): Promise<void> {
    const { launchTemplate, desiredCapacity, vpcZoneIdentifiers, tags } = inputs;
    const { id, version } = launchTemplate as { id: string; version: string };
    const spec = account.find("launchTemplates", id).versions[Number(version) - 1];
    if (!spec) throw new Error(`ValidationError: the version ${version} of the launch template ${id} does not exist`);
    const called = (tags as { key: string; value: string }[] | undefined)?.find(({ key }) => key === "Name")?.value;
    const members = membersOf(account, name);
    const missing = Number(desiredCapacity) - members.length;
    await Promise.all(members.slice(0, Math.max(0, -missing)).map((each) => terminate(account, each)));
    const isIn = (subnet: string) =>
        members.filter((each) => account.resources.instances[each]?.subnet === subnet).length;
    const subnets = (vpcZoneIdentifiers as string[]).map((subnet) => ({ subnet, count: isIn(subnet) }));
    const places = Array.from({ length: Math.max(0, missing) }, () => {
        const emptiest = subnets.reduce((least, each) => (each.count < least.count ? each : least));
        emptiest.count++;
        return emptiest.subnet;
    });
    await Promise.all(places.map((subnet) => launch(account, { spec, subnet, name: called ?? name, madeBy: name })));
}

function membersOf(account: Account, name: string): string[] {
    const { instances } = account.resources;
    return Object.keys(instances).filter((id) => instances[id]!.madeBy === name);
}
